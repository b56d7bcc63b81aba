#include "vk_renderer/gpu/free_list.hpp"

#include <cassert>
#include <iterator>

namespace vitrine::render {

std::optional<std::uint64_t> FreeList::take(std::uint64_t size, std::uint64_t alignment)
{
    assert(size > 0 && (alignment & (alignment - 1)) == 0);
    for (auto part = free_.begin(); part != free_.end(); ++part) {
        const auto [offset, room] = *part;
        const auto padding = (alignment - offset % alignment) % alignment;
        if (padding > room || room - padding < size) continue;
        const auto after = room - padding - size;
        if (after > 0) free_.emplace(offset + padding + size, after);
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
        const auto before = std::prev(next);
        assert(before->first + before->second <= offset);
        if (before->first + before->second == offset) {
            before->second += size;
            return;
        }
    }
    free_.emplace_hint(next, offset, size);
}

} // namespace vitrine::render
