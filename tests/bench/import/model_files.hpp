#pragma once
// The files that bench_import uploads.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/integration/http_support.hpp"

namespace vitrine::test {

// Returns `count` models of one file each, 4 kB to 2 MB: evenly spaced over the sorted files of the corpus;
// if it is missing or too small, the sample library's vase in different sizes. Textures in other files are
// left out.
std::vector<UploadFile> small_models(std::size_t count);

// Returns the character of the corpus with a skeleton and 76 clips, or the sample library's robot.
UploadFile character_glb();
// Returns the file with another content but equal meaning: the number replaces the start of the generator.
UploadFile renumbered(const UploadFile& glb, std::uint32_t number);

// Returns a GLB of a bumpy sheet with `triangles` triangles: positions and indices (18 bytes a triangle), and
// normals if wanted (6 bytes more).
UploadFile scan_glb(std::uint32_t triangles, bool normals);

} // namespace vitrine::test
