#pragma once
// Shadow casters with masked and blended materials: determines which triangles block all light, none, or a
// part of it, and where. No device access.

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

    // A mesh as drawn by a node: `alpha` is that of the node's color.
    struct DebugView {
        const scene::Mesh& mesh;
        std::uint32_t material;
        float alpha;
    };
    // Returns the fraction of light blocked by a triangle (vertices of the mesh).
    OpacityMask::Part opacity_over(const DebugView& surface, std::span<const std::uint32_t> triangle);
    // Adds a triangle that blocks part of the light. `fine`: it casts like a point. `offset`: of the mesh's
    // vertices in a frame.
    void add(const DebugView& surface, std::span<const std::uint32_t> triangle, std::uint32_t offset,
             bool fine);

    std::size_t size() const { return list_.size(); }
    // Moves out the added triangles and their masks.
    std::vector<shared::TranslucentCaster> take_list() { return std::move(list_); }
    std::vector<std::uint8_t> take_masks() { return std::move(masks_); }

private:
    struct CachedMask {
        OpacityMask mask;
        std::uint32_t first_word = scene::none; // in `masks_`, if stored
    };
    CachedMask& mask_of(const scene::Material& material);
    const std::vector<glm::vec2>& uvs_of(const scene::Mesh& mesh, const scene::Material& material) const;

    const scene::Scene& scene_;
    std::vector<float> opacity_; // by material: fraction of light blocked where alpha is 1
    // By image (or none) and minimum visible alpha (0: alpha is the blocked fraction).
    std::map<std::pair<std::uint32_t, std::uint8_t>, CachedMask> masks_by_image_;
    std::vector<shared::TranslucentCaster> list_;
    std::vector<std::uint8_t> masks_;
};

} // namespace vitrine::render
