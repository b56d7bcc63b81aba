#pragma once
// Collects shadow casters in few long runs. The height map is coarse: where a mesh is fine, its vertices
// alone cover the texels of its triangles at a fraction of the work. Pure functions.

#include <cstdint>
#include <span>
#include <vector>

#include "vk_renderer/scene/pack_scene.hpp"

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

// A run of Casters::thin.
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
    std::vector<shared::TranslucentCaster> thin;
    std::vector<std::uint8_t> opacity_masks;
    std::vector<TranslucentRun> translucent_runs;
};

// `scene` as packed into `packed`. Draws with DrawItem::casts false, and triangles that block no light, are
// left out.
Casters find_casters(const scene::Scene& scene, const PackedScene& packed);

} // namespace vitrine::render
