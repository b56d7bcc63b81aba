#pragma once
// GL commands: strips and fans for OpenGL 1.x renderers, each corner with its own texture coordinate.
// Redundant with the triangles; used for files without triangles.

#include "loaders/md2/file.hpp"

namespace vitrine::md2 {

// Fills triangles, texture coordinates and the skin size in texels. `block`: `count` 32-bit words at byte
// `at` of the file. Errors: truncated, out_of_range (a vertex), limit_exceeded (indices).
LoadResult<void> read_commands(Bytes block, std::uint64_t at, const Limits& limits, File& file);

} // namespace vitrine::md2
