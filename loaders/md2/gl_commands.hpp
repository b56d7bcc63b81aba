#pragma once
// GL commands: strips and fans for a renderer of 1997, each corner with its own texture coordinate. They say
// what the triangles say, and are read where a file has no triangles.

#include "loaders/md2/file.hpp"

namespace vitrine::md2 {

// Fills triangles, coordinates and the skin size that they are texels of. `block`: `count` 32-bit words at
// byte `at` of the file. Errors: truncated, out_of_range (a vertex), limit_exceeded (indices).
LoadResult<void> read_commands(Bytes block, std::uint64_t at, const Limits& limits, File& file);

} // namespace vitrine::md2
