#pragma once
// The keyframer's splines: Kochanek and Bartels' "Interpolating Splines with Local Tension, Continuity, and
// Bias Control" (SIGGRAPH 1984), with 3D Studio's eases, its ends and its relative rotations. In doubles.

#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/3ds/document.hpp"

namespace vitrine::threeds {

// One track ready for evaluation. Value is glm::dvec3, double or glm::dquat. Copies what it needs.
template <class Value>
class Spline {
public:
    template <class KeyValue>
    explicit Spline(const Track<KeyValue>& track);

    bool empty() const { return points_.empty(); }
    // Whether it is the same at all times.
    bool constant() const;
    std::size_t size() const { return points_.size(); }
    double frame(std::size_t i) const { return points_[i].frame; }
    const Value& key(std::size_t i) const { return points_[i].value; }
    bool repeats() const { return repeats_ && points_.size() > 1; }
    // Whether linear interpolation (slerp) from key i to the next is what the spline does.
    bool linear(std::size_t i) const;
    // Steps that the way from key i to the next needs at least, so that none of them turns by half a circle.
    std::size_t min_steps(std::size_t i) const;
    // Between key i and the next; `part` from 0 to 1 of the time between them.
    Value between(std::size_t i, double part) const;
    // At any frame; outside the keys the end values.
    Value at(double frame) const;

private:
    // `way`: from this key to the next: the difference, or the turn as a rotation vector, which may be
    // several circles long.
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
