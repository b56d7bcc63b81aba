#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "loaders/fbx/curves/track_baker.hpp"

namespace vitrine::fbx {

double dot(const SampleValues& a, const SampleValues& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

void negate(SampleValues& v)
{
    for (double& x : v)
        x = -x;
}

double distance(const SampleValues& a, const SampleValues& b, bool is_rotation)
{
    double plus = 0.0, minus = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(a[i] - b[i]));
        plus += (a[i] + b[i]) * (a[i] + b[i]);
        minus += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return is_rotation ? std::sqrt(std::min(plus, minus)) : largest;
}

SampleValues lerp(const SampleValues& a, const SampleValues& b, double fraction, bool is_rotation)
{
    double wa = 1.0 - fraction, wb = fraction;
    if (is_rotation) {
        const double cosine = dot(a, b);
        const double angle = std::acos(std::clamp(std::abs(cosine), 0.0, 1.0));
        if (angle > 1e-7) {
            wa = std::sin((1.0 - fraction) * angle) / std::sin(angle);
            wb = std::sin(fraction * angle) / std::sin(angle);
        }
        if (cosine < 0.0) wb = -wb;
    }
    SampleValues out(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        out[i] = wa * a[i] + wb * b[i];
    return out;
}

void BakedKey::turn_to(const SampleValues& from)
{
    if (dot(from, value) >= 0.0) return;
    negate(in);
    negate(value);
    negate(out);
}

namespace {

// Returns the value of a motion a short time later.
SampleValues moved(const SampleValues& value, const SampleValues& rate, double seconds, bool is_rotation)
{
    SampleValues out(value.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = value[i] + rate[i] * seconds;
    const double length = is_rotation ? std::sqrt(std::max(dot(out, out), 1e-30)) : 1.0;
    for (double& v : out)
        v /= length;
    return out;
}

} // namespace

std::vector<BakedKey> keys_of_jump(const Breakpoint& breakpoint, double gap, double tolerance,
                                   bool is_rotation)
{
    const SampleValues zero_rate(breakpoint.at.size());
    const float earlier =
        std::min(static_cast<float>(double{breakpoint.seconds} - gap),
                 std::nextafter(breakpoint.seconds, -std::numeric_limits<float>::infinity()));
    const float later = std::max(static_cast<float>(double{breakpoint.seconds} + gap),
                                 std::nextafter(breakpoint.seconds, std::numeric_limits<float>::infinity()));
    const auto off = [&](float seconds) { return double{seconds} - double{breakpoint.seconds}; };
    BakedKey before{earlier, breakpoint.before_rate,
                    moved(breakpoint.before, breakpoint.before_rate, off(earlier), is_rotation), zero_rate};
    BakedKey after{later, zero_rate, moved(breakpoint.after, breakpoint.after_rate, off(later), is_rotation),
                   breakpoint.after_rate};
    if (distance(breakpoint.after, breakpoint.at, is_rotation) <= tolerance)
        after = {breakpoint.seconds, zero_rate, breakpoint.after, breakpoint.after_rate};
    else if (distance(breakpoint.before, breakpoint.at, is_rotation) <= tolerance)
        before = {breakpoint.seconds, breakpoint.before_rate, breakpoint.before, zero_rate};
    else
        return {before, {breakpoint.seconds, zero_rate, breakpoint.at, zero_rate}, after};
    return {before, after};
}

SampleValues hermite(const BakedKey& from, const BakedKey& to, double fraction)
{
    const double span = double{to.seconds} - double{from.seconds};
    const double t = fraction, t2 = t * t, t3 = t2 * t;
    SampleValues out(from.value.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = (2 * t3 - 3 * t2 + 1) * from.value[i] + span * (t3 - 2 * t2 + t) * from.out[i] +
                 (3 * t2 - 2 * t3) * to.value[i] + span * (t3 - t2) * to.in[i];
    return out;
}

KeyWriter::KeyWriter(scene::Interpolation interpolation, scene::Channel& channel) : channel_(channel)
{
    channel_.interpolation = interpolation;
}

void KeyWriter::append(const SampleValues& values)
{
    for (const double v : values)
        channel_.values.push_back(static_cast<float>(std::clamp(std::isnan(v) ? 0.0 : v, -1e38, 1e38)));
}

void KeyWriter::push(BakedKey key)
{
    finish();
    last_ = std::move(key);
}

void KeyWriter::finish()
{
    if (!last_) return;
    const bool cubic = channel_.interpolation == scene::Interpolation::cubic;
    channel_.times.push_back(last_->seconds);
    if (cubic) append(last_->in);
    append(last_->value);
    if (cubic) append(last_->out);
    last_.reset();
}

} // namespace vitrine::fbx
