#pragma once
// Owns a file descriptor.

#include <system_error>
#include <utility>

#include <cerrno>
#include <unistd.h>

namespace vitrine::worker {

class FileDescriptor {
public:
    FileDescriptor() = default;
    explicit FileDescriptor(int fd) : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept
    {
        reset(std::exchange(other.fd_, -1));
        return *this;
    }
    ~FileDescriptor() { reset(); }

    int get() const { return fd_; }
    bool valid() const { return fd_ >= 0; }
    void reset(int fd = -1)
    {
        if (fd_ >= 0) ::close(fd_);
        fd_ = fd;
    }

private:
    int fd_ = -1;
};

// For calls that fail only if system resources are exhausted (no descriptors, no memory).
inline FileDescriptor require_descriptor(int fd, const char* what)
{
    if (fd < 0) throw std::system_error(errno, std::generic_category(), what);
    return FileDescriptor(fd);
}

} // namespace vitrine::worker
