#include "tests/corpus/silhouette_mask.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace vitrine::test {
namespace {

constexpr int background_tolerance = 24; // of 255

} // namespace

Mask::Mask(int w, int h)
    : width(w), height(h), covered(static_cast<std::size_t>(w) * static_cast<std::size_t>(h))
{
}

Mask silhouette_of(const scene::Image& image)
{
    Mask mask(static_cast<int>(image.width), static_cast<int>(image.height));
    for (std::size_t i = 0; i < mask.covered.size(); ++i)
        for (std::size_t channel = 0; channel < 3; ++channel)
            if (std::abs(int{image.pixels[4 * i + channel]} - int{image.pixels[channel]}) >
                background_tolerance)
                mask.covered[i] = true;
    return mask;
}

void fill(Mask& mask, const std::array<glm::dvec2, 3>& p)
{
    const auto edge = [](const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c) {
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    };
    const auto clamped = [](double v, int most) {
        return static_cast<int>(std::clamp(v, 0.0, double(most)));
    };
    const auto [left, right] = std::minmax({p[0].x, p[1].x, p[2].x});
    const auto [top, bottom] = std::minmax({p[0].y, p[1].y, p[2].y});
    for (int y = clamped(top, mask.height); y < clamped(bottom + 1.0, mask.height); ++y)
        for (int x = clamped(left, mask.width); x < clamped(right + 1.0, mask.width); ++x) {
            const glm::dvec2 c(x + 0.5, y + 0.5);
            const double a = edge(p[0], p[1], c), b = edge(p[1], p[2], c), d = edge(p[2], p[0], c);
            if ((a >= 0.0 && b >= 0.0 && d >= 0.0) || (a <= 0.0 && b <= 0.0 && d <= 0.0))
                mask.at(x, y) = true;
        }
}

double overlap(const Mask& a, const Mask& b)
{
    std::size_t both = 0, either = 0;
    for (std::size_t i = 0; i < a.covered.size(); ++i) {
        both += a.covered[i] && b.covered[i] ? 1 : 0;
        either += a.covered[i] || b.covered[i] ? 1 : 0;
    }
    return either == 0 ? 1.0 : static_cast<double>(both) / static_cast<double>(either);
}

} // namespace vitrine::test
