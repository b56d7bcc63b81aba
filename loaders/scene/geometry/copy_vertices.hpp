#pragma once
// Vertices that are split. Private to loaders/scene (and to its tests).

#include <cstdint>
#include <span>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Appends a copy of each of `vertices` in all that a mesh knows of one: streams, influences, morph targets
// and frames; indices stay. Streams that are not as long as the positions are left as they are.
void append_copies(Mesh& mesh, std::span<const std::uint32_t> vertices);

} // namespace vitrine::scene
