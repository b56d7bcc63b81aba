#pragma once
// Where a channel stands outside its keys. Private to loaders/scene.

#include <cstddef>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Whether the keys come again and again on that side.
bool repeats(const Extrapolation& how);

// What repetition reads for a time: the channel at `time`, within the keys, moved on `offsets` times by the
// way from its first to its last value (back where negative). Times that nothing repeats stay as they are.
struct WrappedTime {
    double time = 0.0;
    double offsets = 0.0;
};
WrappedTime wrap_time(const Channel& channel, double time);

// From the first to the last key's value. components: floats per value.
double loop_offset(const Channel& channel, std::size_t component, std::size_t components);

} // namespace vitrine::scene
