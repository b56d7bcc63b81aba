#pragma once
// From the file to the mesh, still in the file's axes.

#include <string>

#include "loaders/io/input.hpp"
#include "loaders/md2/file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::md2 {

struct SkinSize { // texels
    std::uint32_t width = 0;
    std::uint32_t height = 0;
};

// Positions and normals of every frame; a vertex for each pair of position and texture coordinate; one
// primitive without a material. `skin` is what texture coordinates are measured by. Errors: limit_exceeded.
LoadResult<scene::Mesh> make_mesh(const File& file, SkinSize skin, const Limits& limits);

} // namespace vitrine::md2
