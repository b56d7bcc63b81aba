#pragma once
// Memory for lists of millions of elements in huge pages. Normally the kernel clears each 4 kB page on first
// write, in a separate page fault; for large files this takes as long as reading the file. Huge pages, which
// Linux provides on request ("madvise", the usual setting), are cleared in units of 2 MB.

#include <cstddef>
#include <span>
#include <utility>

namespace vitrine::io {

// Requests huge pages for the complete pages of this memory that are not written yet. Memory blocks below 4
// MB are not changed.
void advise_huge_pages(void* begin, std::size_t bytes);

// Returns the whole pages of this memory to the system: its contents are lost.
void discard_pages(std::span<const std::byte> bytes);

// list.reserve(capacity) with huge pages. The list is a std::vector or a scene::Array.
template <class List>
void reserve_large(List& list, std::size_t capacity)
{
    if (capacity <= list.capacity()) return;
    if (list.empty()) {
        list.reserve(capacity);
        return advise_huge_pages(list.data(), list.capacity() * sizeof(typename List::value_type));
    }
    List larger; // huge pages are requested before the values are moved
    larger.reserve(capacity);
    advise_huge_pages(larger.data(), larger.capacity() * sizeof(typename List::value_type));
    larger.assign(list.begin(), list.end());
    list = std::move(larger);
}

// A list of zeros.
template <class List>
void resize_large(List& list, std::size_t size)
{
    reserve_large(list, size);
    list.resize(size);
}

} // namespace vitrine::io
