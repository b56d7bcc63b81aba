#include "server/net/transport/unix_socket.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace vitrine::server {
namespace {

constexpr int waiting_connections = 1024;

sockaddr_un address_of(const std::filesystem::path& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), std::min(path.native().size(), sizeof(address.sun_path) - 1));
    return address;
}

bool holds_socket(const std::filesystem::path& path)
{
    struct stat found{};
    return ::lstat(path.c_str(), &found) == 0 && S_ISSOCK(found.st_mode);
}

// Whether a process accepts connections at the path.
bool has_listener(const std::filesystem::path& path)
{
    const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (probe < 0) return true;
    const auto address = address_of(path);
    const bool connected =
        ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
    const bool is_free = !connected && (errno == ECONNREFUSED || errno == ENOENT);
    ::close(probe);
    return !is_free; // also with its queue full, or without permission to connect
}

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view why)
{
    throw std::runtime_error(fmt::format("cannot listen on unix:{}: {}", path.string(), why));
}

} // namespace

UnixSocketFile::UnixSocketFile(std::filesystem::path path, mode_t mode) : path_(std::move(path))
{
    struct stat found{};
    const bool exists = ::lstat(path_.c_str(), &found) == 0;
    if (exists && !holds_socket(path_)) fail(path_, "the file exists and is no socket");
    if (exists && has_listener(path_)) fail(path_, "another process listens there");
    auto beside = path_;
    beside += ".new";
    if (holds_socket(beside)) ::unlink(beside.c_str()); // left by a process that was killed here
    descriptor_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor_ < 0) fail(path_, std::generic_category().message(errno));
    try {
        bind(beside, mode);
    } catch (...) {
        if (holds_socket(beside)) ::unlink(beside.c_str());
        ::close(descriptor_);
        throw;
    }
}

void UnixSocketFile::bind(const std::filesystem::path& beside, mode_t mode)
{
    const auto address = address_of(beside);
    struct stat made{};
    const bool good =
        ::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
        ::chmod(beside.c_str(), mode) == 0 && ::listen(descriptor_, waiting_connections) == 0 &&
        ::lstat(beside.c_str(), &made) == 0 && ::rename(beside.c_str(), path_.c_str()) == 0;
    if (!good) fail(path_, std::generic_category().message(errno));
    device_ = made.st_dev;
    inode_ = made.st_ino;
}

UnixSocketFile::~UnixSocketFile()
{
    struct stat found{};
    const bool is_ours =
        ::lstat(path_.c_str(), &found) == 0 && found.st_dev == device_ && found.st_ino == inode_;
    if (is_ours) ::unlink(path_.c_str());
    if (descriptor_ >= 0) ::close(descriptor_);
}

int UnixSocketFile::release()
{
    return std::exchange(descriptor_, -1);
}

} // namespace vitrine::server
