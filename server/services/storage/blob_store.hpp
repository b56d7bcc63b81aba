#pragma once
// Content-addressed storage by SHA-256. Equal bytes are stored once; a blob never changes. Two
// implementations: files of the data folder (here), and an S3 object store (services/s3). All functions may
// be called from any thread and may block, for files on the disk, for an object store on the network up to
// its deadline; a BlobWriter is used by one thread at a time. Throws StorageError; `unavailable`: the object
// store gives no answer or rejects this server.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "server/util/error.hpp"

namespace vitrine::server {

class OpenFile; // server/util/files.hpp

struct BlobRef {
    std::string hash; // 64 hexadecimal digits
    std::uint64_t size_bytes = 0;
    std::shared_ptr<const void>
        pin{};           // while it exists the blob is kept, even if the catalog does not reference it
    int descriptor = -1; // FileRecord::descriptor
};

class BlobLedger; // server/services/catalog/blob_ledger.hpp

struct BlobPart {
    std::uint64_t blob_bytes = 0; // size of the whole blob
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

// A blob as a file of this machine, to be read only.
struct LocalBlob {
    std::filesystem::path path;
    std::shared_ptr<const void> in_use{}; // while it exists the file is kept, if it is the copy of an object
    int descriptor = -1;                  // of the file, while `in_use` exists; -1: `path` is opened
};

// Hashes while it writes to a temporary file. Without commit() the destructor removes the file.
class BlobWriter {
public:
    virtual ~BlobWriter() = default;
    virtual void write(std::span<const std::byte> bytes) = 0;
    virtual std::uint64_t size_bytes() const = 0;
    // From now on find_local() finds the blob while it is pinned. Call once.
    virtual BlobRef commit() = 0;
};

// Where the files of an upload are stored.
class BlobFactory {
public:
    virtual ~BlobFactory() = default;
    virtual std::unique_ptr<BlobWriter> create() = 0;
};

// Files for one request that another process draws.
struct BlobHandOver {
    std::string place{};                // where it receives them
    std::shared_ptr<const void> kept{}; // they are removed soon after the last reference is gone
};

class BlobStore : public BlobFactory {
public:
    // The blobs survive a power failure of this machine when it returns; call it before the catalog refers to
    // them. They must be pinned, and stay so until it does.
    virtual void make_durable(std::span<const std::string> hashes) = 0;
    // Keeps a blob that is there, as a pin of BlobWriter::commit() does, as a local file. Errors: those of
    // find_local().
    virtual Result<BlobRef> pin(const std::string& hash) = 0;
    // Something that referred to these blobs does not any more: they are removed if nothing else does.
    virtual void release(std::span<const std::string> /*hashes*/) {}
    // Returns the blob as a local file, whose bytes have this hash if they come from an object store. Errors:
    // not_found ("blob_missing"), unavailable ("blob_corrupt": the object has other bytes).
    virtual Result<LocalBlob> find_local(const std::string& hash) const = 0;
    // Whether it has bytes of its own of the blob, which nobody else removes.
    virtual bool stores(const std::string& hash) const { return find_local(hash).has_value(); }
    // Fetches many blobs at a time, for find_local() calls that follow; missing and damaged ones are left to
    // those.
    virtual void prefetch(std::span<const std::string> /*hashes*/) const {}
    // Passes a part of a large blob that is not on this machine to `sink`, without a copy of the rest. Its
    // bytes are not compared with a hash. Returns false, before anything is passed, if find_local() is the
    // better way or has an error to report.
    virtual bool read_part(const std::string& /*hash*/, const BlobPart& /*part*/,
                           const std::function<void(std::span<const std::byte>)>& /*sink*/) const
    {
        return false;
    }

    // Copies pinned blobs to where another process with this store receives them. There they are no blobs: an
    // upload of the same content stores its own, and nothing waits for --blob-grace-hours.
    virtual BlobHandOver hand_over(std::span<const std::string> /*hashes*/) { return {}; }
    // Fetches what another process has handed over; find_local() finds it while the result exists. Errors:
    // those of find_local().
    virtual Result<std::vector<LocalBlob>> receive(const std::string& place,
                                                   std::span<const std::string> hashes) const;

    // Returns an address from which a client may fetch the blob for a limited time, with this
    // Content-Disposition; empty if clients fetch it from the server.
    virtual std::optional<std::string> download_url(const std::string& /*hash*/,
                                                    const std::string& /*disposition*/) const
    {
        return std::nullopt;
    }

    // Visits every blob that may be removed if nothing refers to it, in any order, until `visit` returns
    // false. Blobs added or removed meanwhile may be missed.
    virtual void visit(const std::function<bool(const std::string& hash)>& visit) const = 0;
    // Removes the blob unless it is pinned or `is_wanted`, or an upload of another process may be about to
    // refer to it; no pin can be taken in between.
    virtual bool remove_unless(const std::string& hash, const std::function<bool()>& is_wanted) = 0;
    // Waits for blobs that may have become unused: those whose last pin was destroyed, or that have become
    // old. Empty: a stop was requested.
    virtual std::vector<std::string> wait_for_candidates(const std::stop_token& stop) = 0;
    // Once, before other functions: the blobs are those of this catalog. Throws StorageError `failed` with a
    // sentence for the user if the store belongs to another one. `ledger` outlives the store.
    virtual void join(BlobLedger& /*ledger*/) {}
    // Other servers may keep blobs in it, so that an empty catalog is no reason to remove all.
    virtual bool is_shared() const { return false; }
    // Ends calls that wait for the network, with StorageError; for the stop of the server.
    virtual void interrupt() {}
    // Whether find_local() is likely to find it; reads no file as a whole. Errors: those of find_local().
    virtual Result<void> check(const std::string& hash) const
    {
        if (auto found = find_local(hash); !found) return std::unexpected(std::move(found.error()));
        return {};
    }

    BlobRef put_file(const std::filesystem::path& file);
};

// Opens what find_local() has found, not another file that has its path meanwhile; empty: it is missing.
std::optional<OpenFile> open_blob(const LocalBlob& blob);

// The error of find_local().
std::unexpected<ServiceError> missing_blob(const std::string& hash);

// Files under root/blobs/ab/cd/<hash>, temporary files under root/tmp, which is emptied by the constructor:
// only one process may use a root. root/blobs-owner has the identity of the catalog. `take_over`: the blobs
// may belong to another one.
std::unique_ptr<BlobStore> make_file_blob_store(const std::filesystem::path& root, bool take_over = false);
// As above, in a folder that may have other files too: temporary files are in root/blobs-unfinished. Empties
// tmp of the data folder.
std::unique_ptr<BlobStore> make_separate_blob_store(const std::filesystem::path& data,
                                                    const std::filesystem::path& root, bool take_over);

} // namespace vitrine::server
