#include "vk_renderer/scene/deformer.hpp"

#include <algorithm>

namespace vitrine::render {
namespace {

void put_frame(const scene::VertexFrames& frames, std::size_t count, float frame, std::vector<glm::vec3>& out)
{
    const float last = static_cast<float>(frames.count - 1);
    const float at = frame >= 0.0f ? std::min(frame, last) : 0.0f; // a NaN too
    const auto before = static_cast<std::size_t>(at);
    const auto after = std::min<std::size_t>(before + 1, frames.count - 1);
    for (std::size_t v = 0; v < count; ++v)
        out.push_back(glm::mix(frames.positions[before * count + v], frames.positions[after * count + v],
                               at - static_cast<float>(before)));
}

} // namespace

bool deforms(const scene::Mesh& mesh)
{
    return !mesh.morph_targets.empty() || mesh.frames.count > 0;
}

void Deformer::deform(const scene::Mesh& mesh, std::span<const float> weights, float frame)
{
    positions_.clear();
    if (mesh.frames.count > 0)
        put_frame(mesh.frames, mesh.positions.size(), frame, positions_);
    else
        positions_ = mesh.positions;
    for (std::size_t t = 0; t < std::min(weights.size(), mesh.morph_targets.size()); ++t) {
        const auto& target = mesh.morph_targets[t];
        if (weights[t] == 0.0f) continue;
        for (std::size_t i = 0; i < target.vertices.size(); ++i)
            positions_[target.vertices[i]] += weights[t] * target.position_deltas[i];
    }
}

} // namespace vitrine::render
