#pragma once
// Which vertices lie at one place, or have one set of weights: those whose keys are equal.

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

// The vertices whose key another one has as well, equal ones together and in the order of their numbers, and
// perhaps a few that are alone. In most models these are few.
std::vector<KeyedVertex> find_equal_keys(std::span<const std::uint64_t> keys);

} // namespace vitrine::quake
