#pragma once
// Determines the alpha mode of each primitive. Pure functions.

#include <cstdint>
#include <optional>
#include <vector>

#include "loaders/scene/scene.hpp"
#include "vk_renderer/textures/alpha_coverage.hpp"

namespace vitrine::render {

// A surface with a blended material whose alpha is 1 everywhere is drawn as opaque, so that the depth test
// orders it per texel instead of sorting its parts by distance.
class AlphaModes {
public:
    // Borrows the scene.
    explicit AlphaModes(const scene::Scene& scene);

    // Alpha mode of scene.meshes[mesh].primitives[primitive] for all nodes that draw it. Cached.
    scene::AlphaMode of(std::uint32_t mesh, std::uint32_t primitive);

private:
    scene::AlphaMode find(std::uint32_t mesh, const scene::Primitive& primitive);

    const scene::Scene& scene_;
    AlphaFilters images_;
    std::vector<float> min_node_alpha_; // least alpha of the nodes that draw each mesh
    std::vector<std::vector<std::optional<scene::AlphaMode>>> modes_; // by mesh and primitive
};

} // namespace vitrine::render
