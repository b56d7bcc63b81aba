#pragma once
// System calls in words, for the parent's sentence about a loader process that tried one it may not make.

#include <cstdint>
#include <string>

namespace vitrine::worker {

// "open a file by name (openat)"; "make system call 999".
std::string describe_syscall(std::uint64_t number);

} // namespace vitrine::worker
