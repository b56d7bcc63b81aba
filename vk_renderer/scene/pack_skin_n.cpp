#include "vk_renderer/scene/pack_steps.hpp"

#include <algorithm>
#include <utility>

#include "loaders/scene/skinning/skinning.hpp"

namespace vitrine::render {
namespace {

std::uint32_t size32(const auto& array)
{
    return static_cast<std::uint32_t>(array.size());
}

bool is_zero(glm::vec3 v)
{
    return v == glm::vec3(0.0f);
}

glm::vec3 normal_delta(const scene::MorphTarget& target, std::size_t i)
{
    return target.normal_deltas.empty() ? glm::vec3(0.0f) : target.normal_deltas[i];
}

glm::vec3 tangent_delta(const scene::MorphTarget& target, std::size_t i)
{
    return target.tangent_deltas.empty() ? glm::vec3(0.0f) : target.tangent_deltas[i];
}

} // namespace

SkinNPacker::SkinNPacker(const scene::Scene& scene, std::span<const std::uint32_t> first_weight,
                         PackedScene& out)
    : scene_(&scene), first_weight_(first_weight), out_(&out), runs_(scene.meshes.size())
{
}

void SkinNPacker::add(const scene::Instance& instance, std::uint32_t first_vertex)
{
    const auto& mesh = scene_->meshes[instance.mesh];
    const auto& runs = runs_of(instance.mesh);
    const bool positions = !mesh.influences.positions.empty();
    out_->skinN_instances.push_back(
        {.first_weight = first_weight_[instance.node],
         .frame_value = out_->weight_count + values_per_frame_blend * instance.node,
         .frame_count = mesh.frames.count,
         .first_frame = runs.first_frame,
         .frame_stride = size32(mesh.positions),
         .first_vertex = first_vertex,
         .first_block = size32(out_->blocks),
         .positions = positions ? size32(out_->influence_positions) : scene::none});
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        const auto blocks = add_blocks(instance, mesh, v);
        const auto deltas = runs.deltas.empty() ? Range{} : runs.deltas[v];
        out_->skinN_vertices.push_back({.instance = size32(out_->skinN_instances) - 1,
                                        .first_block = blocks.first,
                                        .block_count = blocks.count,
                                        .first_delta = deltas.first,
                                        .delta_count = deltas.count,
                                        .dqs_weight = dqs_weight(instance, mesh, v),
                                        .padding0 = 0,
                                        .padding1 = 0});
    }
}

float SkinNPacker::dqs_weight(const scene::Instance& instance, const scene::Mesh& mesh,
                              std::uint32_t vertex) const
{
    const auto& influences = mesh.influences;
    const bool loose = influences.first.empty() || influences.first[vertex] == influences.first[vertex + 1];
    if (loose || instance.skin == scene::none) return 0.0f;
    return static_cast<float>(
        scene::dual_quaternion_weight(influences, scene_->skins[instance.skin].method, vertex));
}

const SkinNPacker::MeshRuns& SkinNPacker::runs_of(std::uint32_t mesh)
{
    auto& runs = runs_[mesh];
    if (!runs) runs = MeshRuns{add_deltas(scene_->meshes[mesh]), add_frames(scene_->meshes[mesh])};
    return *runs;
}

// Targets list vertices, but the shader needs the targets of each vertex: a counting sort.
std::vector<Range> SkinNPacker::add_deltas(const scene::Mesh& mesh)
{
    if (mesh.morph_targets.empty()) return {};
    const auto moves = [](const scene::MorphTarget& target, std::size_t i) {
        return !is_zero(target.position_deltas[i]) || !is_zero(normal_delta(target, i)) ||
               !is_zero(tangent_delta(target, i));
    };
    std::vector<Range> runs(mesh.positions.size());
    for (const auto& target : mesh.morph_targets)
        for (std::size_t i = 0; i < target.vertices.size(); ++i)
            if (moves(target, i)) ++runs[target.vertices[i]].count;
    std::uint32_t next = size32(out_->deltas);
    for (auto& run : runs) {
        run.first = next;
        next += std::exchange(run.count, 0);
    }
    out_->deltas.resize(next);
    if (out_->has_tangents) out_->tangent_deltas.resize(next);
    for (std::uint32_t t = 0; t < mesh.morph_targets.size(); ++t) {
        const auto& target = mesh.morph_targets[t];
        for (std::size_t i = 0; i < target.vertices.size(); ++i) {
            if (!moves(target, i)) continue;
            auto& run = runs[target.vertices[i]];
            const auto at = run.first + run.count++;
            out_->deltas[at] = {target.position_deltas[i], t, normal_delta(target, i), 0};
            if (out_->has_tangents) out_->tangent_deltas[at] = glm::vec4(tangent_delta(target, i), 0.0f);
        }
    }
    return runs;
}

std::uint32_t SkinNPacker::add_frames(const scene::Mesh& mesh)
{
    const auto first = size32(out_->frame_vertices);
    const auto& frames = mesh.frames;
    const bool own_normals = frames.normals.size() == frames.positions.size();
    for (std::size_t i = 0; i < frames.positions.size(); ++i)
        out_->frame_vertices.push_back(
            {frames.positions[i],
             encode_octahedral(own_normals ? frames.normals[i] : mesh.normals[i % mesh.positions.size()])});
    return first;
}

Range SkinNPacker::add_blocks(const scene::Instance& instance, const scene::Mesh& mesh, std::uint32_t vertex)
{
    const auto& influences = mesh.influences;
    const bool positions = !influences.positions.empty();
    const std::uint32_t first = influences.first.empty() ? 0 : influences.first[vertex];
    const std::uint32_t count =
        influences.first.empty() || instance.skin == scene::none ? 0 : influences.first[vertex + 1] - first;
    // Dual quaternions are negated if necessary to match the heaviest influence, which is therefore first.
    const bool dqsN = count > 0 && scene_->skins[instance.skin].method != scene::SkinningMethod::linear;
    const auto weights = std::span(influences.weights).subspan(first, count);
    const auto heaviest =
        dqsN ? static_cast<std::uint32_t>(std::ranges::max_element(weights) - weights.begin()) : 0;
    const Range range{size32(out_->blocks), std::max((count + 3) / 4, 1u)};
    for (std::uint32_t b = 0; b < range.count; ++b) {
        shared::InfluenceBlock block{glm::uvec4(instance.first_palette), glm::vec4(0.0f)};
        for (std::uint32_t i = 0; i < 4; ++i) {
            const std::uint32_t k = b * 4 + i;
            const bool has_influence = k < count;
            const std::uint32_t at = first + (k == 0 ? heaviest : k == heaviest ? 0 : k);
            const auto lane = static_cast<int>(i);
            if (has_influence) {
                block.joints[lane] += influences.joints[at];
                block.weights[lane] = influences.weights[at];
            }
            if (positions)
                out_->influence_positions.emplace_back(
                    has_influence ? influences.positions[at] : mesh.positions[vertex], 0.0f);
        }
        if (count == 0) { // rigid: follows the node
            block.joints.x = instance.first_palette + instance.palette_count - 1;
            block.weights.x = 1.0f;
        }
        out_->blocks.push_back(block);
    }
    return range;
}

} // namespace vitrine::render
