#pragma once
// Joints of skins that no model is: those seen from an associate model, and those of skins that come and go.
// Both are chains of copied nodes, made once the clips are there.

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// When the skin at a node is shown in a clip: a channel of scales 1 and 0, its node still open.
struct SkinVisibility {
    std::uint32_t node = 0;
    std::uint32_t clip = 0;
    scene::Channel channel;
};

// Errors: limit_exceeded (key_values). Where limits.nodes leaves no room the joints stay as they are, with a
// warning.
LoadResult<void> add_extra_joints(const LoadContext& context, const MeshMap& meshes,
                                  std::vector<SkinVisibility> skin_visibilities);

} // namespace vitrine::fbx
