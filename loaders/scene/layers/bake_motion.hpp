#pragma once
// Writes a motion made of layers and adjusted joints as a clip of plain keys, for what cannot evaluate
// layers: exported files, bounds over time.

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

inline constexpr std::size_t max_baked_values = std::size_t{1} << 22; // frames times nodes and morph weights

// Replaces the scene's clips by one, "layers", that has the motion as keys at the frame rate of the first
// layer that plays, or slower, where four neighboring floats at its end are farther apart; between frames it
// differs as far as interpolation does. Values that never change become those of the static pose, and without
// any that changes there is no clip. A node with a matrix that an adjustment changes gets the nearest
// translation, rotation and scale. Vertex frames that layers mix become the frame of the larger part.
// Precondition: layers_fit(). The error is a sentence: too many values; then the scene is unchanged.
std::expected<void, std::string> bake_motion(Scene& scene, const AnimationLayers& layers);

// A pose that is left for another one, as override layers over that: with the weight 1 both together give
// the pose that was held, whatever is below.
struct HeldPose {
    // One key per property of each node, to be evaluated at 0 seconds; without those that `playing` sets.
    std::shared_ptr<const Clip> rest;
    std::optional<PoseLayer>
        playing{}; // the clip, if the motion is one clip over the static pose: it goes on
};
inline constexpr std::size_t max_held_nodes = 8192; // of a scene

// Holds the pose of the layers at `time`, without their adjustments and reaches. Of two vertex-frame blends
// that are mixed, each becomes its nearer frame. Nothing if the layers do not fit the scene, or if it has
// more nodes than max_held_nodes.
std::optional<HeldPose> hold_pose(const Scene& scene, const AnimationLayers& layers, double time);

} // namespace vitrine::scene
