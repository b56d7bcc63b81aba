#pragma once
// The clips that the names of frames tell: run1, run2, ... run6 is the clip "run".

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::md2 {

struct NamedFrameRange {
    std::string name; // as the file spells it, not yet UTF-8
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

// Neighbours of one name and ascending numbers belong together. Names of clips may end in digits themselves:
// pain101 ... pain104, pain201 ... are the clips "pain1" and "pain2", for the number starts anew where its
// leading digit changes; pain9, pain10 go on. Frames without numbers belong together when they are named
// alike. Covers all frames, in order.
std::vector<NamedFrameRange> find_named_ranges(std::span<const std::string_view> names);

// Names that a clip can be asked for by: where frames are nothing but numbers it is called "frames", and one
// of a name that was there before gets the first free number behind it: "pain", "pain 2".
void make_names_unique(std::vector<NamedFrameRange>& frame_ranges);

} // namespace vitrine::md2
