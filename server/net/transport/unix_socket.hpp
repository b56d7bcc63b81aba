#pragma once
// The file of a Unix socket that a server listens on.

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace vitrine::server {

// Longer paths do not fit into the address of a socket, together with the suffix of a file that is being
// made.
constexpr std::size_t max_socket_path_bytes = 100;

class UnixSocketFile {
public:
    // Makes a socket at `path` with these permissions (0660) that listens: it is bound beside the path,
    // gets its mode and then replaces what is there, so that nobody meets it with other permissions. Throws
    // std::runtime_error with one sentence if another process listens there or the path is something else
    // than a socket.
    UnixSocketFile(std::filesystem::path path, mode_t mode);
    ~UnixSocketFile(); // removes the file, unless another has replaced it
    UnixSocketFile(const UnixSocketFile&) = delete;
    UnixSocketFile& operator=(const UnixSocketFile&) = delete;

    // The descriptor of the listening socket, once; the caller closes it.
    int release();

private:
    void bind(const std::filesystem::path& beside, mode_t mode);

    std::filesystem::path path_;
    int descriptor_ = -1;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

} // namespace vitrine::server
