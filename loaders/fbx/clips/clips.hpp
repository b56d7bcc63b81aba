#pragma once
// Converts the animation stacks of a file to clips of the scene.

#include "loaders/fbx/nodes/extra_joints.hpp"
#include "loaders/fbx/nodes/node_tree.hpp"

namespace vitrine::fbx {

// Adds a clip for each stack with at least one key; meshes must exist already. Channels are baked as
// track.hpp describes; keys may be outside the clip's time span. `pose_time` is
// ExtrapolationOptions::pose_time. Returns the animated visibility of skins. Errors: limit_exceeded
// (key_values), malformed curves.
LoadResult<std::vector<SkinVisibility>> add_clips(const LoadContext& context,
                                                  const AnimationStacks& animation, const NodeTree& tree,
                                                  const MeshMap& meshes, std::optional<double> pose_time);

} // namespace vitrine::fbx
