#include "loaders/3ds/clip.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace vitrine::threeds {
namespace {

constexpr double max_sampling_error = 1e-4;
constexpr int max_bisections = 6; // bisection depth of one interval

std::array<float, 3> floats_of(const glm::dvec3& value)
{
    return {static_cast<float>(value.x), static_cast<float>(value.y), static_cast<float>(value.z)};
}
std::array<float, 4> floats_of(const glm::dquat& value)
{
    return {static_cast<float>(value.x), static_cast<float>(value.y), static_cast<float>(value.z),
            static_cast<float>(value.w)};
}

glm::dvec3 interpolate_linearly(const glm::dvec3& a, const glm::dvec3& b, double t)
{
    return a * (1.0 - t) + b * t;
}
glm::dquat interpolate_linearly(const glm::dquat& a, const glm::dquat& b, double t)
{
    return glm::normalize(glm::slerp(a, b, t));
}

double distance(const glm::dvec3& a, const glm::dvec3& b)
{
    return glm::distance(a, b);
}
// Approximately in radians; exact near zero, where it matters.
double distance(const glm::dquat& a, const glm::dquat& b)
{
    return 2.0 * std::min(glm::length(a - b), glm::length(a + b));
}

// Splits [from, to] where linear interpolation deviates from the function by more than `max_error`, and
// passes each part's end to `take`.
template <class Function, class Take>
void refine(double from, double to, double max_error, const Function& function, const Take& take,
            int depth = 0)
{
    const auto a = function(from), b = function(to);
    bool near = true;
    for (const double t : {0.25, 0.5, 0.75})
        near = near && distance(interpolate_linearly(a, b, t), function(from + (to - from) * t)) <= max_error;
    if (near || depth == max_bisections) return take(to, b);
    const double half = 0.5 * (from + to);
    refine(from, half, max_error, function, take, depth + 1);
    refine(half, to, max_error, function, take, depth + 1);
}

double tolerance_of(const Spline<glm::dquat>&)
{
    return max_sampling_error;
}
double tolerance_of(const Spline<glm::dvec3>& spline)
{
    glm::dvec3 low(spline.key(0)), high(low);
    for (std::size_t i = 1; i < spline.size(); ++i) {
        low = glm::min(low, spline.key(i));
        high = glm::max(high, spline.key(i));
    }
    return max_sampling_error * glm::distance(low, high);
}

} // namespace

// 3D Studio displays whole frames: a curve has a key at each, unless the keys of this segment would exceed a
// quarter of the clip's limit; the rest is left for the other splines.
std::size_t ClipBuilder::segment_steps(double length, std::size_t min_steps) const
{
    constexpr double max_values_of_key = 4.0, whole_frame_share = 0.25;
    const double room = whole_frame_share * static_cast<double>(limit_) - static_cast<double>(key_values_);
    const double frames = std::floor(length);
    if (frames != length || max_values_of_key * frames > room) return min_steps;
    const auto frame_count = static_cast<std::size_t>(frames);
    return frame_count * ((min_steps + frame_count - 1) / frame_count);
}

// Frames that are equal in single precision become one key.
template <class Value>
void ClipBuilder::add_key(scene::Channel& channel, double frame, const Value& value)
{
    const auto time = static_cast<float>((frame - first_) / frames_per_second);
    if (!channel.times.empty() && time <= channel.times.back()) return;
    const auto floats = floats_of(value);
    channel.times.push_back(time);
    channel.values.insert(channel.values.end(), floats.begin(), floats.end());
    key_values_ += floats.size();
}

template <class Value>
void ClipBuilder::add_spline(std::uint32_t node, scene::Path path, const Spline<Value>& spline)
{
    if (spline.empty() || spline.constant()) return;
    scene::Channel channel;
    channel.node = node;
    channel.path = path;
    if (spline.repeats()) channel.after.mode = scene::ExtrapolationMode::repeat;
    const double max_error = tolerance_of(spline);
    add_key(channel, spline.frame(0), spline.key(0));
    for (std::size_t i = 0; i + 1 < spline.size() && !exceeds_limit(); ++i) {
        const double start = spline.frame(i), length = spline.frame(i + 1) - start;
        const auto value = [&](double frame) { return spline.between(i, (frame - start) / length); };
        const auto take = [&](double frame, const Value& there) { add_key(channel, frame, there); };
        const std::size_t steps = spline.linear(i) ? 0 : segment_steps(length, spline.min_steps(i));
        const auto at = [&](std::size_t step) {
            return start + length * static_cast<double>(step) / static_cast<double>(steps);
        };
        for (std::size_t step = 0; step < steps && !exceeds_limit(); ++step)
            refine(at(step), at(step + 1), max_error, value, take);
        if (steps == 0) take(spline.frame(i + 1), spline.key(i + 1));
    }
    channels_.push_back(std::move(channel));
}

void ClipBuilder::add(std::uint32_t node, scene::Path path, const Spline<glm::dvec3>& spline)
{
    add_spline(node, path, spline);
}

void ClipBuilder::add(std::uint32_t node, const Spline<glm::dquat>& spline)
{
    add_spline(node, scene::Path::rotation, spline);
}

void ClipBuilder::add(std::uint32_t node, std::span<const double> frames,
                      const std::function<glm::dquat(double)>& rotation)
{
    scene::Channel channel;
    channel.node = node;
    channel.path = scene::Path::rotation;
    add_key(channel, frames.front(), rotation(frames.front()));
    for (std::size_t i = 1; i < frames.size() && !exceeds_limit(); ++i) {
        const double start = frames[i - 1], length = frames[i] - start;
        const std::size_t steps = length > 0.0 ? segment_steps(length, 1) : 0;
        const auto at = [&](std::size_t step) {
            return start + length * static_cast<double>(step) / static_cast<double>(steps);
        };
        for (std::size_t step = 0; step < steps && !exceeds_limit(); ++step)
            refine(at(step), at(step + 1), max_sampling_error, rotation,
                   [&](double frame, const glm::dquat& there) { add_key(channel, frame, there); });
    }
    channels_.push_back(std::move(channel));
}

void ClipBuilder::add_visibility(std::uint32_t node, std::span<const double> toggle_frames)
{
    scene::Channel channel;
    channel.node = node;
    channel.path = scene::Path::scale;
    channel.interpolation = scene::Interpolation::step;
    bool shown = true;
    add_key(channel, toggle_frames.front() - 1.0, glm::dvec3(1.0));
    for (const double frame : toggle_frames) {
        shown = !shown;
        add_key(channel, frame, glm::dvec3(shown ? 1.0 : 0.0));
    }
    channels_.push_back(std::move(channel));
}

} // namespace vitrine::threeds
