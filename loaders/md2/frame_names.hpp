#pragma once
// Derives clips from the names of frames: run1, run2, ... run6 is the clip "run".

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::md2 {

struct NamedFrameRange {
    std::string name; // as stored, not yet UTF-8
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

// Groups adjacent frames with equal names and ascending numbers. Names of clips may end in digits: pain101
// ... pain104, pain201 ... are the clips "pain1" and "pain2", because the number restarts where its leading
// digit changes; pain9, pain10 continue. Frames without numbers are grouped when their names are equal.
// Covers all frames, in order.
std::vector<NamedFrameRange> find_named_ranges(std::span<const std::string_view> names);

// Makes the names unique, so that clips can be selected by name: a clip of frames named by numbers only is
// called "frames", and a repeated name gets the first free number: "pain", "pain 2".
void make_names_unique(std::vector<NamedFrameRange>& frame_ranges);

} // namespace vitrine::md2
