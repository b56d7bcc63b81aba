#pragma once
// Triangles of masked and blended materials as casters of a shadow: which stop all light, which none, and
// of the others how much where. Pure.

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "vk_renderer/textures/opacity_mask.hpp"

namespace vitrine::render {

class TranslucentCasters {
public:
    // Borrows the scene.
    explicit TranslucentCasters(const scene::Scene& scene);

    // A mesh as a node shows it: `alpha` is that of the node's color.
    struct DebugView {
        const scene::Mesh& mesh;
        std::uint32_t material;
        float alpha;
    };
    // Of the light on a triangle (vertices of the mesh).
    OpacityMask::Part opacity_over(const DebugView& surface, std::span<const std::uint32_t> triangle);
    // One that stops some. `fine`: it casts like a point. `offset`: of the mesh's vertices in a frame.
    void add(const DebugView& surface, std::span<const std::uint32_t> triangle, std::uint32_t offset,
             bool fine);

    std::size_t size() const { return list_.size(); }
    // What was added, and the masks that it names.
    std::vector<shared::TranslucentCaster> take_list() { return std::move(list_); }
    std::vector<std::uint8_t> take_masks() { return std::move(masks_); }

private:
    struct Known {
        OpacityMask mask;
        std::uint32_t first_word = scene::none; // in `masks_`, where it is
    };
    Known& mask_of(const scene::Material& material);
    const std::vector<glm::vec2>& uvs_of(const scene::Mesh& mesh, const scene::Material& material) const;

    const scene::Scene& scene_;
    std::vector<float> most_; // by material: of the light that it stops where its alpha is 1
    // By image (none: without) and least alpha shown (0: alpha is what it stops).
    std::map<std::pair<std::uint32_t, std::uint8_t>, Known> known_;
    std::vector<shared::TranslucentCaster> list_;
    std::vector<std::uint8_t> masks_;
};

} // namespace vitrine::render
