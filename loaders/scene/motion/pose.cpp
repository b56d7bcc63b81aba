#include "loaders/scene/motion/pose.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "loaders/scene/motion/matrix.hpp"
#include "loaders/scene/motion/sampling.hpp"

namespace vitrine::scene {
namespace {

// Returns 0 for a node without a mesh.
std::uint32_t frame_count(const Scene& scene, std::uint32_t node)
{
    const std::uint32_t mesh = scene.nodes[node].mesh;
    return mesh < scene.meshes.size() ? scene.meshes[mesh].frames.count : 0;
}

void apply(const Scene& scene, const Channel& channel, double time, ExtrapolationPolicy policy, Pose& pose)
{
    switch (channel.path) {
    case Path::translation:
    case Path::rotation:
    case Path::scale: sample_transform(channel, time, policy, pose.local[channel.node]); break;
    case Path::weights: {
        const std::uint32_t first = pose.first_weight[channel.node];
        const std::uint32_t count = pose.first_weight[channel.node + 1] - first;
        sample_channel(channel, time, std::span(pose.morph_weights).subspan(first, count), policy);
        break;
    }
    case Path::vertex_frame:
        pose.vertex_frame[channel.node] =
            sample_frames(channel, time, frame_count(scene, channel.node), policy);
        break;
    }
}

PaletteEntry to_palette(const glm::mat4& m)
{
    const glm::mat4 rows = glm::transpose(m);
    return {{rows[0], rows[1], rows[2]}};
}

} // namespace

void reset_to_static(const Scene& scene, Pose& pose)
{
    pose.local.resize(scene.nodes.size());
    pose.first_weight.resize(scene.nodes.size() + 1);
    pose.morph_weights.clear();
    pose.vertex_frame.assign(scene.nodes.size(), {});
    pose.matrices.clear();
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const auto weights = default_weights(scene, scene.nodes[i]);
        pose.local[i] = scene.nodes[i].local;
        pose.first_weight[i] = static_cast<std::uint32_t>(pose.morph_weights.size());
        pose.morph_weights.insert(pose.morph_weights.end(), weights.begin(), weights.end());
    }
    pose.first_weight.back() = static_cast<std::uint32_t>(pose.morph_weights.size());
}

// Parents precede their children, so one forward loop is sufficient.
void local_to_model(const Scene& scene, Pose& pose)
{
    std::span<const NodeMatrix> matrices = pose.matrices;
    pose.model.resize(scene.nodes.size());
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        glm::mat4 local = node.matrix ? *node.matrix : to_matrix(pose.local[i]);
        if (!matrices.empty() && matrices.front().node == i) {
            local = matrices.front().matrix;
            matrices = matrices.subspan(1);
        }
        if (node.parent == none) local[3] = glm::vec4(glm::dvec3(local[3]) - pose.origin, local[3].w);
        pose.model[i] =
            multiply_affine(node.parent == none ? glm::mat4(1.0f) : pose.model[node.parent], local);
    }
}

void static_pose(const Scene& scene, Pose& pose)
{
    reset_to_static(scene, pose);
    local_to_model(scene, pose);
}

void sample_pose(const Scene& scene, std::uint32_t clip, double time, Pose& pose)
{
    if (clip == none) return static_pose(scene, pose);
    assert(clip < scene.clips.size());
    const double end = scene.clips[clip].duration;
    sample_curves(scene, clip, time > 0.0 ? std::min(time, end) : 0.0, ExtrapolationPolicy::extrapolated,
                  pose);
}

void sample_curves(const Scene& scene, std::uint32_t clip, double time, ExtrapolationPolicy policy,
                   Pose& pose)
{
    if (clip == none) return static_pose(scene, pose);
    assert(clip < scene.clips.size());
    reset_to_static(scene, pose);
    for (const Channel& channel : scene.clips[clip].channels)
        apply(scene, channel, time, policy, pose);
    local_to_model(scene, pose);
}

std::vector<Instance> find_instances(const Scene& scene)
{
    std::vector<Instance> instances;
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        const Node& node = scene.nodes[i];
        if (!node.visible || node.mesh == none) continue;
        const std::size_t joints = node.skin == none ? 0 : scene.skins[node.skin].joints.size();
        const auto count = static_cast<std::uint32_t>(joints + 1);
        instances.push_back({i, node.mesh, node.skin, next, count});
        next += count;
    }
    return instances;
}

bool draws_anything(const Scene& scene)
{
    const auto is_drawn = [&](const Node& node) {
        return node.visible && node.mesh != none &&
               std::ranges::any_of(scene.meshes[node.mesh].primitives,
                                   [](const Primitive& primitive) { return primitive.count > 0; });
    };
    return std::ranges::any_of(scene.nodes, is_drawn);
}

std::uint32_t palette_size(std::span<const Instance> instances)
{
    return instances.empty() ? 0 : instances.back().first_palette + instances.back().palette_count;
}

void joint_palette(const Scene& scene, std::span<const Instance> instances, const Pose& pose,
                   std::span<PaletteEntry> palette)
{
    assert(palette.size() >= palette_size(instances));
    for (const Instance& instance : instances) {
        std::size_t at = instance.first_palette;
        if (instance.skin != none) {
            const Skin& skin = scene.skins[instance.skin];
            for (std::size_t j = 0; j < skin.joints.size(); ++j)
                palette[at++] = to_palette(multiply_affine(pose.model[skin.joints[j]], skin.inverse_bind[j]));
        }
        palette[at] = to_palette(pose.model[instance.node]);
    }
}

std::uint32_t first_influence_entry(const Instance& instance, const Mesh& mesh, std::uint32_t vertex)
{
    const auto node = instance.first_palette + instance.palette_count - 1;
    if (mesh.influences.first.empty() || instance.skin == none) return node;
    const auto first = mesh.influences.first[vertex];
    if (first == mesh.influences.first[vertex + 1]) return node;
    return instance.first_palette + mesh.influences.joints[first];
}

bool mirrors(const PaletteEntry& entry)
{
    const auto& row = entry.row;
    return glm::dot(glm::vec3(row[0]), glm::cross(glm::vec3(row[1]), glm::vec3(row[2]))) < 0.0f;
}

} // namespace vitrine::scene
