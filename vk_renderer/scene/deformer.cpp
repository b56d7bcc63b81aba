#include "vk_renderer/scene/deformer.hpp"

#include <algorithm>

namespace vitrine::render {
namespace {

void put_frame(const scene::VertexFrames& frames, std::size_t count, const scene::FrameBlend& blend,
               std::vector<glm::vec3>& out)
{
    const auto positions_of = [&](std::uint32_t frame) {
        return frames.positions.data() + std::min(frame, frames.count - 1) * count;
    };
    const auto *from = positions_of(blend.from), *to = positions_of(blend.to),
               *over_from = positions_of(blend.over_from), *over_to = positions_of(blend.over_to);
    for (std::size_t v = 0; v < count; ++v) {
        const auto below = glm::mix(from[v], to[v], blend.fraction);
        const auto over = glm::mix(over_from[v], over_to[v], blend.over_fraction);
        out.push_back(blend.over_weight > 0.0f ? glm::mix(below, over, blend.over_weight) : below);
    }
}

} // namespace

bool deforms(const scene::Mesh& mesh)
{
    return !mesh.morph_targets.empty() || mesh.frames.count > 0;
}

void Deformer::deform(const scene::Mesh& mesh, std::span<const float> weights, const scene::FrameBlend& frame)
{
    positions_.clear();
    if (mesh.frames.count > 0)
        put_frame(mesh.frames, mesh.positions.size(), frame, positions_);
    else
        positions_.assign(mesh.positions.begin(), mesh.positions.end());
    for (std::size_t t = 0; t < std::min(weights.size(), mesh.morph_targets.size()); ++t) {
        const auto& target = mesh.morph_targets[t];
        if (weights[t] == 0.0f) continue;
        for (std::size_t i = 0; i < target.vertices.size(); ++i)
            positions_[target.vertices[i]] += weights[t] * target.position_deltas[i];
    }
}

} // namespace vitrine::render
