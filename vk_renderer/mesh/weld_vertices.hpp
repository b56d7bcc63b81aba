#pragma once
// Merges the corners of triangles that have equal keys. Pure functions.

#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::render {

struct Weld {
    std::vector<std::uint32_t> points;  // by corner
    std::vector<std::uint32_t> first;   // by point, plus one: where its corners begin in `corners`
    std::vector<std::uint32_t> corners; // ascending for each point
    std::size_t size() const { return first.size() - 1; }
};

// Corners of equal keys are one point; points are numbered by their first corner. Linear time for all keys:
// the hash is seeded per process, so a file cannot be crafted for collisions.
Weld weld(std::span<const std::uint64_t> keys);

} // namespace vitrine::render
