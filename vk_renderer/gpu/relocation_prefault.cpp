#include "vk_renderer/gpu/relocation_prefault.hpp"

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include <link.h>
#include <sys/mman.h>

namespace vitrine::render {
namespace {

constexpr std::size_t min_bytes = 64 << 10; // fewer faults than one search
constexpr auto search_interval = std::chrono::microseconds(100);

// Libraries in the order in which they were loaded.
struct LibrarySearch {
    std::size_t known = 0;  // libraries of earlier searches
    std::size_t passed = 0; // of this one
    std::vector<std::span<std::byte>> found;
};

int visit(dl_phdr_info* library, std::size_t, void* data)
{
    auto& search = *static_cast<LibrarySearch*>(data);
    if (search.passed++ < search.known) return 0;
    for (const auto& segment : std::span(library->dlpi_phdr, library->dlpi_phnum))
        if (segment.p_type == PT_GNU_RELRO && segment.p_memsz >= min_bytes)
            // NOLINTNEXTLINE(performance-no-int-to-ptr)
            search.found.emplace_back(reinterpret_cast<std::byte*>(library->dlpi_addr + segment.p_vaddr),
                                      segment.p_memsz);
    return 0;
}

void search_libraries(LibrarySearch& search)
{
    search.passed = 0;
    search.found.clear();
    ::dl_iterate_phdr(visit, &search);
    search.known = search.passed;
}

// Contents do not change. Failure is ignored: the pages are mapped when they are written. So is a library
// that was unloaded meanwhile.
void populate(std::span<std::byte> pages)
{
    constexpr std::uintptr_t page_bytes = 4096; // the only size on x86-64
    const auto skipped = reinterpret_cast<std::uintptr_t>(pages.data()) % page_bytes;
    ::madvise(pages.data() - skipped, pages.size() + skipped, MADV_POPULATE_WRITE);
}

void prefault_until(const std::stop_token& stop, LibrarySearch search)
{
    while (!stop.stop_requested()) {
        search_libraries(search);
        for (const auto pages : search.found)
            populate(pages);
        if (search.found.empty()) std::this_thread::sleep_for(search_interval);
    }
}

} // namespace

RelocationPrefault::RelocationPrefault()
{
    LibrarySearch search;
    search_libraries(search); // those that are loaded already
    thread_ = std::jthread(prefault_until, std::move(search));
}

} // namespace vitrine::render
