#pragma once
// Compares the bounding boxes in an .md5anim with the real ones of its frames.

#include <cstdint>
#include <string_view>

#include "loaders/md5/scene_builder.hpp"

namespace vitrine::md5 {

// Checks all frames when that takes a few milliseconds, else some evenly spaced ones, as long as `budget`
// lasts (evaluated vertex weights, shared by all animations of a load). Warns once with the worst frame when
// a side differs by more than a tenth of the model's extent.
void check_frame_bounds(const Skeleton& skeleton, const Model& model, const Animation& animation,
                        const ClipBinding& binding, std::string_view where, std::uint64_t& budget,
                        io::WarningLog& warnings);

} // namespace vitrine::md5
