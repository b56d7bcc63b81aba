#include "server/util/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <tuple>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "server/util/error.hpp"
#include "server/util/ids.hpp"

namespace fs = std::filesystem;

namespace vitrine::server {

OpenFile::~OpenFile()
{
    if (descriptor_ >= 0) close(descriptor_);
}

OpenFile::OpenFile(OpenFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept
{
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

OpenFile OpenFile::create(const fs::path& path)
{
    const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
    if (descriptor < 0) throw_storage_error(errno, "create", path.native());
    return OpenFile(descriptor);
}

OpenFile OpenFile::create_unnamed(const fs::path& folder)
{
    const int descriptor = open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
    if (descriptor >= 0) return OpenFile(descriptor);
    std::string pattern = (folder / "unnamed-XXXXXX").native(); // a file system without O_TMPFILE
    OpenFile file(mkostemp(pattern.data(), O_CLOEXEC));
    if (file.descriptor() < 0) throw_storage_error(errno, "create", pattern);
    unlink(pattern.c_str());
    return file;
}

std::optional<OpenFile> OpenFile::find(const fs::path& path)
{
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) return OpenFile(descriptor);
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    throw_storage_error(errno, "open", path.native());
}

void OpenFile::write(std::span<const std::byte> bytes, const fs::path& path)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) throw_storage_error(errno, "write", path.native());
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

std::vector<std::byte> OpenFile::read(std::uint64_t offset, std::size_t count, const fs::path& path) const
{
    const std::uint64_t size = size_bytes();
    if (offset >= size) return {};
    std::vector<std::byte> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(count, size - offset)));
    std::size_t have = 0;
    while (have < bytes.size()) {
        const ssize_t got =
            pread(descriptor_, bytes.data() + have, bytes.size() - have, static_cast<off_t>(offset + have));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw_storage_error(errno, "read", path.native());
        if (got == 0) break;
        have += static_cast<std::size_t>(got);
    }
    bytes.resize(have);
    return bytes;
}

std::uint64_t OpenFile::size_bytes() const
{
    return state().size_bytes;
}

FileState OpenFile::state() const
{
    struct stat status{};
    if (fstat(descriptor_, &status) != 0) throw_storage_error(errno, "inspect", "an open file");
    return {.device = status.st_dev,
            .inode = status.st_ino,
            .size_bytes = static_cast<std::uint64_t>(status.st_size),
            .modified_ns = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec};
}

void OpenFile::sync(const fs::path& path) const
{
    if (fsync(descriptor_) != 0) throw_storage_error(errno, "sync", path.native());
}

void OpenFile::start_writing_back(std::uint64_t offset, std::uint64_t count) const noexcept
{
    std::ignore = ::sync_file_range(descriptor_, static_cast<off64_t>(offset), static_cast<off64_t>(count),
                                    SYNC_FILE_RANGE_WRITE);
}

void sync_folder(const fs::path& folder)
{
    const OpenFile file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    file.sync(folder);
}

void make_folders(const fs::path& folder)
{
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw_storage_error(error.value(), "create", folder.native());
}

void make_empty_folder(const fs::path& folder)
{
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    make_folders(folder);
}

fs::path whole_path(const fs::path& path)
{
    std::error_code error;
    auto whole = fs::weakly_canonical(fs::absolute(path, error), error);
    if (error) return path;
    return whole.has_filename() ? whole : whole.parent_path();
}

void rename_file(const fs::path& from, const fs::path& to)
{
    if (rename(from.c_str(), to.c_str()) != 0) throw_storage_error(errno, "rename", to.native());
}

TemporaryFolder::TemporaryFolder(const fs::path& parent)
{
    std::string pattern = (parent / "vitrine-XXXXXX").native();
    if (::mkdtemp(pattern.data()) == nullptr) throw_storage_error(errno, "create", pattern);
    path_ = pattern;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

std::uint64_t free_bytes(const std::filesystem::path& folder) noexcept
{
    struct statvfs status{};
    if (::statvfs(folder.c_str(), &status) != 0) return ~std::uint64_t{0};
    return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

} // namespace vitrine::server
