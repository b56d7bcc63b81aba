#include "server/services/libraries/library_watch.hpp"

#include <array>
#include <cerrno>
#include <cstring>

#include <sys/inotify.h>
#include <unistd.h>

#include "server/services/libraries/folder_walk.hpp"

namespace vitrine::server {
namespace {

constexpr unsigned watch_mask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE |
                                IN_DELETE_SELF | IN_ATTRIB | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK;

} // namespace

LibraryWatch::LibraryWatch() : descriptor_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

LibraryWatch::~LibraryWatch()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

LibraryWatch::Watched LibraryWatch::watch(const std::string& library, const std::string& root,
                                          const std::vector<std::string>& folders)
{
    Watched result{.is_complete = descriptor_ >= 0};
    std::map<std::string, int> before, now;
    before.swap(watches_[library]);
    for (const auto& folder : folders) {
        if (!result.is_complete) break;
        const auto path = folder.empty() ? root : join_path(root, folder);
        const int watch = ::inotify_add_watch(descriptor_, path.c_str(), watch_mask);
        if (watch < 0 && errno == ENOSPC) result.is_complete = false; // fs.inotify.max_user_watches
        if (watch < 0) continue;
        const auto known = before.find(path);
        result.is_new = result.is_new || known == before.end() || known->second != watch;
        libraries_[watch] = library;
        now[path] = watch;
    }
    std::set<int> kept;
    for (const auto& [path, watch] : now)
        kept.insert(watch);
    for (const auto& [path, watch] : before)
        if (!kept.contains(watch)) end(watch);
    watches_[library] = std::move(now);
    if (!result.is_complete) forget(library);
    return result;
}

void LibraryWatch::end(int watch)
{
    ::inotify_rm_watch(descriptor_, watch);
    libraries_.erase(watch);
}

void LibraryWatch::forget(const std::string& library)
{
    const auto known = watches_.find(library);
    if (known == watches_.end()) return;
    for (const auto& [path, watch] : known->second)
        end(watch);
    watches_.erase(known);
}

std::set<std::string> LibraryWatch::read()
{
    std::set<std::string> changed;
    alignas(inotify_event) std::array<char, 64 * 1024> buffer;
    for (;;) {
        const auto got = ::read(descriptor_, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return changed;
        for (const char* at = buffer.data(); at < buffer.data() + got;) {
            inotify_event event;
            std::memcpy(&event, at, sizeof(event));
            at += sizeof(event) + event.len;
            if (event.mask & IN_Q_OVERFLOW)
                for (const auto& [library, watches] : watches_)
                    changed.insert(library);
            const auto known = libraries_.find(event.wd);
            if (known == libraries_.end()) continue;
            changed.insert(known->second);
            if (event.mask & IN_IGNORED) libraries_.erase(known);
        }
    }
}

} // namespace vitrine::server
