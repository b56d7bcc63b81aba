#pragma once
// The system call filter (seccomp) of the loader process, installed last, before it reads untrusted bytes. An
// allow-list: memory, time, the process's socket, the file it writes, exit. Any other call is not executed;
// it is reported to the parent, and the process ends. Used only in the child.

namespace vitrine::worker {

// Returns false if the kernel has no such filter. `result` is the writable descriptor. Throws
// std::system_error if the filter cannot be created. Afterwards the process has one thread and cannot start
// others or child processes.
bool install_syscall_filter(int result);

} // namespace vitrine::worker
