#pragma once
// The stacks of a file as clips of the scene.

#include "loaders/fbx/nodes/extra_joints.hpp"
#include "loaders/fbx/nodes/node_tree.hpp"

namespace vitrine::fbx {

// A clip for each stack that has at least one key, after the meshes are there. Channels are baked as
// track.hpp says; keys may lie outside the clip. Errors: limit_exceeded (key_values), malformed curves.
// `moment`: ExtrapolationOptions::pose_time. What comes back: skins that come and go.
LoadResult<std::vector<SkinVisibility>> add_clips(const LoadContext& context, const Animation& animation,
                                                  const NodeTree& tree, const MeshMap& meshes,
                                                  std::optional<double> pose_time);

} // namespace vitrine::fbx
