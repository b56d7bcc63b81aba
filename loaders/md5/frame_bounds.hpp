#pragma once
// The boxes that an .md5anim gives for its frames, held against what the frames really do.

#include <cstdint>
#include <string_view>

#include "loaders/md5/scene_builder.hpp"

namespace vitrine::md5 {

// Looks at all frames that some milliseconds are enough for, else at a few spread evenly, as long as `budget`
// (vertex weights evaluated, shared by all animations of a load) lasts; warns once with the worst frame when
// a side is off by more than a tenth of the model's extent.
void check_frame_bounds(const Skeleton& skeleton, const Model& model, const Animation& animation,
                        const ClipBinding& binding, std::string_view where, std::uint64_t& budget,
                        io::WarningLog& warnings);

} // namespace vitrine::md5
