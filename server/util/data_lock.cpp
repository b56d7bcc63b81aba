#include "server/util/data_lock.hpp"

#include <cerrno>
#include <chrono>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "server/util/error.hpp"

namespace vitrine::server {

namespace {

// A process that was just killed keeps its lock until the kernel has removed the process.
constexpr auto lock_timeout = std::chrono::seconds(1);

bool lock(int file)
{
    const auto end = std::chrono::steady_clock::now() + lock_timeout;
    while (flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK || std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
}

} // namespace

DataLock::DataLock(const std::filesystem::path& root)
{
    std::error_code error;
    std::filesystem::create_directories(root, error);
    if (error) throw_storage_error(error.value(), "create", root.native());
    const auto path = root / "lock";
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file_ < 0) throw_storage_error(errno, "open", path.native());
    if (lock(file_)) return;
    const int number = errno;
    close(file_);
    if (number != EWOULDBLOCK) throw_storage_error(number, "lock", path.native());
    throw StorageError(StorageError::Kind::failed, "another process uses " + root.native() +
                                                       "; each server needs its own data directory");
}

DataLock::~DataLock()
{
    close(file_);
}

} // namespace vitrine::server
