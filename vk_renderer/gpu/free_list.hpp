#pragma once
// Which parts of a block are free: first fit by place, and what is freed joins its free neighbours.
// Pure.

#include <cstdint>
#include <map>
#include <optional>

namespace vitrine::render {

class FreeList {
public:
    explicit FreeList(std::uint64_t size) : size_(size), free_{{0, size}} {}

    // The offset of `size` bytes at a multiple of `alignment`; empty: no part has room. Preconditions: size
    // is not 0, alignment is a power of two.
    std::optional<std::uint64_t> take(std::uint64_t size, std::uint64_t alignment);
    // Precondition: what take() gave for this size, and once.
    void deallocate(std::uint64_t offset, std::uint64_t size);

    std::uint64_t size() const { return size_; }
    bool unused() const { return free_.size() == 1 && free_.begin()->second == size_; }

private:
    std::uint64_t size_;
    std::map<std::uint64_t, std::uint64_t> free_; // sizes by offset; no two touch
};

} // namespace vitrine::render
