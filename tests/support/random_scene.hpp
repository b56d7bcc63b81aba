#pragma once
// Random valid scenes for property tests.

#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

struct RandomSceneOptions {
    bool normalized_weights = false; // false: sums other than 1, zero sums and negative weights occur
    bool own_positions = false;      // Influences::positions, as in MD5
    scene::SkinningMethod skinning = scene::SkinningMethod::linear; // other methods: without own_positions
    bool extrapolated = false; // channels extrapolate beyond their keys, with steep slopes
};

// A tree of nodes (one with a sheared matrix), two meshes with skins of up to ten influences per vertex,
// vertices without influences and unused vertices, morph targets, vertex frames, a clip with every path and
// interpolation.
scene::Scene random_scene(std::uint32_t seed, RandomSceneOptions options = {});
// Leaves meshes without vertex frames and morph targets.
void remove_shapes(scene::Scene& scene);

} // namespace vitrine::test
