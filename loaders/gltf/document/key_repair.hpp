#pragma once
// Puts the keys of a channel into the order that a Channel promises.

#include <cstddef>
#include <span>

#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

// How far from unit length a quaternion may be and is still taken as it stands: three digits after the point,
// as some exporters write them, and half of what validate() lets pass. Normalised, it would turn a little
// otherwise than everywhere else.
constexpr double quaternion_length_tolerance = 5e-4;

struct KeyRepair {
    bool not_finite = false; // keys with a time or value that is no number were dropped
    bool unsorted = false;   // keys were sorted by time
    bool duplicates = false; // of keys at one time the first and the last were kept, a jump
};

// `size` floats a key. Afterwards times ascend strictly and all numbers are finite.
KeyRepair repair_keys(scene::Channel& channel, std::size_t size);

// Rotations of step and linear keys that are off unit length by more than rounded digits become unit length.
void normalise_rotations(scene::Channel& channel);

} // namespace vitrine::gltf
