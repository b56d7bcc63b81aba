#include "server/cli/folder_watch.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include <sys/inotify.h>
#include <unistd.h>

namespace vitrine::cli {
namespace {

namespace fs = std::filesystem;

constexpr unsigned event_mask = IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE |
                                IN_DELETE | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK;

[[noreturn]] void fail(const std::string& what)
{
    auto hint = errno == ENOSPC ? " (more folders than fs.inotify.max_user_watches)" : "";
    throw std::system_error(errno, std::generic_category(), what + hint);
}

bool hidden(const fs::path& path)
{
    return path.filename().native().starts_with('.');
}

} // namespace

FolderWatch::FolderWatch() : descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC))
{
    if (descriptor_ < 0) fail("folders cannot be watched");
}

FolderWatch::~FolderWatch()
{
    ::close(descriptor_);
}

std::vector<FolderEvent> FolderWatch::add(const fs::path& folder)
{
    std::vector<FolderEvent> found;
    scan(folder, found);
    if (!watches(folder)) fail(folder.string());
    return found;
}

// Adds the watch before it lists the folder, so that no file is missed in between. Folders that have been
// removed or cannot be read are skipped.
void FolderWatch::scan(const fs::path& folder, std::vector<FolderEvent>& found)
{
    int watch = ::inotify_add_watch(descriptor_, folder.c_str(), event_mask);
    if (watch < 0 && errno == ENOSPC) fail(folder.string());
    if (watch < 0) return;
    folders_[watch] = folder;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (hidden(at->path())) continue;
        if (at->is_directory(error) && !at->is_symlink(error)) {
            scan(at->path(), found);
        } else if (at->is_regular_file(error)) {
            found.push_back({at->path(), FileChange::written});
        }
    }
}

std::vector<FolderEvent> FolderWatch::read()
{
    std::vector<FolderEvent> events;
    alignas(inotify_event) std::array<char, 64 * 1024> buffer;
    for (;;) {
        auto got = ::read(descriptor_, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return events;
        for (const char* at = buffer.data(); at < buffer.data() + got;) {
            inotify_event event;
            std::memcpy(&event, at, sizeof(event));
            take(event.wd, event.mask, event.len > 0 ? at + sizeof(event) : "", events);
            at += sizeof(event) + event.len;
        }
    }
}

void FolderWatch::take(int watch, unsigned mask, const char* name, std::vector<FolderEvent>& events)
{
    if (mask & IN_Q_OVERFLOW) { // events were lost: treat every file as written
        auto folders = folders_;
        for (const auto& [number, folder] : folders)
            scan(folder, events);
        return;
    }
    auto folder = folders_.find(watch);
    if (folder == folders_.end()) return;
    if (mask & IN_IGNORED) {
        folders_.erase(folder);
        return;
    }
    auto path = folder->second / name;
    if (*name == '\0' || hidden(path)) return;
    if (mask & IN_ISDIR) {
        std::error_code error;
        bool appeared = (mask & (IN_CREATE | IN_MOVED_TO)) && fs::is_directory(path, error);
        if (appeared) scan(path, events);
    } else if (mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) {
        events.push_back({path, FileChange::written});
    } else if (mask & IN_MODIFY) {
        events.push_back({path, FileChange::writing});
    } else if (mask & (IN_DELETE | IN_MOVED_FROM)) {
        events.push_back({path, FileChange::removed});
    }
}

bool FolderWatch::watches(const fs::path& folder) const
{
    return std::ranges::any_of(folders_, [&](const auto& entry) { return entry.second == folder; });
}

} // namespace vitrine::cli
