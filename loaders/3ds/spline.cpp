#include "loaders/3ds/clip.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

namespace vitrine::threeds {
namespace {

// The fractions of the previous and next difference in a key's two tangents.
struct TangentWeights {
    double arriving_before = 0.0, arriving_after = 0.0;
    double leaving_before = 0.0, leaving_after = 0.0;
};

// `before`, `after`: frames to the neighbors. Unequal distances are compensated, less so with a
// larger absolute continuity.
template <class Point>
TangentWeights tangent_weights(const Point& key, double before, double after)
{
    const double half = 0.5 * (before + after);
    const double broken = std::abs(key.continuity);
    const auto levelled = [&](double frames) {
        const double speed = half > 0.0 ? frames / half : 1.0;
        return speed + broken - broken * speed;
    };
    const double tension = 0.5 * (1.0 - key.tension);
    const double less = tension * (1.0 - key.continuity), more = tension * (1.0 + key.continuity);
    const double back = 1.0 + key.bias, ahead = 1.0 - key.bias;
    return {less * back * levelled(before), more * ahead * levelled(before), more * back * levelled(after),
            less * ahead * levelled(after)};
}

// Returns the tangent at an end of at least three keys, with minimum curvature. `near` and `far` are the
// values of the next two keys relative to the end, at the given distances in frames.
glm::dvec3 end_tangent(const glm::dvec3& near, const glm::dvec3& far, double near_frames, double far_frames,
                       double tension)
{
    return (1.0 - tension) *
           (far * (0.25 - near_frames / (2.0 * far_frames)) + (near - far * 0.5) * 1.5 + far * 0.5);
}

// Ease in and out: warps the time between two keys.
double eased(double t, double from, double to)
{
    const double sum = from + to;
    if (sum == 0.0) return t;
    if (sum > 1.0) {
        from /= sum;
        to /= sum;
    }
    const double k = 1.0 / (2.0 - from - to);
    if (t < from) return k / from * t * t;
    if (t < 1.0 - to) return k * (2.0 * t - from);
    return to == 0.0 ? 1.0 : 1.0 - k / to * (1.0 - t) * (1.0 - t);
}

glm::dquat turn_by(const glm::dvec3& vector)
{
    const double angle = glm::length(vector);
    return angle == 0.0 ? glm::dquat(1.0, 0.0, 0.0, 0.0) : glm::angleAxis(angle, vector / angle);
}

// The keyframer rotates clockwise about its axes.
glm::dvec3 rotation_vector(const AxisAngle& turn)
{
    const glm::dvec3 axis(turn.axis);
    const double length = glm::length(axis);
    return length == 0.0 ? glm::dvec3(0.0) : axis * (-static_cast<double>(turn.angle) / length);
}

glm::dquat nearest_slerp(const glm::dquat& a, glm::dquat b, double t)
{
    double cosine = glm::dot(a, b);
    if (cosine < 0.0) {
        b = -b;
        cosine = -cosine;
    }
    if (cosine > 1.0 - 1e-12) return glm::normalize(a * (1.0 - t) + b * t);
    const double angle = std::acos(cosine);
    return glm::normalize((a * std::sin((1.0 - t) * angle) + b * std::sin(t * angle)) / std::sin(angle));
}

glm::dvec3 as_vector(const glm::dvec3& value)
{
    return value;
}
glm::dvec3 as_vector(double value)
{
    return {value, 0.0, 0.0};
}
void assign(glm::dvec3& to, const glm::dvec3& from)
{
    to = from;
}
void assign(double& to, const glm::dvec3& from)
{
    to = from.x;
}

bool is_still(const glm::dvec3& delta)
{
    return delta == glm::dvec3(0.0);
}

// Returns whether two differences are so similar that the spline between them is linear.
bool alike(const glm::dvec3& a, const glm::dvec3& b)
{
    return glm::distance(a, b) <= 1e-6 * (glm::length(a) + glm::length(b));
}

} // namespace

template <class Value>
template <class KeyValue>
Spline<Value>::Spline(const SplineTrack<KeyValue>& track) : repeats_(track.repeat != Repeat::none)
{
    points_.reserve(track.keys.size());
    for (const auto& key : track.keys) {
        Point point{static_cast<double>(key.frame),
                    key.tension,
                    key.continuity,
                    key.bias,
                    key.ease_to,
                    key.ease_from};
        if constexpr (std::is_same_v<Value, glm::dquat>) {
            const glm::dvec3 turn = rotation_vector(key.value);
            if (!points_.empty()) points_.back().delta = turn;
            const glm::dquat before = points_.empty() ? glm::dquat(1.0, 0.0, 0.0, 0.0) : points_.back().value;
            point.value = glm::normalize(turn_by(turn) * before);
        } else {
            point.value = Value(key.value);
            if (!points_.empty())
                points_.back().delta = as_vector(point.value) - as_vector(points_.back().value);
        }
        points_.push_back(point);
    }
    if (points_.size() > 1) set_tangents(track.repeat == Repeat::loop);
}

// For rotations: control rotations of a spherical quadrangle (Shoemake), so that the spline passes a key with
// its tangents; a rotation of half a turn or more is linear instead.
template <class Value>
void Spline<Value>::set_tangents(bool loops)
{
    const std::size_t last = points_.size() - 1;
    loops = loops && points_.size() > 2;
    for (std::size_t i = 0; i <= last; ++i) {
        Point& key = points_[i];
        const bool has_before = i > 0 || loops, has_after = i < last || loops;
        const std::size_t before = i > 0 ? i - 1 : last - 1,
                          after = i < last ? i : 0; // keys whose differences are used
        const auto frames = [&](std::size_t k) { return points_[k + 1].frame - points_[k].frame; };
        const glm::dvec3 in = has_before ? points_[before].delta : points_[after].delta;
        const glm::dvec3 out = has_after ? points_[after].delta : points_[before].delta;
        const bool has_neighbors = has_before && has_after;
        const TangentWeights s = has_neighbors ? tangent_weights(key, frames(before), frames(after))
                                               : tangent_weights(key, 1.0, 1.0);
        if constexpr (std::is_same_v<Value, glm::dquat>) {
            const auto control = [&](double a, double b) {
                return glm::normalize(turn_by((in * a + out * b) * 0.5) * key.value);
            };
            key.leaving = control(s.leaving_before, s.leaving_after - 1.0);
            key.arriving = control(1.0 - s.arriving_before, -s.arriving_after);
        } else if (has_neighbors) {
            assign(key.arriving, in * s.arriving_before + out * s.arriving_after);
            assign(key.leaving, in * s.leaving_before + out * s.leaving_after);
        } else if (last == 1) {
            assign(i == 0 ? key.leaving : key.arriving, in * (1.0 - key.tension));
        } else {
            const std::size_t second = i == 0 ? 1 : last - 2;
            assign(i == 0 ? key.leaving : key.arriving,
                   end_tangent(in, in + points_[second].delta, frames(i == 0 ? 0 : last - 1),
                               points_[i == 0 ? 2 : last].frame - points_[i == 0 ? 0 : last - 2].frame,
                               key.tension));
        }
    }
}

template <class Value>
bool Spline<Value>::constant() const
{
    return std::ranges::all_of(points_, [](const Point& point) { return is_still(point.delta); });
}

template <class Value>
bool Spline<Value>::linear(std::size_t i) const
{
    const Point &a = points_[i], &b = points_[i + 1];
    if (a.ease_from + b.ease_to != 0.0) return false;
    if constexpr (std::is_same_v<Value, glm::dquat>) {
        const double angle = glm::length(a.delta);
        if (angle >= std::numbers::pi) return false;
        const auto same = [](const glm::dquat& p, const glm::dquat& q) {
            return std::abs(glm::dot(p, q)) > 1.0 - 1e-12;
        };
        return same(a.leaving, a.value) && same(b.arriving, b.value);
    } else {
        return alike(as_vector(a.leaving), a.delta) && alike(as_vector(b.arriving), a.delta);
    }
}

template <class Value>
std::size_t Spline<Value>::min_steps(std::size_t i) const
{
    if constexpr (!std::is_same_v<Value, glm::dquat>) return 1;
    return 1 + static_cast<std::size_t>(glm::length(points_[i].delta) / (std::numbers::pi / 2));
}

template <class Value>
Value Spline<Value>::between(std::size_t i, double part) const
{
    const Point &a = points_[i], &b = points_[i + 1];
    const double t = eased(part, a.ease_from, b.ease_to);
    if constexpr (std::is_same_v<Value, glm::dquat>) {
        const glm::dquat straight = turn_by(a.delta * t) * a.value;
        if (glm::length(a.delta) >= std::numbers::pi) return straight;
        return nearest_slerp(straight, nearest_slerp(a.leaving, b.arriving, t), 2.0 * t * (1.0 - t));
    } else {
        const double t2 = t * t, t3 = t2 * t;
        return a.value * (2.0 * t3 - 3.0 * t2 + 1.0) + b.value * (3.0 * t2 - 2.0 * t3) +
               a.leaving * (t3 - 2.0 * t2 + t) + b.arriving * (t3 - t2);
    }
}

template <class Value>
Value Spline<Value>::at(double frame) const
{
    if (frame <= points_.front().frame) return points_.front().value;
    if (frame >= points_.back().frame) return points_.back().value;
    const auto after = std::ranges::upper_bound(points_, frame, {}, &Point::frame);
    const auto i = static_cast<std::size_t>(after - points_.begin()) - 1;
    return between(i, (frame - points_[i].frame) / (points_[i + 1].frame - points_[i].frame));
}

template class Spline<glm::dvec3>;
template class Spline<double>;
template class Spline<glm::dquat>;
template Spline<glm::dvec3>::Spline(const SplineTrack<glm::vec3>&);
template Spline<double>::Spline(const SplineTrack<float>&);
template Spline<glm::dquat>::Spline(const SplineTrack<AxisAngle>&);

} // namespace vitrine::threeds
