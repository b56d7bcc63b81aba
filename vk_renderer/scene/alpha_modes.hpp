#pragma once
// The alpha mode that each primitive is drawn with. Pure.

#include <cstdint>
#include <optional>
#include <vector>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/textures/alpha_coverage.hpp"

namespace vitrine::render {

// A surface whose material is blended but whose alpha is 1 everywhere is drawn as opaque: depth orders it
// then, texel by texel, and not the distance of its parts.
class AlphaModes {
public:
    // Borrows the scene.
    explicit AlphaModes(const scene::Scene& scene);

    // Of scene.meshes[mesh].primitives[primitive], whichever node draws it. Looks at it once.
    scene::AlphaMode of(std::uint32_t mesh, std::uint32_t primitive);

private:
    scene::AlphaMode find(std::uint32_t mesh, const scene::Primitive& primitive);

    const scene::Scene& scene_;
    AlphaFilters images_;
    std::vector<float> least_; // alpha of the nodes that draw each mesh
    std::vector<std::vector<std::optional<scene::AlphaMode>>> known_; // by mesh and primitive
};

} // namespace vitrine::render
