#pragma once
// Which textures repeat over what they lie on: floors, walls, cloth. Seen flatly, those blur or flicker
// first.

#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::render {

// By material: how often its primitives' texture coordinates span the unit square along the longer side, at
// most over their UV sets; 0 where none has any. Coordinates outside of what indices name do not count.
std::vector<float> tilings(const scene::Scene& scene);

// Whether a texture of a material with that tiling repeats, by its own scale.
bool is_tiled(const scene::Texture& texture, float tiling);

} // namespace vitrine::render
