#include "loaders/scene/skinning/shape.hpp"

#include <algorithm>

namespace vitrine::scene {
namespace {

void interpolate(std::span<const glm::vec3> frames, std::size_t vertices, const FrameBlend& blend,
                 std::vector<glm::vec3>& out)
{
    const auto a = frames.subspan(blend.from * vertices, vertices);
    const auto b = frames.subspan(blend.to * vertices, vertices);
    out.resize(vertices);
    for (std::size_t v = 0; v < vertices; ++v)
        out[v] = a[v] + (b[v] - a[v]) * blend.fraction;
    if (blend.over_weight <= 0.0f) return;
    const auto c = frames.subspan(blend.over_from * vertices, vertices);
    const auto d = frames.subspan(blend.over_to * vertices, vertices);
    for (std::size_t v = 0; v < vertices; ++v)
        out[v] += (c[v] + (d[v] - c[v]) * blend.over_fraction - out[v]) * blend.over_weight;
}

void add_deltas(const MorphTarget& target, std::span<const glm::vec3> deltas, float weight,
                std::vector<glm::vec3>& out)
{
    for (std::size_t i = 0; i < deltas.size(); ++i)
        out[target.vertices[i]] += weight * deltas[i];
}

void add_deltas(const MorphTarget& target, float weight, std::vector<glm::vec4>& tangents)
{
    if (tangents.empty()) return;
    for (std::size_t i = 0; i < target.tangent_deltas.size(); ++i)
        tangents[target.vertices[i]] += glm::vec4(weight * target.tangent_deltas[i], 0.0f);
}

// Calls add(target, weight) for each morph target with a weight.
template <class Add>
void each_morph_target(const Mesh& mesh, const Instance& instance, const Pose& pose, const Add& add)
{
    for (std::size_t t = 0; t < mesh.morph_targets.size(); ++t) {
        const float weight = pose.morph_weights[pose.first_weight[instance.node] + t];
        if (weight != 0.0f) add(mesh.morph_targets[t], weight);
    }
}

} // namespace

bool is_shaped(const Mesh& mesh, const Instance& instance, const Pose& pose)
{
    const auto weights =
        std::span(pose.morph_weights).subspan(pose.first_weight[instance.node], mesh.morph_targets.size());
    return mesh.frames.count > 0 || std::ranges::any_of(weights, [](float weight) { return weight != 0.0f; });
}

void shape_positions(const Mesh& mesh, const Instance& instance, const Pose& pose,
                     std::vector<glm::vec3>& out)
{
    if (mesh.frames.count > 0)
        interpolate(mesh.frames.positions, mesh.positions.size(), pose.vertex_frame[instance.node], out);
    else
        out.assign(mesh.positions.begin(), mesh.positions.end());
    each_morph_target(mesh, instance, pose, [&](const MorphTarget& target, float weight) {
        add_deltas(target, target.position_deltas, weight, out);
    });
}

void shape_vertices(const Mesh& mesh, const Instance& instance, const Pose& pose, SkinnedMesh& out)
{
    shape_positions(mesh, instance, pose, out.positions);
    if (mesh.frames.count > 0)
        interpolate(mesh.frames.normals, mesh.positions.size(), pose.vertex_frame[instance.node],
                    out.normals);
    else
        out.normals.assign(mesh.normals.begin(), mesh.normals.end());
    out.tangents.assign(mesh.tangents.begin(), mesh.tangents.end());
    each_morph_target(mesh, instance, pose, [&](const MorphTarget& target, float weight) {
        add_deltas(target, target.normal_deltas, weight, out.normals);
        add_deltas(target, weight, out.tangents);
    });
}

} // namespace vitrine::scene
