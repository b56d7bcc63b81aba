#include "loaders/scene/motion/curve_extrema.hpp"

#include <array>
#include <cmath>

namespace vitrine::scene {
namespace {

// Roots of a x^2 + b x + c, without cancellation (Press et al., "Numerical Recipes", 5.6). Missing roots are
// NaN or infinite.
std::array<double, 2> roots(double a, double b, double c)
{
    const double q = -0.5 * (b + std::copysign(std::sqrt(b * b - 4.0 * a * c), b));
    return {q / a, c / q};
}

} // namespace

std::vector<double> find_extrema(const Channel& channel)
{
    std::vector<double> times;
    if (channel.interpolation != Interpolation::cubic || channel.times.empty()) return times;
    const std::size_t components = channel.values.size() / (3 * channel.times.size());
    for (std::size_t key = 0; key + 1 < channel.times.size(); ++key) {
        const double start = channel.times[key], width = channel.times[key + 1] - start;
        const float* from = channel.values.data() + 3 * components * key;
        const float* to = from + 3 * components;
        for (std::size_t i = 0; i < components; ++i) {
            // Derivative of a Hermite curve on 0 .. 1.
            const double rise = double{to[components + i]} - double{from[components + i]};
            const double leaves = width * double{from[2 * components + i]}, arrives = width * double{to[i]};
            for (const double s : roots(3.0 * (leaves + arrives - 2.0 * rise),
                                        6.0 * rise - 4.0 * leaves - 2.0 * arrives, leaves))
                if (s > 0.0 && s < 1.0) times.push_back(start + s * width);
        }
    }
    return times;
}

} // namespace vitrine::scene
