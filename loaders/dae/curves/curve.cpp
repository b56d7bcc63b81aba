#include "loaders/dae/curves/curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace vitrine::dae {
namespace {

struct CurvePoint {
    double x = 0.0;
    double y = 0.0;
};
CurvePoint operator+(CurvePoint a, CurvePoint b)
{
    return {a.x + b.x, a.y + b.y};
}
CurvePoint operator-(CurvePoint a, CurvePoint b)
{
    return {a.x - b.x, a.y - b.y};
}
CurvePoint operator*(double s, CurvePoint p)
{
    return {s * p.x, s * p.y};
}

// A cubic over s = 0 .. 1, by Bezier points.
struct Cubic {
    std::array<CurvePoint, 4> p;

    static double at(double a, double b, double c, double d, double s)
    {
        const double r = 1.0 - s;
        return r * r * r * a + 3.0 * r * r * s * b + 3.0 * r * s * s * c + s * s * s * d;
    }
    double x(double s) const { return at(p[0].x, p[1].x, p[2].x, p[3].x, s); }
    double y(double s) const { return at(p[0].y, p[1].y, p[2].y, p[3].y, s); }

    // Curves are functions of time: handles beyond their segment are clamped to its ends, which keeps x(s)
    // monotonic.
    double at_time(double time) const
    {
        Cubic c = *this;
        c.p[1].x = std::clamp(c.p[1].x, c.p[0].x, c.p[3].x);
        c.p[2].x = std::clamp(c.p[2].x, c.p[0].x, c.p[3].x);
        const double span = c.p[3].x - c.p[0].x;
        if (!(span > 0.0)) return c.p[0].y;
        double low = 0.0, high = 1.0, s = std::clamp((time - c.p[0].x) / span, 0.0, 1.0);
        for (int i = 0; i < 60; ++i) {
            const double error = c.x(s) - time;
            if (std::abs(error) <= 1e-13 * span) break;
            (error > 0.0 ? high : low) = s;
            const double r = 1.0 - s;
            const double slope = 3.0 * (r * r * (c.p[1].x - c.p[0].x) + 2.0 * r * s * (c.p[2].x - c.p[1].x) +
                                        s * s * (c.p[3].x - c.p[2].x));
            const double newton = slope > 0.0 ? s - error / slope : -1.0;
            s = newton > low && newton < high ? newton : 0.5 * (low + high);
        }
        return c.y(s);
    }
};

// One dimension of a curve as points over time, between the jumps around one of its segments.
class SegmentComponent {
public:
    SegmentComponent(const SamplerCurve& curve, std::uint32_t dimension, std::size_t segment)
        : curve_(curve), d_(dimension)
    {
        const auto jump = std::ranges::upper_bound(curve.jumps, segment);
        first_ = jump == curve.jumps.begin() ? 0 : static_cast<std::ptrdiff_t>(*std::prev(jump));
        last_ = static_cast<std::ptrdiff_t>(jump == curve.jumps.end() ? curve.keys() : *jump) - 1;
    }

    // Beyond its ends a spline is mirrored at the end point (1.4.1 specification, chapter 4).
    CurvePoint point(std::ptrdiff_t key) const
    {
        if (key < first_) return 2.0 * point(first_) - point(std::min(2 * first_ - key, last_));
        if (key > last_) return 2.0 * point(last_) - point(std::max(2 * last_ - key, first_));
        const auto k = static_cast<std::size_t>(key);
        return {curve_.times[k], curve_.value(k, d_)};
    }

    // Control points as in the file; if only values are stored, they are at thirds of the time.
    Cubic bezier(std::size_t key) const
    {
        const CurvePoint a = point_at(key), d = point_at(key + 1);
        if (curve_.tangents == SamplerCurve::Tangents::points)
            return {{a, handle(curve_.out, key), handle(curve_.in, key + 1), d}};
        const double third = (d.x - a.x) / 3.0;
        return {{a, {a.x + third, value(curve_.out, key)}, {d.x - third, value(curve_.in, key + 1)}, d}};
    }

