#pragma once
// The animation of a file: the keyframer's splines, and the keys of a clip they become. The splines are those
// of Kochanek and Bartels, "Interpolating Splines with Local Tension, Continuity, and Bias Control" (SIGGRAPH
// 1984), with 3D Studio's eases, end tangents and relative rotations, in double precision.

#include <functional>
#include <span>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/3ds/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::threeds {

// One track prepared for evaluation. Value is glm::dvec3, double or glm::dquat. Copies what it needs.
template <class Value>
class Spline {
public:
    template <class KeyValue>
    explicit Spline(const SplineTrack<KeyValue>& track);

    bool empty() const { return points_.empty(); }
    // Returns whether the value is constant.
    bool constant() const;
    std::size_t size() const { return points_.size(); }
    double frame(std::size_t i) const { return points_[i].frame; }
    const Value& key(std::size_t i) const { return points_[i].value; }
    bool repeats() const { return repeats_ && points_.size() > 1; }
    // Returns whether the spline from key i to the next equals linear interpolation (slerp).
    bool linear(std::size_t i) const;
    // Returns the minimum number of steps from key i to the next so that each rotates by less than half a
    // turn.
    std::size_t min_steps(std::size_t i) const;
    // Evaluates between key i and the next; `part` from 0 to 1 of the time between them.
    Value between(std::size_t i, double part) const;
    // Evaluates at any frame; outside the keys the end values.
    Value at(double frame) const;

private:
    struct Point {
        double frame = 0.0;
        double tension = 0.0, continuity = 0.0, bias = 0.0, ease_to = 0.0, ease_from = 0.0;
        Value value{};
        Value arriving{}, leaving{}; // tangents, or control rotations
        // Difference to the next key, or the rotation as a rotation vector, which may be several turns long.
        glm::dvec3 delta{0.0};
    };
    void set_tangents(bool loops);

    std::vector<Point> points_;
    bool repeats_ = false;
};

extern template class Spline<glm::dvec3>;
extern template class Spline<double>;
extern template class Spline<glm::dquat>;

inline constexpr double frames_per_second = 30.0; // of 3D Studio; files do not store a rate

// Converts splines to the keys of a clip. Scene channels interpolate linearly (slerp); where a spline is
// linear too its keys are kept, otherwise it is sampled at every frame, and between frames until the
// difference is below 1e-4 of the range of the track's keys, or 1e-4 radians.
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
    void add_visibility(std::uint32_t node, std::span<const double> toggle_frames);

    bool exceeds_limit() const { return key_values_ > limit_; }
    // Empty when nothing is animated.
    std::vector<scene::Channel> take() { return std::move(channels_); }

private:
    template <class Value>
    void add_spline(std::uint32_t node, scene::Path path, const Spline<Value>& spline);
    // Returns the number of parts of a curve between two keys.
    std::size_t segment_steps(double length, std::size_t min_steps) const;
    template <class Value>
    void add_key(scene::Channel& channel, double frame, const Value& value);

    double first_;
    std::uint64_t limit_;
    std::uint64_t key_values_ = 0;
    std::vector<scene::Channel> channels_;
};

} // namespace vitrine::threeds
