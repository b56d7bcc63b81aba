#pragma once
// Where blobs are copied from and to: a data folder, a backup, an object store. Nothing else removes or
// writes blobs of the target meanwhile. Any thread; throws StorageError for a target that cannot be written
// and an object store that gives no answer.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/services/moves/catalog_move.hpp"
#include "server/services/s3/s3_options.hpp"

namespace vitrine::server {

enum class BlobOutcome : std::uint8_t {
    present, // the target has it
    copied,
    missing, // in the source
    damaged, // the bytes in the source have another hash, or cannot be read
};

using BlobSink = std::function<void(std::span<const std::byte>)>;
using BlobSizes = std::unordered_map<std::string, std::uint64_t>; // by hash

class BlobPlace {
public:
    virtual ~BlobPlace() = default;
    virtual std::string name() const = 0;
    // Passes the bytes to `sink`, and returns whether they have this hash. Exceptions of the sink pass.
    virtual BlobOutcome read(const std::string& hash, const BlobSink& sink) = 0; // copied, missing or damaged
    // Copies the blob from there. `size_bytes`: of the one that the target has; empty: none.
    virtual BlobOutcome put_from(BlobPlace& source, const std::string& hash,
                                 std::optional<std::uint64_t> size_bytes) = 0;
    virtual BlobSizes list() = 0;
    virtual void remove(const std::string& hash) = 0;
    // What was put survives a power failure when it returns.
    virtual void sync() {}
    // The blob as a file that does not change; empty: it is none.
    virtual std::filesystem::path file_of(const std::string& /*hash*/) const { return {}; }
};

enum class FileCopies : std::uint8_t {
    always, // copies have files of their own
    linked, // as further names of the source's files, if both are on one file system
};

// The folder blobs/ below `root`. `trusted`: blobs of the right size that are there already are right.
std::unique_ptr<BlobPlace> make_folder_place(const std::filesystem::path& root, FileCopies copies,
                                             bool trusted);
// The store compares the bytes that arrive with their hash. `temporary`: a folder for files on their way.
std::unique_ptr<BlobPlace> make_s3_place(const S3Options& store, const std::filesystem::path& temporary);

struct BlobTotals {
    std::uint64_t blobs = 0, bytes = 0; // that the target has
    std::uint64_t copied = 0;
    std::vector<std::string> missing, damaged; // hashes, sorted
    std::string digest;                        // SHA-256 of the hashes that the target has
};

// Copies the blobs, several at a time. Missing and damaged ones do not end it. From a place to itself:
// changes nothing, and looks which are missing or damaged.
BlobTotals copy_blobs(BlobPlace& source, BlobPlace& target, std::span<const NamedBlob> blobs,
                      std::string_view what, const OnMoveProgress& progress);

// Blobs of the place that are not among `blobs`, which are sorted by hash.
std::vector<std::string> list_other_blobs(BlobPlace& place, std::span<const NamedBlob> blobs);

} // namespace vitrine::server
