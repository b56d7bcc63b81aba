#pragma once
// Posing as one would write it first: each track searched at each time, std::sin and std::atan2 in each
// rotation, one pose after the other. Expected values of the tests of loaders/scene/motion, peer of
// bench_pose. Channels without extrapolation.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::test::plain {

inline glm::dquat to_quat(const glm::dvec4& v)
{
    return {v.w, v.x, v.y, v.z};
}

inline glm::dvec4 value_at(const float* values, std::size_t components)
{
    glm::dvec4 out(0.0);
    for (std::size_t i = 0; i < components; ++i)
        out[static_cast<glm::length_t>(i)] = double{values[i]};
    return out;
}

inline glm::dvec4 slerp(const glm::dvec4& from, glm::dvec4 to, double t)
{
    if (glm::dot(from, to) < 0.0) to = -to;
    const double angle = 2.0 * std::atan2(glm::length(from - to), glm::length(from + to));
    const double sine = std::sin(angle);
    if (!(sine > 1e-9)) return from * (1.0 - t) + to * t;
    return from * (std::sin((1.0 - t) * angle) / sine) + to * (std::sin(t * angle) / sine);
}

inline glm::dvec4 hermite(const float* from, const float* to, std::size_t n, double t, double span)
{
    const double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * value_at(from + n, n) +
           span * (t3 - 2 * t2 + t) * value_at(from + 2 * n, n) + (3 * t2 - 2 * t3) * value_at(to + n, n) +
           span * (t3 - t2) * value_at(to, n);
}

// Translation, rotation or scale.
inline glm::dvec4 sample(const scene::Channel& channel, double time)
{
    const bool cubic = channel.interpolation == scene::Interpolation::cubic;
    const std::size_t n = channel.path == scene::Path::rotation ? 4 : 3;
    const std::size_t stride = n * (cubic ? 3 : 1), value = cubic ? n : 0;
    const auto after = std::ranges::upper_bound(channel.times, time, {}, [](float t) { return double{t}; });
    const auto next = static_cast<std::size_t>(after - channel.times.begin());
    const std::size_t key = next == 0 ? 0 : next - 1;
    const float* from = channel.values.data() + key * stride;
    if (next == 0 || next == channel.times.size() || channel.interpolation == scene::Interpolation::step) {
        const glm::dvec4 out = value_at(from + value, n);
        return n == 4 && cubic ? glm::normalize(out) : out;
    }
    const double span = double{channel.times[next]} - double{channel.times[key]};
    const double t = (time - double{channel.times[key]}) / span;
    if (cubic) {
        const glm::dvec4 out = hermite(from, from + stride, n, t, span);
        return n == 4 ? glm::normalize(out) : out;
    }
    const glm::dvec4 a = value_at(from, n), b = value_at(from + stride, n);
    return n == 4 ? slerp(a, b, t) : a * (1.0 - t) + b * t;
}

inline void apply(const scene::Channel& channel, double time, scene::Trs& local)
{
    if (channel.path > scene::Path::scale) return;
    const glm::dvec4 value = sample(channel, time);
    if (channel.path == scene::Path::translation) local.translation = glm::vec3(value);
    if (channel.path == scene::Path::rotation) local.rotation = glm::quat(to_quat(value));
    if (channel.path == scene::Path::scale) local.scale = glm::vec3(value);
}

// Fills `local` and `model`.
inline void sample_pose(const scene::Scene& scene, std::uint32_t clip, double time, scene::Pose& pose)
{
    pose.local.resize(scene.nodes.size());
    pose.model.resize(scene.nodes.size());
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        pose.local[i] = scene.nodes[i].local;
    for (const scene::Channel& channel : scene.clips[clip].channels)
        apply(channel, std::clamp(time, 0.0, scene.clips[clip].duration), pose.local[channel.node]);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const scene::Node& node = scene.nodes[i];
        const glm::mat4 local = node.matrix ? *node.matrix : scene::to_matrix(pose.local[i]);
        pose.model[i] = node.parent == scene::none ? local : pose.model[node.parent] * local;
    }
}

} // namespace vitrine::test::plain
