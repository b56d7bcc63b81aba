#pragma once
// Maps memory before its first use, many pages by one system call: a page fault for each takes ten times as
// long where the kernel runs under a hypervisor.

#include <cstddef>

namespace vitrine {

// Maps up to `bytes` of the heap, as far as the allocator has them. Failure is ignored: pages that are not
// mapped yet are mapped when they are used.
void prefault_heap(std::size_t bytes);

} // namespace vitrine
