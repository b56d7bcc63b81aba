#pragma once
// Which sets of texture coordinates the two of the Scene hold.

#include <array>
#include <cstdint>
#include <vector>

#include "loaders/gltf/document/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// n of the TEXCOORD_n that Mesh::uv0 and Mesh::uv1 hold.
using UvSets = std::array<std::uint32_t, 2>;
inline constexpr UvSets first_uv_sets{0, 1};

// By material. Where its textures name a set beyond 1, the first two sets that they name, in the order base
// color, normal, the others, become uv0 and uv1, and Texture::uv_set selects one of the two. A texture of a
// third set takes uv0, with a warning.
std::vector<UvSets> choose_uv_sets(Document& document, scene::Scene& scene);

} // namespace vitrine::gltf
