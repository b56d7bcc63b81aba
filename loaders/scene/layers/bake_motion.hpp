#pragma once
// Writes a motion made of layers and adjusted joints as a clip of plain keys, for what cannot evaluate
// layers: exported files, bounds over time.

#include <cstddef>
#include <expected>
#include <string>

#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

inline constexpr std::size_t max_baked_values = std::size_t{1} << 22; // frames times nodes and morph weights

// Replaces the scene's clips by one, "layers", that has the motion as keys at the frame rate of the first
// layer that plays; between frames it differs as far as interpolation does. Values that never change become
// those of the static pose, and without any that changes there is no clip. A node with a matrix that an
// adjustment changes gets the nearest translation, rotation and scale. Vertex frames that layers mix become
// the frame of the larger part. Precondition: layers_fit(). The error is a sentence: too many values; then
// the scene is unchanged.
std::expected<void, std::string> bake_motion(Scene& scene, const AnimationLayers& layers);

} // namespace vitrine::scene
