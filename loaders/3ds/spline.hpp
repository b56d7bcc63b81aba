#pragma once
// The keyframer's splines: Kochanek and Bartels, "Interpolating Splines with Local Tension, Continuity, and
// Bias Control" (SIGGRAPH 1984), with 3D Studio's eases, end tangents and relative rotations. Double
// precision.

#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/3ds/document.hpp"

namespace vitrine::threeds {

// One track prepared for evaluation. Value is glm::dvec3, double or glm::dquat. Copies what it needs.
template <class Value>
class Spline {
public:
    template <class KeyValue>
    explicit Spline(const Track<KeyValue>& track);

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
    // `way`: the difference to the next key, or the rotation as a rotation vector, which may be several turns
    // long.
    struct Point {
        double frame = 0.0;
        double tension = 0.0, continuity = 0.0, bias = 0.0, ease_to = 0.0, ease_from = 0.0;
        Value value{};
        Value arriving{}, leaving{}; // tangents, or control rotations
        glm::dvec3 delta{0.0};
    };
    void set_tangents(bool loops);

    std::vector<Point> points_;
    bool repeats_ = false;
};

extern template class Spline<glm::dvec3>;
extern template class Spline<double>;
extern template class Spline<glm::dquat>;

} // namespace vitrine::threeds
