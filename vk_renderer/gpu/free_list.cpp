#include "vk_renderer/gpu/free_list.hpp"

#include <cassert>
#include <iterator>

namespace vitrine::render {

std::optional<std::uint64_t> FreeList::take(std::uint64_t size, std::uint64_t alignment)
{
    assert(size > 0 && (alignment & (alignment - 1)) == 0);
    for (auto part = free_.begin(); part != free_.end(); ++part) {
        const auto [offset, range_size] = *part;
        const auto padding = (alignment - offset % alignment) % alignment;
        if (padding > range_size || range_size - padding < size) continue;
        const auto remaining = range_size - padding - size;
        if (remaining > 0) free_.emplace(offset + padding + size, remaining);
        if (padding > 0)
            part->second = padding;
        else
            free_.erase(part);
        return offset + padding;
    }
    return std::nullopt;
}

void FreeList::deallocate(std::uint64_t offset, std::uint64_t size)
{
    auto next = free_.lower_bound(offset);
    assert(next == free_.end() || next->first >= offset + size);
    if (next != free_.end() && next->first == offset + size) {
        size += next->second;
        next = free_.erase(next);
    }
    if (next != free_.begin()) {
        const auto previous = std::prev(next);
        assert(previous->first + previous->second <= offset);
        if (previous->first + previous->second == offset) {
            previous->second += size;
            return;
        }
    }
    free_.emplace_hint(next, offset, size);
}

} // namespace vitrine::render
