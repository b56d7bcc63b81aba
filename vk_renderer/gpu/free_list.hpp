#pragma once
// Manages the free ranges of a memory block: first fit by offset; freed ranges merge with free neighbors. No
// device access.

#include <cstdint>
#include <map>
#include <optional>

namespace vitrine::render {

class FreeList {
public:
    explicit FreeList(std::uint64_t size) : size_(size), free_{{0, size}} {}

    // Returns the offset of `size` bytes aligned to `alignment`; empty if no range is large enough.
    // Preconditions: size is not 0, alignment is a power of two.
    std::optional<std::uint64_t> take(std::uint64_t size, std::uint64_t alignment);
    // Precondition: `offset` was returned by take() for this size and has not been freed.
    void deallocate(std::uint64_t offset, std::uint64_t size);

    std::uint64_t size() const { return size_; }
    bool unused() const { return free_.size() == 1 && free_.begin()->second == size_; }

private:
    std::uint64_t size_;
    std::map<std::uint64_t, std::uint64_t> free_; // sizes by offset; no two ranges are adjacent
};

} // namespace vitrine::render
