#pragma once
// Repairs the keys of a channel to meet the requirements of scene::Channel.

#include <cstddef>
#include <span>

#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// The deviation from unit length up to which a quaternion is used unmodified: three decimals, as some
// exporters write, and half of what validate() accepts. Normalizing it would give a slightly different
// rotation than other viewers.
constexpr double quaternion_length_tolerance = 5e-4;

struct KeyRepair {
    bool not_finite = false; // keys with a time or value that is not finite were removed
    bool unsorted = false;   // keys were sorted by time
    bool duplicates = false; // of several keys at one time the first and last were kept, as a jump
};

// `size`: floats per key. Afterwards times ascend strictly and all numbers are finite.
KeyRepair repair_keys(scene::Channel& channel, std::size_t size);

// Normalizes rotations of step and linear keys whose length deviates by more than rounding. Returns the
// number of those that deviate by more than keys of normalized bytes do, 1 %.
std::size_t normalize_rotations(scene::Channel& channel);

} // namespace vitrine::gltf
