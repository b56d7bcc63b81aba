#pragma once
// Groups the triangles of a scene into draws. Pure functions.

#include <cstdint>
#include <span>
#include <vector>

#include "vk_renderer/scene/alpha_modes.hpp"
#include "vk_renderer/scene/pack_scene.hpp"

namespace vitrine::render {

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
    const std::vector<std::vector<DrawRun>>& of(std::uint32_t mesh);

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

} // namespace vitrine::render
