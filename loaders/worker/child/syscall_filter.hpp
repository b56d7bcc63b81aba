#pragma once
// The loader process's system call filter (seccomp), the last thing it gives up before it looks at an outside
// byte. An allow-list: memory, time, its one socket, the one file it writes, its own end. Whatever else is
// called does not happen; the parent is told which call it was, and the process ends. Child only.

namespace vitrine::worker {

// False where the kernel has no such filter. `result` is the descriptor that may be written. Throws
// std::system_error when the filter cannot be made. From here on the process has one thread and no child.
bool install_syscall_filter(int result);

} // namespace vitrine::worker
