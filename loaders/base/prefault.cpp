#include "loaders/base/prefault.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

#include <sys/mman.h>
#include <unistd.h>

namespace vitrine {

void prefault_heap(std::size_t bytes)
{
    constexpr std::size_t block_bytes = 64;
    const auto block = std::make_unique_for_overwrite<std::byte[]>(block_bytes);
    const auto begin = reinterpret_cast<std::uintptr_t>(block.get());
    const auto end = reinterpret_cast<std::uintptr_t>(::sbrk(0));
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto first = begin / page * page;
    if (begin >= end) return; // another allocator
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    ::madvise(reinterpret_cast<void*>(first), std::min<std::uintptr_t>(bytes, end - first),
              MADV_POPULATE_WRITE);
}

} // namespace vitrine
