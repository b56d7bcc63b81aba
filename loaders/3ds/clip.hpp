#pragma once
// Converts splines to the keys of a clip. Scene channels interpolate linearly (slerp); where a spline is
// linear too its keys are kept, otherwise it is sampled at every frame, and between frames until the
// difference is below 1e-4 of the range of the track's keys, or 1e-4 radians.

#include <functional>
#include <span>
#include <vector>

#include "loaders/3ds/spline.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::threeds {

inline constexpr double frames_per_second = 30.0; // of 3D Studio; files do not store a rate

class ClipBuilder {
public:
    // Times are relative to frame `first`. `key_values`: maximum number of floats, Limits::key_values.
    ClipBuilder(double first, std::uint64_t key_values) : first_(first), limit_(key_values) {}

    // Adds nothing for a constant spline.
    void add(std::uint32_t node, scene::Path path, const Spline<glm::dvec3>& spline);
    void add(std::uint32_t node, const Spline<glm::dquat>& spline);
    // Adds any rotation that is smooth between the given ascending frames.
    void add(std::uint32_t node, std::span<const double> frames,
             const std::function<glm::dquat(double)>& rotation);
    // Sets scale 0 while the node is hidden: each of the ascending frames toggles it; initially visible.
    void add_visibility(std::uint32_t node, std::span<const double> turns);

    bool limit_exceeded_error() const { return key_values_ > limit_; }
    // Empty when nothing is animated.
    std::vector<scene::Channel> take() { return std::move(channels_); }

private:
    template <class Value>
    void add_spline(std::uint32_t node, scene::Path path, const Spline<Value>& spline);
    // Returns the number of parts of a curve between two keys.
    std::size_t steps_of(double length, std::size_t least) const;
    template <class Value>
    void add_key(scene::Channel& channel, double frame, const Value& value);

    double first_;
    std::uint64_t limit_;
    std::uint64_t key_values_ = 0;
    std::vector<scene::Channel> channels_;
};

} // namespace vitrine::threeds
