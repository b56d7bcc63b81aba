#pragma once
// The morph weights of one node under one stack.

#include <memory>

#include "loaders/fbx/animation/animation.hpp"
#include "loaders/fbx/curves/track.hpp"
#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// Returns null when no channel has keys. `targets` is the mesh's number of morph targets.
LoadResult<std::unique_ptr<Track>> weight_track(const Document& document, const AnimationStacks& animation,
                                                const AnimationStack& stack,
                                                std::span<const MorphChannel> channels, std::size_t targets);

} // namespace vitrine::fbx
