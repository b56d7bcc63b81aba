#pragma once
// The steps of pack(): draws, and the vertices of the general skinning path. Pure functions.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vk_renderer/scene/alpha_modes.hpp"
#include "vk_renderer/scene/pack_scene.hpp"

namespace vitrine::render {

// The general skinning path: influences in blocks, morph deltas by vertex, vertex frames. Nodes that draw the
// same mesh share deltas and frames.
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

// A draw: all or a part of a primitive's indices in PackedScene::indices.
struct DrawRun {
    Range indices;
    bool back_to_back = false; // see back_to_back.hpp
};

// Appends the indices of meshes to `out` when they are first requested, in draw order; per-vertex data does
// not depend on that order. All three arguments must outlive the object.
class DrawRuns {
public:
    DrawRuns(const scene::Scene& scene, AlphaModes& alphas, PackedScene& out);

    // By primitive; empty for primitives without indices.
    const std::vector<std::vector<DrawRun>>& find_or_build(std::uint32_t mesh);

private:
    std::vector<DrawRun> runs_of(std::uint32_t mesh, std::uint32_t primitive, std::uint32_t first,
                                 std::span<const std::uint32_t> back_to_back);
    std::uint32_t put_back_to_back_last(const scene::Primitive& primitive, std::uint32_t first,
                                        std::span<const std::uint32_t> back_to_back);
    void add(const scene::Mesh& mesh, bool blended, const DrawRun& all, std::vector<DrawRun>& runs);
    bool is_blended(std::uint32_t mesh, std::uint32_t primitive);

    const scene::Scene& scene_;
    AlphaModes& alphas_;
    PackedScene& out_;
    std::vector<std::vector<std::vector<DrawRun>>> runs_; // by mesh and primitive
    std::size_t islands_ = 0;
};

// Whether the material's normal map uses the mesh's tangents.
bool has_mapped_tangents(const scene::Scene& scene, const scene::Mesh& mesh,
                         const scene::Primitive& primitive);

// Creates the draws, one DrawItem per instance and primitive, in draw order: fills `draws` and `indices`.
// Precondition: `out` has the instances with their first vertices.
void add_draws(const scene::Scene& scene, PackedScene& out);

} // namespace vitrine::render
