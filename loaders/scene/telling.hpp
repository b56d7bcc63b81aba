#pragma once
// Which clip and moment show an animated scene to somebody who has not seen it: not the T-pose. Pure.

#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// The first clip in which anything moves, deaths last; none without.
std::uint32_t first_moving_clip(const Scene& scene);

struct TellingMoment {
    std::uint32_t clip = none; // none: the static pose, nothing moves
    double time = 0.0;         // seconds from the clip's start
};
// About a third into that clip: off the first pose, short of the turn.
TellingMoment telling_moment(const Scene& scene);

} // namespace vitrine::scene
