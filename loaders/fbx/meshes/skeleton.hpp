#pragma once
// Joints that no cluster names: the root above the hip, the end of each finger.

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// Limbs that hang together with a joint of a skin belong to its skeleton. They become a Skin of the scene
// that no mesh has, after all others. Errors: limit_exceeded.
LoadResult<void> add_unskinned_joints(const LoadContext& context, const NodeMap& nodes);

} // namespace vitrine::fbx
