#include "server/services/storage/durable_folders.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {

DurableFolders::DurableFolders(fs::path root, SyncFolder sync)
    : root_(std::move(root)), sync_(std::move(sync))
{
}

void DurableFolders::ensure_synced(const fs::path& folder)
{
    auto name = folder.lexically_relative(root_).native();
    if (name == "." || is_synced(name)) return;
    const auto parent = folder.parent_path();
    sync_(parent);
    ensure_synced(parent);
    const std::lock_guard lock(mutex_); // after the sync: until then other callers sync themselves
    synced_.insert(std::move(name));
}

bool DurableFolders::is_synced(const std::string& name)
{
    const std::lock_guard lock(mutex_);
    return synced_.contains(name);
}

} // namespace vitrine::server
