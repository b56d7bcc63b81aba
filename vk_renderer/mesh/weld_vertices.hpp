#pragma once
// Corners of triangles taken together. Pure.

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::render {

struct Weld {
    std::vector<std::uint32_t> points;  // by corner
    std::vector<std::uint32_t> first;   // by point, and one more: where its corners begin in `corners`
    std::vector<std::uint32_t> corners; // ascending for each point
    std::size_t size() const { return first.size() - 1; }
};

// Those of equal keys are one point; points are numbered by their first corners. Linear whatever the keys:
// where they fall is another matter in each process, so that no file can know it.
Weld weld(std::span<const std::uint64_t> keys);

} // namespace vitrine::render
