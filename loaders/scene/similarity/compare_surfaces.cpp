// Which surfaces are alike.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "loaders/scene/similarity/buckets.hpp"
#include "loaders/scene/similarity/similarity.hpp"

namespace vitrine::scene {
namespace {

using Surface = SurfaceSignature;

// By which the invariants of a surface and of the same one with a few percent fewer triangles may differ.
constexpr std::array<double, Surface::invariants> tolerances{0.01, 0.01, 0.025, 0.015, 0.015, 0.015, 0.002};
constexpr double share_tolerance = 0.012; // mean difference of the shares of distances
// Of the tolerances: what rounding changes. Parts of few faces are alike only within this, because simple
// shapes of other proportions are near.
constexpr double same_surface = 0.1;
constexpr std::uint32_t min_detailed = 64; // directions
// Points are spread anew over other triangles.
constexpr double share_noise = 0.016;

std::array<GridNumber, 5> grid_numbers(const Surface& s)
{
    std::array<GridNumber, 5> numbers;
    std::size_t i = 0;
    for (const auto invariant :
         {Surface::middle, Surface::least, Surface::area, Surface::kurtosis, Surface::volume})
        numbers[i++] = {s.values[invariant], tolerances[invariant]};
    return numbers;
}

template <std::size_t N>
double mean_difference(const std::array<std::uint8_t, N>& a, const std::array<std::uint8_t, N>& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < N; ++i)
        sum += std::abs(int{a[i]} - int{b[i]});
    return sum / (255.0 * N);
}

} // namespace

std::int64_t bucket_of(const SurfaceSignature& signature)
{
    return pack_cells(grid_numbers(signature));
}

std::vector<std::int64_t> buckets_near(const SurfaceSignature& signature)
{
    const bool is_simple = signature.directions < min_detailed;
    return pack_cells_near(grid_numbers(signature), is_simple ? same_surface : 1.0);
}

std::optional<SurfaceMatch> compare(const SurfaceSignature& a, const SurfaceSignature& b)
{
    double exact = 0.0;
    for (std::size_t i = 0; i < tolerances.size(); ++i)
        exact = std::max(exact, std::abs(a.values[i] - b.values[i]) / tolerances[i]);
    const double shares =
        std::max(mean_difference(a.radii, b.radii), mean_difference(a.distances, b.distances));
    SurfaceMatch match{.scale = b.size / a.size, .is_mirrored = a.handedness * b.handedness < 0};
    if (exact <= same_surface && shares <= share_noise) {
        match.score = 1.0 - 0.05 * exact / same_surface;
        return match;
    }
    const double off = std::max(exact, shares / share_tolerance);
    if (off > 1.0 || std::min(a.directions, b.directions) < min_detailed) return std::nullopt;
    match.score = 0.95 - 0.45 * off;
    return match;
}

} // namespace vitrine::scene
