#pragma once
// Descriptions of system calls, for the error about a loader process that made a forbidden call.

#include <cstdint>
#include <string>

namespace vitrine::worker {

// "open a file by name (openat)"; "make system call 999".
std::string describe_syscall(std::uint64_t number);

} // namespace vitrine::worker
