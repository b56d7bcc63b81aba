#pragma once
// Room for lists of millions. The system clears each page of 4 kB when it is first written, in a fault of its
// own, and that takes as long as reading a large file: large pages, which Linux gives to who asks for them
// ("madvise", the usual setting), are cleared 2 MB at once.

#include <cstddef>
#include <utility>
#include <vector>

namespace vitrine::io {

// Asks for large pages where the whole ones of that memory are not yet written. Pieces under 4 MB stay as
// they are.
void advise_huge_pages(void* begin, std::size_t bytes);

// list.reserve(capacity), in large pages.
template <class T>
void reserve_large(std::vector<T>& list, std::size_t capacity)
{
    if (capacity <= list.capacity()) return;
    if (list.empty()) {
        list.reserve(capacity);
        return advise_huge_pages(list.data(), list.capacity() * sizeof(T));
    }
    std::vector<T> larger; // asked for before the values are moved there
    larger.reserve(capacity);
    advise_huge_pages(larger.data(), larger.capacity() * sizeof(T));
    larger.assign(list.begin(), list.end());
    list = std::move(larger);
}

// A list of so many zeros.
template <class T>
void resize_large(std::vector<T>& list, std::size_t size)
{
    reserve_large(list, size);
    list.resize(size);
}

} // namespace vitrine::io
