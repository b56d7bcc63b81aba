#pragma once
// What is asked of curves outside their keys, beyond what a scene's channels say by themselves.

#include <optional>

namespace vitrine {

struct ExtrapolationOptions {
    bool clamped = false; // end values, whatever the file says goes on there
    // Seconds on the file's time line at which the pose is wanted. What no channel can say is kept for a
    // while only, and there.
    std::optional<double> pose_time{};
    // The moment is one of all curves, in one clip, whichever clips the file cuts from its time line
    // (COLLADA).
    bool single_clip = false;
};

} // namespace vitrine
