#pragma once
// Channel evaluation outside the keys. Private to loaders/scene.

#include <cstddef>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Whether the keys are repeated on that side.
bool repeats(const Extrapolation& extrapolation);

// The time at which a repeated channel is evaluated: `time`, within the keys, plus `offsets` times the
// difference between its last and first value (negative: subtracted). Unrepeated times are not changed.
struct WrappedTime {
    double time = 0.0;
    double offsets = 0.0;
};
WrappedTime wrap_time(const Channel& channel, double time);

// Difference between the last and the first key's value. components: floats per value.
double loop_offset(const Channel& channel, std::size_t component, std::size_t components);

} // namespace vitrine::scene
