#pragma once
// Where a tag puts what is attached to it.

#include <cstdint>
#include <vector>

#include "loaders/md3/file.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::md3 {

// The tag's place as the game uses it: axes of unit length, so nothing is scaled. Axes that are not at right
// angles are straightened, forward first; `sheared` tells it. Axes that mirror keep that as a scale of -1.
struct Placement {
    scene::Trs trs;
    bool sheared = false; // by more than a degree
};
Placement place(const Tag& tag);

// The tag's places in these frames (the last one holds behind the file's end), for the node. The scale has a
// channel only where some frames mirror and others do not.
std::vector<scene::Channel> tag_channels(const File& file, std::uint32_t tag, std::uint32_t node,
                                         const std::vector<std::uint32_t>& frames,
                                         const std::vector<float>& times);

} // namespace vitrine::md3
