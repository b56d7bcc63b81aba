#pragma once
// The part of pack() for the general skinning path: influences in blocks, morph deltas by vertex, vertex
// frames. Nodes that draw the same mesh share deltas and frames.

#include <optional>
#include <vector>

#include "vk_renderer/scene/pack_scene.hpp"

namespace vitrine::render {

class SkinNPacker {
public:
    SkinNPacker(const scene::Scene& scene, std::span<const std::uint32_t> first_weight, PackedScene& out);

    // Precondition: the instance's bind vertices have just been appended at first_vertex.
    void add(const scene::Instance& instance, std::uint32_t first_vertex);

private:
    struct MeshRuns {
        std::vector<Range> deltas; // by vertex; empty: no morph targets
        std::uint32_t first_frame = 0;
    };
    float dqs_weight(const scene::Instance& instance, const scene::Mesh& mesh, std::uint32_t vertex) const;
    const MeshRuns& runs_of(std::uint32_t mesh);
    std::vector<Range> add_deltas(const scene::Mesh& mesh);
    std::uint32_t add_frames(const scene::Mesh& mesh);
    Range add_blocks(const scene::Instance& instance, const scene::Mesh& mesh, std::uint32_t vertex);

    const scene::Scene* scene_;
    std::span<const std::uint32_t> first_weight_;
    PackedScene* out_;
    std::vector<std::optional<MeshRuns>> runs_;
};

} // namespace vitrine::render
