#pragma once
// Where a curve stands outside its keys, as pre_behavior and post_behavior of a <sampler> say (1.5.0
// specification, "sampler"), and what of it a channel of the Scene can say as well.

#include <cstdint>
#include <optional>
#include <vector>

#include "loaders/dae/curves/curve.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

// A span of the file's time line.
struct TimeRange {
    double start = 0.0;
    double end = 0.0;
};

// A time brought back to the keys: the value there, moved on.
struct WrappedTime {
    double time = 0.0;
    Side side = Side::after;
    double offsets = 0.0; // times the way from the first to the last value
    double beyond = 0.0;  // seconds along the line of the last two keys, negative before the first two
};

// At `end`, where what is looked at ends, a period that closes there does not begin again.
WrappedTime wrap_time(const Curve& curve, double time, Side side, double end);
double evaluate(const Curve& curve, const WrappedTime& place, std::uint32_t dimension);

// Adds the times at which a curve has a key inside the window, and its borders where the curve goes on beyond
// them; at least one. False: there are more than anything needs, and the later ones are left out.
bool add_times(const Curve& curve, const TimeRange& window, std::vector<double>& times);
void sort_times(std::vector<double>& times);

// How a channel that holds all of the curves' keys goes on.
struct ChannelExtrapolation {
    TimeRange keys;
    scene::Extrapolation before, after;
};

// What a channel is made of: what its values may do, given those of its curves.
enum class Motion : std::uint8_t {
    any,      // anything: periods are the same, no more
    additive, // one curve, whose differences are the channel's: they may be added
    straight, // as well, and between keys its lines are the channel's
};

// None where the curves differ, or the Scene has no word for what they do; `curves` is not empty.
std::optional<ChannelExtrapolation> find_extrapolation(const std::vector<const Curve*>& curves,
                                                       Motion motion);

} // namespace vitrine::dae
