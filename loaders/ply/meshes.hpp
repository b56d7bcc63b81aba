#pragma once
// The content of a file as meshes and nodes.

#include <cstdint>
#include <string>

#include "loaders/ply/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::ply {

// Materials of a scene that primitives use.
struct Materials {
    std::uint32_t count = 0; // of textures, by their index in the file; 0: none
    std::uint32_t first = scene::none;
    bool hides_colors = false; // the textures are shown instead of the colors of vertices
};

// Adds a mesh and node for the faces and one for the edges, or one for the points if there is neither. Moves
// arrays out of the document. Errors: out_of_range (no face has valid vertices), limit_exceeded.
LoadResult<void> add_meshes(Document& document, const std::string& name, const Materials& materials,
                            const Limits& limits, io::WarningLog& warnings, scene::Scene& scene);

} // namespace vitrine::ply
