#pragma once
// Vertex duplication, for split vertices. Private to loaders/scene (and to its tests).

#include <cstdint>
#include <span>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Appends a copy of each of `vertices` to every per-vertex array of the mesh: streams, influences, morph
// targets and frames. Indices are not changed. Streams whose length differs from the positions are not
// changed.
void append_copies(Mesh& mesh, std::span<const std::uint32_t> vertices);

} // namespace vitrine::scene
