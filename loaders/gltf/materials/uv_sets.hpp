#pragma once
// Which sets of texture coordinates those of the Scene hold.

#include <cstdint>
#include <vector>

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// By number of a Scene's set, n of the TEXCOORD_n that it holds: two at least, max_uv_sets at most.
using UvSets = std::vector<std::uint32_t>;

// By material, and at the end for primitives without one. Where its textures name a set beyond 1, the sets
// that they name become those of the Scene, in the order base color, normal, the others, and
// Texture::uv_set selects among them; in files with material variants, those that any material names. A
// texture beyond max_uv_sets takes the first, with a warning.
std::vector<UvSets> choose_uv_sets(Document& document, scene::Scene& scene);

} // namespace vitrine::gltf
