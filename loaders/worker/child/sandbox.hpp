#pragma once
// What the loader process gives up before it looks at the first outside byte. Called in the child only, in
// this order. Both throw std::system_error when the kernel refuses.

#include "loaders/worker/protocol/protocol.hpp"

namespace vitrine::worker {

// First thing of all: dies with the thread that started it, gains no privilege by exec, leaves no core,
// cannot be traced by others.
void disable_core_dumps();

// The job's limits, once and for all: address space (not under sanitizers), processor time, descriptors,
// bytes written (pages of a memfd count), no core. Then the system call filter, which leaves `result` as the
// one descriptor to write; an error where the kernel has none and the job demands it.
LoadResult<void> confine(const Job& job, int result);

} // namespace vitrine::worker
