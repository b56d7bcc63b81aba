#pragma once
// The container of glTF 2.0, chapter 4.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "loaders/base/error.hpp"

namespace vitrine::exporting {

// Its sizes are of 32 bits. A writer that has passed it can stop.
constexpr std::uint64_t max_glb_bytes = std::numeric_limits<std::uint32_t>::max();
// limit_exceeded in the words for that.
std::unexpected<LoadError> glb_size_error();

// Header, the JSON's chunk and, where there are any, the bytes'. Error: limit_exceeded.
LoadResult<std::vector<std::byte>> make_glb(std::span<const std::byte> json,
                                            std::span<const std::byte> binary);

} // namespace vitrine::exporting
