#pragma once
// Remembers which folders survive a power failure, so that each is synced only once. Any thread. Throws
// StorageError.

#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_set>

#include "server/util/files.hpp"

namespace vitrine::server {

class DurableFolders {
public:
    using SyncFolder = std::function<void(const std::filesystem::path&)>;

    // Folders below `root` must not be removed during the lifetime of this object.
    explicit DurableFolders(std::filesystem::path root, SyncFolder sync = sync_folder);

    // `folder` must exist below the root. When the call returns, its name and those of its parents are on the
    // disk, regardless of who created them: the first caller syncs.
    void ensure_synced(const std::filesystem::path& folder);

private:
    bool is_synced(const std::string& name);

    const std::filesystem::path root_;
    const SyncFolder sync_;
    std::mutex mutex_;
    std::unordered_set<std::string> synced_; // relative to the root
};

} // namespace vitrine::server
