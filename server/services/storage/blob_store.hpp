#pragma once
// Content-addressed storage by SHA-256. Equal bytes are stored once; a blob never changes. An interface, so
// that an object store can replace files. Any thread; a BlobWriter is used by one thread at a time. Throws
// StorageError.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "server/util/error.hpp"

namespace vitrine::server {

struct BlobRef {
    std::string hash; // 64 hexadecimal digits
    std::uint64_t size_bytes = 0;
    std::shared_ptr<const void>
        pin{}; // while it exists the blob is kept, even if the catalog does not reference it
};

// Hashes while it writes to a temporary file. Without commit() the destructor removes the file.
class BlobWriter {
public:
    virtual ~BlobWriter() = default;
    virtual void write(std::span<const std::byte> bytes) = 0;
    virtual std::uint64_t size_bytes() const = 0;
    // Durable when it returns: file and folder are synced. Call once.
    virtual BlobRef commit() = 0;
};

class BlobStore {
public:
    virtual ~BlobStore() = default;
    virtual std::unique_ptr<BlobWriter> create() = 0;
    // Returns the blob's path as a local file (an object store fetches it first). Errors: not_found.
    virtual Result<std::filesystem::path> local_path(const std::string& hash) const = 0;

    // Visits every blob, in any order, until `visit` returns false. Blobs added or removed meanwhile may be
    // missed.
    virtual void visit(const std::function<bool(const std::string& hash)>& visit) const = 0;
    // Removes the blob unless it is pinned or `is_wanted`; no pin can be taken in between.
    virtual bool remove_unless(const std::string& hash, const std::function<bool()>& is_wanted) = 0;
    // Waits for blobs whose last pin was destroyed. Empty: a stop was requested.
    virtual std::vector<std::string> wait_for_unpinned(const std::stop_token& stop) = 0;

    BlobRef put_file(const std::filesystem::path& file);
};

// Files under root/blobs/ab/cd/<hash>, temporary files under root/tmp, which is emptied by the constructor:
// only one process may use a root.
std::unique_ptr<BlobStore> make_file_blob_store(const std::filesystem::path& root);

} // namespace vitrine::server
