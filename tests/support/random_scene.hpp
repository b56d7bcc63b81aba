#pragma once
// Valid scenes without meaning, for properties that must hold for all.

#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::test {

struct RandomSceneOptions {
    bool normalised_weights = false; // false: sums other than 1, zero sums and negative weights occur
    bool own_positions = false;      // Influences::positions, as in MD5
    scene::SkinningMethod skinning = scene::SkinningMethod::linear; // others: without own_positions
    bool extrapolated = false; // channels go on outside their keys, slopes far away
};

// A tree of nodes (one with a skewed matrix), two meshes with skins of up to ten influences a vertex,
// vertices without influences or use, morph targets, vertex frames, a clip with every path and interpolation.
scene::Scene random_scene(std::uint32_t seed, RandomSceneOptions options = {});

} // namespace vitrine::test
