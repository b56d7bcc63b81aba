#pragma once
// Where a time is among the keys of a channel. Private to loaders/scene.

#include <cstddef>
#include <span>

#include "loaders/scene/motion/lanes.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Between `key` and `key + 1`, or on `key` alone.
struct KeyPosition {
    std::size_t key = 0;
    bool between = false;
    double fraction = 0.0; // 0 .. 1
    double span = 0.0;     // seconds from key to key + 1
};

// Times before the first and after the last key are on that key. A step takes effect at its key's time, with
// a slack for rounding; keys that are a few ulps apart are a jump, and a time between them is on the nearest.
KeyPosition find_keys(std::span<const float> times, Interpolation interpolation, double time);

// As above, for lane_count moments. `cursor` is 0 or the value after an earlier call with these times and
// this interpolation: a later moment that is few keys away is found without a search.
void find_keys(std::span<const float> times, Interpolation interpolation, std::span<const double> moments,
               std::size_t& cursor, KeyLanes& lanes);

} // namespace vitrine::scene
