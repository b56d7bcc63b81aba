#pragma once
// Detects textures whose mesh lacks the texture coordinates.

#include <optional>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Returns a warning if a mesh lacks a UV set that a texture of its material refers to (the whole surface then
// shows the texel at (0, 0)). `where` is the first such mesh. Empty if all sets are present.
std::optional<Warning> missing_texture_coordinates(const Scene& scene);

} // namespace vitrine::scene
