#pragma once
// Which triangles of a scene are drawn together. Pure.

#include <cstdint>
#include <span>
#include <vector>

#include "vk_renderer/scene/alpha_modes.hpp"
#include "vk_renderer/scene/pack_scene.hpp"

namespace vitrine::render {

// What is drawn by itself: in PackedScene::indices, all of a primitive or a part of it.
struct DrawRun {
    Range indices;
    bool back_to_back = false; // see back_to_back.hpp
};

// Puts the indices of meshes into `out` as they are asked for, in an order in which runs are drawn; what
// moves or shows them is told by vertices, not by that order. All three must outlive it.
class DrawRuns {
public:
    DrawRuns(const scene::Scene& scene, AlphaModes& alphas, PackedScene& out);

    // By primitive; those without indices have none.
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