    // Tangents are derivatives by s.
    Cubic hermite(std::size_t key) const
    {
        const CurvePoint a = point_at(key), d = point_at(key + 1);
        const bool points = curve_.tangents == SamplerCurve::Tangents::points;
        const CurvePoint out =
            points ? handle(curve_.out, key) : CurvePoint{d.x - a.x, value(curve_.out, key)};
        const CurvePoint in =
            points ? handle(curve_.in, key + 1) : CurvePoint{d.x - a.x, value(curve_.in, key + 1)};
        return {{a, a + (1.0 / 3.0) * out, d - (1.0 / 3.0) * in, d}};
    }

    Cubic cardinal(std::size_t key) const
    {
        const auto k = static_cast<std::ptrdiff_t>(key);
        const CurvePoint a = point(k), d = point(k + 1);
        return {{a, a + (1.0 / 6.0) * (d - point(k - 1)), d - (1.0 / 6.0) * (point(k + 2) - a), d}};
    }

    Cubic bspline(std::ptrdiff_t k) const
    {
        const CurvePoint p0 = point(k - 1), p1 = point(k), p2 = point(k + 1), p3 = point(k + 2);
        const double sixth = 1.0 / 6.0, third = 1.0 / 3.0;
        return {{sixth * (p0 + 4.0 * p1 + p2), third * (2.0 * p1 + p2), third * (p1 + 2.0 * p2),
                 sixth * (p1 + 4.0 * p2 + p3)}};
    }

    // The segments of a B-spline meet near their keys, not at them.
    double bspline_at(std::size_t key, double time) const
    {
        auto k = static_cast<std::ptrdiff_t>(key);
        while (k > first_ && time < bspline(k).p[0].x)
            --k;
        while (k < last_ - 1 && time > bspline(k).p[3].x)
            ++k;
        return bspline(k).at_time(time);
    }

private:
    CurvePoint point_at(std::size_t key) const { return {curve_.times[key], curve_.value(key, d_)}; }
    double value(const std::vector<double>& tangents, std::size_t key) const
    {
        return tangents[key * curve_.dimensions + d_];
    }
    CurvePoint handle(const std::vector<double>& tangents, std::size_t key) const
    {
        const std::size_t at = 2 * (key * curve_.dimensions + d_);
        return {tangents[at], tangents[at + 1]};
    }

    const SamplerCurve& curve_;
    std::uint32_t d_;
    std::ptrdiff_t first_ = 0, last_ = 0; // keys
};

} // namespace

bool SamplerCurve::has_only(std::initializer_list<SamplerInterpolation> kinds_asked) const
{
    const auto bits_of = [](const auto& list) {
        std::uint32_t bits = 0;
        for (const SamplerInterpolation kind : list)
            bits |= 1u << static_cast<unsigned>(kind);
        return bits;
    };
    if (!kinds_there) kinds_there = bits_of(kinds);
    return (*kinds_there & ~bits_of(kinds_asked)) == 0;
}

std::optional<std::size_t> SamplerCurve::segment(double time, JumpSide side) const
{
    const auto next = side == JumpSide::after ? std::ranges::upper_bound(times, time)
                                              : std::ranges::lower_bound(times, time);
    if (next == times.begin() || next == times.end()) return std::nullopt;
    return static_cast<std::size_t>(next - times.begin()) - 1;
}

double SamplerCurve::evaluate(double time, std::uint32_t dimension, JumpSide side) const
{
    const auto held = segment(time, side);
    const bool early = time < first() || (time == first() && side == JumpSide::before);
    if (!held) return value(early ? 0 : keys() - 1, dimension);
    const std::size_t key = *held;
    const SegmentComponent track(*this, dimension, key);
    const double a = value(key, dimension), b = value(key + 1, dimension);
    const bool has_tangents = tangents != Tangents::none;
    switch (kinds[key]) {
    case SamplerInterpolation::step: return a;
    case SamplerInterpolation::bezier:
        if (has_tangents) return track.bezier(key).at_time(time);
        break;
    case SamplerInterpolation::hermite:
        if (has_tangents) return track.hermite(key).at_time(time);
        break;
    case SamplerInterpolation::cardinal: return track.cardinal(key).at_time(time);
    case SamplerInterpolation::bspline: return track.bspline_at(key, time);
    case SamplerInterpolation::linear: break;
    }
    const double f = (time - times[key]) / (times[key + 1] - times[key]);
    return (1.0 - f) * a + f * b;
}

} // namespace vitrine::dae
