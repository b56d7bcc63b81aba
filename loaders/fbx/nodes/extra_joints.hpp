#pragma once
// Skin joints without a model: those relative to an associate model, and those of skins with animated
// visibility. Both are chains of copied nodes, created after the clips.

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// When the skin at a node is visible in a clip: a channel of scales 1 and 0; its node is not set yet.
struct SkinVisibility {
    std::uint32_t node = 0;
    std::uint32_t clip = 0;
    scene::Channel channel;
};

// Errors: limit_exceeded (key_values). When limits.nodes leaves no room the joints remain unchanged, with a
// warning.
LoadResult<void> add_extra_joints(const LoadContext& context, const MeshMap& meshes,
                                  std::vector<SkinVisibility> skin_visibilities);

} // namespace vitrine::fbx
