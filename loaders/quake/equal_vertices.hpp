#pragma once
// Finds vertices with equal keys: at one position, or with equal weights.

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace vitrine::quake {

struct KeyedVertex {
    std::uint64_t key = 0;
    std::uint32_t vertex = 0;
    auto operator<=>(const KeyedVertex&) const = default;
};

// Returns the vertices whose key occurs more than once, equal keys together and in ascending vertex order,
// and possibly a few unique ones. In most models these are few.
std::vector<KeyedVertex> find_equal_keys(std::span<const std::uint64_t> keys);

} // namespace vitrine::quake
