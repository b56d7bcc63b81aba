#include "loaders/io/huge_pages.hpp"

#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace vitrine::io {

void advise_huge_pages(void* begin, std::size_t bytes)
{
    constexpr std::size_t min_bytes = 4 << 20; // two huge pages
    if (bytes < min_bytes) return;
    static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t to_first = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
    // Failure is ignored: memory without huge pages works, too.
    ::madvise(static_cast<std::byte*>(begin) + to_first, (bytes - to_first) / page * page, MADV_HUGEPAGE);
}

void discard_pages(std::span<const std::byte> bytes)
{
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data());
    const auto first = (begin + page - 1) / page * page;
    const auto end = (begin + bytes.size()) / page * page;
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    if (first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
}

} // namespace vitrine::io
