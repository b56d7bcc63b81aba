#include "loaders/io/large_memory.hpp"

#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace vitrine::io {

void prefer_large_pages(void* begin, std::size_t bytes)
{
    constexpr std::size_t least = 4 << 20; // two large pages
    if (bytes < least) return;
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
    const auto end = (reinterpret_cast<std::uintptr_t>(begin) + bytes) / page * page;
    // Where the system has none everything goes on as without.
    ::madvise(reinterpret_cast<void*>(first), end - first,
              MADV_HUGEPAGE); // NOLINT(performance-no-int-to-ptr)
}

} // namespace vitrine::io
