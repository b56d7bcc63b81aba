#pragma once
// The GLB container of glTF 2.0, chapter 4.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "loaders/base/error.hpp"

namespace vitrine::exporting {

// Limit of its 32-bit sizes. A writer that exceeds it can stop.
constexpr std::uint64_t max_glb_bytes = std::numeric_limits<std::uint32_t>::max();
// Returns the limit_exceeded error for that size.
std::unexpected<LoadError> glb_size_error();

// Writes the header, the JSON chunk and, unless empty, the binary chunk. Error: limit_exceeded.
LoadResult<std::vector<std::byte>> make_glb(std::span<const std::byte> json,
                                            std::span<const std::byte> binary);

} // namespace vitrine::exporting
