#pragma once
// The transforms of tags.

#include <cstdint>
#include <vector>

#include "loaders/md3/file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::md3 {

// A tag's transform as the game uses it: unit-length axes, so no scale. Axes that are not perpendicular are
// orthogonalized, forward first, and reported by `sheared`. Mirroring axes become a scale of -1.
struct TagPlacement {
    scene::Trs trs;
    bool sheared = false; // by more than a degree
};
TagPlacement place(const Tag& tag);

// Returns the tag's transforms in these frames (the last frame is held beyond the file's end) as channels of
// the node. The scale has a channel only when some frames mirror and others do not.
std::vector<scene::Channel> tag_channels(const Md3File& file, std::uint32_t tag, std::uint32_t node,
                                         const std::vector<std::uint32_t>& frames,
                                         const std::vector<float>& times);

} // namespace vitrine::md3
