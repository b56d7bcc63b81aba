#include "vk_renderer/scene/deformer.hpp"

#include <algorithm>

namespace vitrine::render {
namespace {

void put_frame(const scene::VertexFrames& frames, std::size_t count, const scene::FrameBlend& blend,
               std::vector<glm::vec3>& out)
{
    const std::size_t from = std::min(blend.from, frames.count - 1),
                      to = std::min(blend.to, frames.count - 1);
    for (std::size_t v = 0; v < count; ++v)
        out.push_back(
            glm::mix(frames.positions[from * count + v], frames.positions[to * count + v], blend.fraction));
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
