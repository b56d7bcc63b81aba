#include "loaders/fbx/meshes/blend_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vitrine::fbx {
namespace {

// Percentages and full weights are arbitrary numbers; weights must be finite.
float to_weight(double weight)
{
    constexpr double max_weight = std::numeric_limits<float>::max();
    return std::isnan(weight) ? 0.0f : static_cast<float>(std::clamp(weight, -max_weight, max_weight));
}

} // namespace

void ramp_weights(std::span<const double> full_weights, double percent, std::span<float> weights)
{
    std::ranges::fill(weights, 0.0f);
    if (full_weights.empty()) return;
    // The neighbors from 0 in the direction of `percent`; the first interval starts without a target.
    const auto count = static_cast<std::ptrdiff_t>(full_weights.size());
    const auto above = std::ranges::upper_bound(full_weights, 0.0) - full_weights.begin();
    const std::ptrdiff_t step = percent > 0.0 ? 1 : -1;
    std::ptrdiff_t to =
        percent > 0.0 ? above : std::ranges::lower_bound(full_weights, 0.0) - full_weights.begin() - 1;
    std::ptrdiff_t from = -1;
    if (to < 0 || to >= count) { // all targets have the other sign
        to = percent > 0.0 ? count - 1 : 0;
        const double full = full_weights[static_cast<std::size_t>(to)];
        if (full != 0.0) weights[static_cast<std::size_t>(to)] = to_weight(percent / full);
        return;
    }
    while (to + step >= 0 && to + step < count &&
           (percent - full_weights[static_cast<std::size_t>(to)]) * static_cast<double>(step) > 0.0) {
        from = to;
        to += step;
    }
    const double start = from < 0 ? 0.0 : full_weights[static_cast<std::size_t>(from)];
    const double length = full_weights[static_cast<std::size_t>(to)] - start;
    if (length == 0.0) return;
    const double fraction = (percent - start) / length;
    if (from >= 0) weights[static_cast<std::size_t>(from)] = to_weight(1.0 - fraction);
    weights[static_cast<std::size_t>(to)] = to_weight(fraction);
}

} // namespace vitrine::fbx
