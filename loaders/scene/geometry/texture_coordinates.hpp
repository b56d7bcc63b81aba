#pragma once
// Textures that a mesh cannot place.

#include <optional>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Where a mesh has no texture coordinates of a set that a texture of its material asks for, the whole of it
// shows the one texel at (0, 0). A warning, `where` the first such mesh; nothing where all are there.
std::optional<Warning> missing_texture_coordinates(const Scene& scene);

} // namespace vitrine::scene
