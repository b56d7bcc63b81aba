#pragma once
// Indices into the lists of a Scene: 32 bit.

#include <cstdint>
#include <limits>

namespace vitrine::scene {

// An absent index.
inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

} // namespace vitrine::scene
