#include "server/services/libraries/folder_walk.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "loaders/base/ascii.hpp"
#include "loaders/base/model_formats.hpp"
#include "loaders/base/utf8.hpp"
#include "loaders/io/image_names.hpp"
#include "loaders/io/resource_name.hpp"

namespace vitrine::server {
namespace {

constexpr unsigned max_depth = 64;
constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

// What file servers and desktops keep beside the files of people, in lower case. Hidden names are ignored
// too.
constexpr std::array<std::string_view, 8> system_folders{
    "$recycle.bin", "system volume information", "lost+found", "__macosx", "@eadir", "#recycle", "#snapshot",
    "node_modules"};

class Walker {
public:
    Walker(const LibraryFilter& filter, const std::function<bool()>& stopped)
        : filter_(filter), stopped_(stopped)
    {
    }

    FolderWalk run(const std::string& root)
    {
        walk(::open(root.c_str(), folder_flags), {}, 0);
        std::ranges::sort(walk_.folders, {}, &WalkedFolder::path);
        return std::move(walk_);
    }

private:
    void fail(const std::string& path, int error)
    {
        ++walk_.skipped;
        walk_.unreadable.push_back(path);
        if (path.empty()) walk_.error = error;
    }

    // Owns `descriptor`.
    void walk(int descriptor, const std::string& path, unsigned depth)
    {
        if (descriptor < 0) return fail(path, errno);
        const std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(descriptor), ::closedir);
        if (!folder) return fail(path, errno);
        if (stopped_()) walk_.is_stopped = true;
        if (walk_.is_stopped) return;
        WalkedFolder found{.path = path};
        std::vector<std::string> below;
        errno = 0;
        for (const auto* entry = ::readdir(folder.get()); entry != nullptr; entry = ::readdir(folder.get())) {
            take(descriptor, *entry, found, below);
            errno = 0;
        }
        if (errno != 0) return fail(path, errno);
        std::ranges::sort(found.files, {}, &WalkedFile::name);
        walk_.folders.push_back(std::move(found));
        for (const auto& name : below) {
            const auto child = join_path(path, name);
            if (depth < max_depth)
                walk(::openat(descriptor, name.c_str(), folder_flags), child, depth + 1);
            else
                fail(child, ELOOP);
        }
    }

    void take(int folder, const dirent& entry, WalkedFolder& found, std::vector<std::string>& below)
    {
        const std::string_view name(entry.d_name);
        if (name.starts_with('.')) return;
        const bool may_be_file = entry.d_type == DT_REG || entry.d_type == DT_UNKNOWN;
        const bool takes = may_be_file && filter_.takes_file(found.path, name);
        if (entry.d_type != DT_DIR && entry.d_type != DT_UNKNOWN && !takes) return;
        struct stat status{};
        if (entry.d_type != DT_DIR && ::fstatat(folder, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
            // A file that is removed meanwhile is gone; of any other error the folder's files stay as they
            // are.
            if (errno != ENOENT) fail(join_path(found.path, name), errno);
            return;
        }
        if (entry.d_type == DT_DIR || S_ISDIR(status.st_mode)) {
            if (is_storable(found.path, name) && filter_.takes_folder(join_path(found.path, name)))
                below.emplace_back(name);
        } else if (S_ISREG(status.st_mode) && takes && is_storable(found.path, name))
            found.files.push_back(
                {.name = std::string(name),
                 .size_bytes = static_cast<std::uint64_t>(status.st_size),
                 .modified_ns = status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec,
                 .inode = status.st_ino});
    }

    bool is_storable(const std::string& folder, std::string_view name)
    {
        const auto path = join_path(folder, name);
        const bool is_storable = is_utf8(path) && io::normalize_name(path) == path;
        walk_.skipped += is_storable ? 0 : 1;
        return is_storable;
    }

    const LibraryFilter& filter_;
    const std::function<bool()>& stopped_;
    FolderWalk walk_;
};

} // namespace

std::string join_path(std::string_view folder, std::string_view name)
{
    std::string path(folder);
    if (!path.empty()) path += '/';
    return path.append(name);
}

bool is_model_name(std::string_view name)
{
    return find_model_format(io::extension_of(name)) != nullptr;
}

bool is_companion_name(std::string_view name)
{
    return io::is_image_name(name) || io::is_undecodable_image_name(name) ||
           is_companion_extension(io::extension_of(name));
}

bool LibraryFilter::takes_folder(const std::string& path) const
{
    const auto name = ascii::lower(io::base_name(path));
    return std::ranges::find(system_folders, name) == system_folders.end() && !ignored.matches(path);
}

bool LibraryFilter::takes_file(const std::string& folder, std::string_view name) const
{
    const bool is_model = is_model_name(name);
    if (!is_model && !is_companion_name(name)) return false;
    if (ignored.empty() && include.empty()) return true;
    const auto path = join_path(folder, name);
    if (ignored.matches(path)) return false;
    return !is_model || include.empty() || include.matches_below(path);
}

FolderWalk walk_folder(const std::string& root, const LibraryFilter& filter,
                       const std::function<bool()>& stopped)
{
    return Walker(filter, stopped).run(root);
}

std::optional<OpenFile> open_below(const std::string& root, std::string_view path)
{
    OpenFile at(::open(root.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    for (auto slash = path.find('/'); at.descriptor() >= 0 && slash != path.npos; slash = path.find('/')) {
        const std::string part(path.substr(0, slash));
        path.remove_prefix(slash + 1);
        at = OpenFile(::openat(at.descriptor(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    }
    if (at.descriptor() < 0) return std::nullopt;
    OpenFile file(::openat(at.descriptor(), std::string(path).c_str(),
                           O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat status{};
    if (file.descriptor() < 0 || ::fstat(file.descriptor(), &status) != 0) return std::nullopt;
    if (!S_ISREG(status.st_mode)) {
        errno = ENOENT;
        return std::nullopt;
    }
    return file;
}

bool is_local_folder(const std::string& path)
{
    // NFS, SMB, CIFS, SMB2, Ceph, AFS, 9P, FUSE, Coda, Lustre, GlusterFS' and others are behind FUSE
    // (statfs(2)).
    constexpr std::array<unsigned long, 10> remote{0x6969,     0x517b,     0xff534d42, 0xfe534d42,
                                                   0x00c36400, 0x5346414f, 0x01021997, 0x65735546,
                                                   0x73757245, 0x0bd00bd0};
    struct statfs status{};
    if (::statfs(path.c_str(), &status) != 0) return false;
    return std::ranges::find(remote, static_cast<unsigned long>(status.f_type) & 0xffffffffUL) ==
           remote.end();
}

} // namespace vitrine::server
