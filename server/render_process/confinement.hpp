#pragma once
// Drops privileges of the render process before it loads a driver. Unlike the loader process, it needs device
// files, threads and the files of drivers, so what is taken away is named: the network, other processes, and
// the server's data.

#include <filesystem>

namespace vitrine::render_process {

// Called first, by the only thread: the process is killed together with the thread that started it, cannot
// gain privileges, writes no core dump and ignores the signals that stop the server, which closes its socket
// when it needs it no more. Throws std::system_error.
void bind_to_server();

// Permanently forbids sockets but local ones, tracing and reading other processes, and io_uring. False: the
// kernel has no system call filters.
bool forbid_network();

// Permanently forbids opening files below `folder`, except below its folder `shaders`, which is created. The
// entries that the folders above it have now remain accessible. False: the kernel cannot forbid it.
bool forbid_files(const std::filesystem::path& folder);

} // namespace vitrine::render_process
