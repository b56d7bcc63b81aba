#pragma once
// A curve outside its keys, by pre_behavior and post_behavior of a <sampler> (1.5.0 specification,
// "sampler"), and the equivalent extrapolation of a Scene channel.

#include <cstdint>
#include <optional>
#include <vector>

#include "loaders/dae/curves/curve.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

// A range of the file's time line.
struct TimeRange {
    double start = 0.0;
    double end = 0.0;
};

// A time mapped into the range of the keys, and the offset of its value.
struct MappedTime {
    double time = 0.0;
    JumpSide side = JumpSide::after;
    double offsets = 0.0; // number of differences of last and first value to add
    double beyond = 0.0;  // seconds along the line of the last two keys; negative before the first two
};

// At `end`, the end of the evaluated range, a period that ends there does not start again.
MappedTime map_time(const SamplerCurve& curve, double time, JumpSide side, double end);
double evaluate(const SamplerCurve& curve, const MappedTime& place, std::uint32_t dimension);

// Appends the times of a curve's keys inside the window, including repetitions, and the window's ends where
// the curve extends beyond its keys; at least one. Returns false when there are too many; later ones are
// dropped.
bool add_times(const SamplerCurve& curve, const TimeRange& window, std::vector<double>& times);
void sort_times(std::vector<double>& times);

// The extrapolation of a channel that contains all keys of the curves.
struct ChannelExtrapolation {
    TimeRange keys;
    scene::Extrapolation before, after;
};

// What a channel is derived from; determines which extrapolations its values have in common with its curves.
enum class MotionKind : std::uint8_t {
    any,      // anything: only periods are preserved
    additive, // one curve, whose differences are the channel's: offsets may be added
    linear,   // also: linear segments of the curve are linear in the channel
};

// Returns nullopt where the curves differ or the Scene cannot represent the extrapolation. Precondition:
// `curves` is not empty.
std::optional<ChannelExtrapolation> find_extrapolation(const std::vector<const SamplerCurve*>& curves,
                                                       MotionKind motion);

} // namespace vitrine::dae
