#pragma once
// Copies of objects on the disk: least recently used files are removed above a number of bytes, files in use
// are kept. A file is used only if its bytes have its hash: files that this process has not written are read
// whole at their first use. Any thread; I/O is done by the caller. The folder may be deleted while no process
// uses it. Throws StorageError.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include <prometheus/registry.h>

#include "server/services/storage/blob_store.hpp"
#include "server/services/storage/hashed_file.hpp"

namespace vitrine::server {

class BlobCache {
public:
    // Only one process may use a folder. `limit_bytes` does not count for files in use.
    BlobCache(const std::filesystem::path& folder, std::uint64_t limit_bytes, prometheus::Registry& registry);
    ~BlobCache();

    std::optional<LocalBlob> find(const std::string& hash);
    // Takes the finished file, whose bytes have this hash.
    LocalBlob adopt(const std::string& hash, HashedFile& file);
    bool contains(const std::string& hash) const; // find() may still find that it is damaged
    bool is_in_use(const std::string& hash) const;
    std::uint64_t size_bytes() const; // of all files

private:
    struct State;
    std::shared_ptr<State> state_; // shared with the pins
};

} // namespace vitrine::server
