#pragma once
// What casts a shadow, as few long runs. The map of heights is coarse: where a mesh is fine, its vertices
// alone cover what its triangles would, at a fraction of the work. Pure: no device.

#include <cstdint>
#include <span>
#include <vector>

#include "vk_renderer/scene/pack_scene.hpp"

namespace vitrine::render {

// A run of elements of `corners` indices each; corners 0: `count` vertices themselves, from `first_vertex`
// on.
// `front_face_entry`: the palette entry that says which sides of its triangles are fronts; those that turn
// their backs to the eye are not in the picture and do not cast. None: all cast.
struct Caster {
    std::uint32_t first_index = 0;  // into Casters::indices
    std::uint32_t count = 0;        // triangles, lines, points or vertices
    std::uint32_t corners = 0;      // of each: 3, 2, 1; 0 for vertices
    std::uint32_t first_vertex = 0; // of a frame
    std::uint32_t front_face_entry = scene::none;
};

// A run of Casters::thin.
struct TranslucentRun {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t front_face_entry = scene::none; // as Caster::front_face_entry
};

struct Casters {
    std::vector<std::uint32_t> indices; // vertices of a frame
    std::vector<Caster> runs;
    // Triangles of masked and blended materials that stop a part of the light alone, and the masks that they
    // name (OpacityMask).
    std::vector<shared::TranslucentCaster> thin;
    std::vector<std::uint8_t> opacity_masks;
    std::vector<TranslucentRun> translucent_runs;
};

// `scene` as it was packed. Draws with DrawItem::casts false are left out, and what lets all light through.
Casters find_casters(const scene::Scene& scene, const PackedScene& packed);

} // namespace vitrine::render
