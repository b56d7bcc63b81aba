#pragma once
// Joints without a cluster, such as the root above the hip and the ends of fingers.

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// Adds limbs connected to a skin's joint to its skeleton, as a Skin of the scene without a mesh, after all
// others. Errors: limit_exceeded.
LoadResult<void> add_unskinned_joints(const LoadContext& context, const NodeMap& nodes);

} // namespace vitrine::fbx
