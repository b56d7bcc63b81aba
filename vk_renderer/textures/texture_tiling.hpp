#pragma once
// Detects repeating textures (floors, walls, cloth), which blur or flicker first at grazing angles.

#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// Returns by material how often its primitives' texture coordinates span the unit square along the longer
// side, as the maximum over their UV sets; 0 without coordinates. Coordinates of vertices that no index uses
// do not count.
std::vector<float> tilings(const scene::Scene& scene);

// Whether a texture of a material with that tiling repeats, given the texture's own scale.
bool is_tiled(const scene::Texture& texture, float tiling);

} // namespace vitrine::render
