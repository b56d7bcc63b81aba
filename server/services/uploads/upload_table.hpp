#pragma once
// Uploads that arrive in pieces, as rows of the catalog's database, so that every process that shares it
// knows them. Any thread, blocking. A write is durable when the call returns. Throws StorageError.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/services/database/database_connections.hpp"
#include "server/util/clock.hpp"
#include "server/util/error.hpp"
#include "server/util/upload_limits.hpp"

namespace vitrine::server {

struct OpenUpload { // no asset has been made of it yet; it may be finished
    std::string id;
    std::string name;                    // of the file, relative, normalized; may be empty
    std::string metadata;                // field Upload-Metadata as sent
    std::string concat;                  // field Upload-Concat as sent; empty: one file by itself
    std::vector<std::string> partials{}; // ids of those that a final one was made of
    std::uint64_t length = 0;            // not declared yet: as received
    std::uint64_t received = 0;          // bytes from the beginning that are stored
    Micros expires = 0;
    bool is_deferred = false; // the length is declared later
    std::string owner{};      // id of the user whose storage it takes; empty: none

    bool is_finished() const { return !is_deferred && received == length; }
    bool is_partial() const { return concat == "partial"; }
    bool is_final() const { return concat.starts_with("final;"); }
};

// Bytes of an upload that are a blob.
struct UploadedPart {
    std::uint64_t start = 0;
    std::uint64_t length = 0;
    std::string blob;
};

class UploadTable {
public:
    // `database` outlives the object.
    UploadTable(DatabaseConnections& database, const UploadLimits& limits);

    // Errors: no_room ("uploads_full").
    Result<OpenUpload> create(const OpenUpload& upload);
    // `upload.partials` become one finished upload. Errors: as create(), not_found, conflict
    // ("upload_unfinished"), invalid (one is not a partial upload), too_large (too many parts).
    Result<OpenUpload> join(const OpenUpload& upload);
    // Errors: not_found ("no_upload"), also of an expired one.
    Result<OpenUpload> find(const std::string& id) const;
    std::vector<UploadedPart> parts(const std::string& id) const; // in order
    // Declares the length of a deferred one. Errors: not_found, no_room, conflict ("length_known": it has
    // one, or has more bytes than these).
    Result<OpenUpload> set_length(const std::string& id, std::uint64_t length);
    // The part must begin where the upload ends so far. Errors: not_found, conflict ("offset_mismatch"),
    // too_large (too many parts), no_room if the length is deferred.
    Result<OpenUpload> append(const std::string& id, const UploadedPart& part);
    // Returns the blobs that were its parts; empty optional: there is none.
    std::optional<std::vector<std::string>> remove(const std::string& id);
    std::vector<std::string> remove_expired(); // the same of some that have expired

private:
    DatabaseConnections& database_;
    const UploadLimits limits_;
};

} // namespace vitrine::server
