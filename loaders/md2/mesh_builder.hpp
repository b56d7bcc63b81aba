#pragma once
// Converts the parsed file to a mesh, in the file's axes.

#include <string>

#include "loaders/io/input.hpp"
#include "loaders/md2/file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::md2 {

struct SkinSize { // texels
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

// Creates positions and normals of every frame, one vertex per pair of position and texture coordinate, and
// one primitive without material. Texture coordinates are divided by `skin`. Errors: limit_exceeded.
LoadResult<scene::Mesh> make_mesh(const Md2File& file, SkinSize skin, const Limits& limits);

} // namespace vitrine::md2
