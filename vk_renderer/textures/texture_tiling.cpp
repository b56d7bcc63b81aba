#include "vk_renderer/textures/texture_tiling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "loaders/scene/uv_sets.hpp"

namespace vitrine::render {
namespace {

constexpr float min_tiles = 1.5f; // mirrored halves and atlas seams slightly exceed 1

float span_of(const scene::Mesh& mesh, const scene::Primitive& primitive, std::span<const glm::vec2> uvs)
{
    if (uvs.empty()) return 0.0f;
    glm::vec2 low(std::numeric_limits<float>::max()), high(-std::numeric_limits<float>::max());
    for (std::uint32_t i = primitive.first; i < primitive.first + primitive.count; ++i) {
        const glm::vec2 uv = uvs[mesh.indices[i]];
        low = glm::min(low, uv);
        high = glm::max(high, uv);
    }
    return primitive.count == 0 ? 0.0f : std::max(high.x - low.x, high.y - low.y);
}

} // namespace

std::vector<float> tilings(const scene::Scene& scene)
{
    std::vector<float> all(scene.materials.size(), 0.0f);
    for (const auto& mesh : scene.meshes)
        for (const auto& primitive : mesh.primitives)
            if (primitive.material < all.size())
                for (std::uint32_t set = 0; set < scene::uv_set_count(mesh); ++set)
                    all[primitive.material] =
                        std::max(all[primitive.material], span_of(mesh, primitive, scene::uvs_of(mesh, set)));
    return all;
}

bool is_tiled(const scene::Texture& texture, float tiling)
{
    return tiling * std::max(std::abs(texture.scale.x), std::abs(texture.scale.y)) >= min_tiles;
}

} // namespace vitrine::render
