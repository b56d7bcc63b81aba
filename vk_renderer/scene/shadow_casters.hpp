#pragma once
// Collects shadow casters in few long runs. The height map is coarse: where a mesh is fine, its vertices
// alone cover the texels of its triangles at a fraction of the work. Pure functions.

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "vk_renderer/scene/pack_scene.hpp"
#include "vk_renderer/textures/opacity_mask.hpp"

namespace vitrine::render {

// A run of elements of `corners` indices each; corners == 0: `count` vertices from `first_vertex`.
// `front_face_entry`: the palette entry that determines which sides of its triangles are fronts; triangles
// that face away from the eye are culled and do not cast. None: all cast.
struct Caster {
    std::uint32_t first_index = 0;  // into Casters::indices
    std::uint32_t count = 0;        // triangles, lines, points or vertices
    std::uint32_t corners = 0;      // per element: 3, 2, 1; 0 for vertices
    std::uint32_t first_vertex = 0; // of a frame
    std::uint32_t front_face_entry = scene::none;
};

// A run of Casters::translucent.
struct TranslucentRun {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t front_face_entry = scene::none; // see Caster::front_face_entry
};

struct Casters {
    std::vector<std::uint32_t> indices; // vertices of a frame
    std::vector<Caster> runs;
    // Triangles of masked and blended materials that block only part of the light, and their masks
    // (OpacityMask).
    std::vector<shared::TranslucentCaster> translucent;
    std::vector<std::uint8_t> opacity_masks;
    std::vector<TranslucentRun> translucent_runs;
};

// `scene` as packed into `packed`. Draws with DrawItem::casts_shadow false, and triangles that block no
// light, are left out.
Casters find_casters(const scene::Scene& scene, const PackedScene& packed);

// Determines which triangles of masked and blended materials block all light, none, or a part of it, and
// where.
class TranslucentCasters {
public:
    // Borrows the scene.
    explicit TranslucentCasters(const scene::Scene& scene);

    // A mesh as drawn by a node: `alpha` is that of the node's color.
    struct CasterSurface {
        const scene::Mesh& mesh;
        std::uint32_t material;
        float alpha;
    };
    // Returns whether a triangle (vertices of the mesh) blocks none, some or all of the light.
    OpacityMask::Coverage coverage_over(const CasterSurface& surface,
                                        std::span<const std::uint32_t> triangle);
    // Adds a triangle that blocks part of the light. `fine`: it casts like a point. `offset`: of the mesh's
    // vertices in a frame.
    void add(const CasterSurface& surface, std::span<const std::uint32_t> triangle, std::uint32_t offset,
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
    std::span<const glm::vec2> uvs_of(const scene::Mesh& mesh, const scene::Material& material) const;

    const scene::Scene& scene_;
    std::vector<float> opacity_; // by material: fraction of light blocked where alpha is 1
    // By image (or none) and minimum visible alpha (0: alpha is the blocked fraction).
    std::map<std::pair<std::uint32_t, std::uint8_t>, CachedMask> masks_by_image_;
    std::vector<shared::TranslucentCaster> list_;
    std::vector<std::uint8_t> masks_;
};

} // namespace vitrine::render
