#include "loaders/fbx/curves/sample_values.hpp"

#include <algorithm>
#include <cmath>

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

} // namespace vitrine::fbx
