#include "loaders/io/huge_pages.hpp"

#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace vitrine::io {

void advise_huge_pages(void* begin, std::size_t bytes)
{
    constexpr std::size_t least = 4 << 20; // two large pages
    if (bytes < least) return;
    static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t to_first = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
    // Where the system has none everything goes on as without.
    ::madvise(static_cast<std::byte*>(begin) + to_first, (bytes - to_first) / page * page, MADV_HUGEPAGE);
}

} // namespace vitrine::io
