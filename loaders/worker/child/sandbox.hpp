#pragma once
// Drops privileges of the loader process before it reads untrusted bytes. Called in the child only, in this
// order. The functions throw std::system_error if a system call fails.

#include "loaders/worker/protocol/protocol.hpp"

namespace vitrine::worker {

// Called first: the process is killed together with the thread that started it, cannot gain privileges by
// exec, writes no core dump, and cannot be traced by others.
void disable_core_dumps();

// Applies the job's limits permanently: address space (not under sanitizers), CPU time, descriptors, bytes
// written (pages of a memfd count), no core dump. Then installs the system call filter, after which `result`
// is the only writable descriptor. An error if the kernel has no filter and the job requires it.
LoadResult<void> confine(const LoaderJob& job, int result);

// Installs the system call filter (seccomp); called by confine() as its last step. An allow-list: memory,
// time, the process's socket, the file it writes, exit. Any other call is not executed; it is reported to the
// parent, and the process ends. Returns false if the kernel has no such filter. `result` is the writable
// descriptor. Throws std::system_error if the filter cannot be created. Afterwards the process has one thread
// and cannot start others or child processes.
bool install_syscall_filter(int result);

} // namespace vitrine::worker
