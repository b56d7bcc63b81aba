#pragma once
// Splines to the keys of a clip. The Scene's channels go straight (slerp) from key to key; where a spline
// does so too its keys are kept, else it is sampled at every frame, and between frames so densely that the
// difference stays below 1e-4 of the range of the track's keys, or 1e-4 radians.

#include <functional>
#include <span>
#include <vector>

#include "loaders/3ds/spline.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::threeds {

inline constexpr double frames_per_second = 30.0; // 3D Studio's; a file does not say another

class ClipBuilder {
public:
    // Times count from frame `first`. `key_values`: how many floats may be made, Limits::key_values.
    ClipBuilder(double first, std::uint64_t key_values) : first_(first), limit_(key_values) {}

    // Nothing where the spline does not move.
    void add(std::uint32_t node, scene::Path path, const Spline<glm::dvec3>& spline);
    void add(std::uint32_t node, const Spline<glm::dquat>& spline);
    // Any rotation that is smooth between the given frames, which ascend.
    void add(std::uint32_t node, std::span<const double> frames,
             const std::function<glm::dquat(double)>& rotation);
    // Scale 0 where the node is hidden: each of the frames, which ascend, turns it over; shown at first.
    void add_visibility(std::uint32_t node, std::span<const double> turns);

    bool limit_exceeded_error() const { return key_values_ > limit_; }
    // Empty where nothing moved.
    std::vector<scene::Channel> take() { return std::move(channels_); }

private:
    template <class Value>
    void add_spline(std::uint32_t node, scene::Path path, const Spline<Value>& spline);
    // Parts of a curve between two keys.
    std::size_t steps_of(double length, std::size_t least) const;
    template <class Value>
    void add_key(scene::Channel& channel, double frame, const Value& value);

    double first_;
    std::uint64_t limit_;
    std::uint64_t key_values_ = 0;
    std::vector<scene::Channel> channels_;
};

} // namespace vitrine::threeds
