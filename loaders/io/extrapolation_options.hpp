#pragma once
// Options for the evaluation of curves outside their keys, beyond what the scene's channels can represent.

#include <optional>

#include "loaders/base/extrapolation_policy.hpp"

namespace vitrine {

struct ExtrapolationOptions {
    ExtrapolationPolicy policy = ExtrapolationPolicy::extrapolated;
    // Time in seconds on the file's timeline at which the pose is requested. Extrapolation that channels
    // cannot represent is converted for a limited interval only, and for this time.
    std::optional<double> pose_time{};
    // The time refers to all curves, combined in one clip, regardless of the clips that the file defines on
    // its timeline (COLLADA).
    bool single_clip = false;
};

} // namespace vitrine
