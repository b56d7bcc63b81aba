#pragma once
// Puts the keys of a channel into the order that a Channel promises.

#include <cstddef>

#include "loaders/scene/scene.hpp"

namespace vitrine::gltf {

struct KeyRepair {
    bool not_finite = false; // keys with a time or value that is no number were dropped
    bool unsorted = false;   // keys were sorted by time
    bool duplicates = false; // of keys at one time the first and the last were kept, a jump
};

// `size` floats a key. Afterwards times ascend strictly and all numbers are finite.
KeyRepair repair_keys(scene::Channel& channel, std::size_t size);

// Rotations of step and linear keys become unit length.
void normalise_rotations(scene::Channel& channel);

} // namespace vitrine::gltf
