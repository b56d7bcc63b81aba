#pragma once
// The keys of a clip as steps of its timeline, and where a time is between them. Seconds from the clip's
// start.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Keys closer than this, in seconds, are one.
inline constexpr double key_tolerance = 1e-5;

// Between the keys `from` and `to`. On a key, before the first and after the last one both are that key.
struct KeySpan {
    std::size_t from = 0, to = 0;
    double from_time = 0.0, to_time = 0.0;
    double blend = 0.0; // 0 at `from` .. 1 at `to`
};

// The times of the keys of all channels that animate a node of the file, ascending, each once, without those
// outside the clip. `selected`: by node, channels of other nodes are left out; empty: all nodes. Channels
// whose keys have the times of an earlier one cost a comparison.
std::vector<double> key_times(const Scene& scene, const Clip& clip, const std::vector<bool>& selected = {});

// Precondition: times are ascending and not empty.
KeySpan find_span(std::span<const double> times, double time);

// The nearest key before or after the time; empty: there is none.
std::optional<double> previous_key(std::span<const double> times, double time);
std::optional<double> next_key(std::span<const double> times, double time);

// The time of the key that is `steps` keys after the time, or before it if they are negative, beginning again
// at the ends; the time itself without keys and for 0.
double step_keys(std::span<const double> times, double time, int steps);
// Likewise of frames at the clip's rate, from the frame that is nearest to the time.
double step_frames(const Clip& clip, double time, int steps);

// Where a time is among all keys of a clip.
struct KeyPlace {
    double time = 0.0;
    KeySpan span{};
    std::optional<double> previous{}, next{};
    // Of the channels with several keys; empty: they differ.
    std::optional<Interpolation> interpolation{};
};
// `times`: key_times(). Empty without keys.
std::optional<KeyPlace> place_among_keys(const Scene& scene, const Clip& clip, std::span<const double> times,
                                         double time, const std::vector<bool>& selected = {});

// Where a time is among the keys of one channel; a step has no blend. Precondition: it has keys.
KeySpan find_span(const Channel& channel, double time);

} // namespace vitrine::scene
