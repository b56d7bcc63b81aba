#pragma once
// Which folders are sure to survive a power cut, so that none is synced for its subfolders more often than
// needed. Any thread. Throws StorageError.

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

    // Folders below `root` that nobody removes while this lives.
    explicit DurableFolders(std::filesystem::path root, SyncFolder sync = sync_folder);

    // `folder` exists, below the root. When this returns its name and those of the folders above it are on
    // the disk, whoever made them: the first to ask for one syncs.
    void ensure_synced(const std::filesystem::path& folder);

private:
    bool is_synced(const std::string& name);

    const std::filesystem::path root_;
    const SyncFolder sync_;
    std::mutex mutex_;
    std::unordered_set<std::string> synced_; // relative to the root
};

} // namespace vitrine::server
