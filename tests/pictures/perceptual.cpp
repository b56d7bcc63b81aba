#include "tests/pictures/perceptual.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include <glm/glm.hpp>

#include "loaders/base/srgb.hpp"

namespace vitrine::test {
namespace {

struct Plane {
    int width, height;
    std::vector<glm::vec3> pixels;

    const glm::vec3& at(int x, int y) const
    {
        const auto row = static_cast<std::size_t>(std::clamp(y, 0, height - 1));
        return pixels[row * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(std::clamp(x, 0, width - 1))];
    }
};

// Linear light, over a checker so that what is transparent differs from every color.
Plane linear_plane(const render::Frame& frame)
{
    Plane plane{static_cast<int>(frame.width), static_cast<int>(frame.height), {}};
    for (std::size_t i = 0; i < std::size_t{frame.width} * frame.height; ++i) {
        const auto* p = &frame.pixels[i * 4];
        const float alpha = static_cast<float>(p[3]) / 255.0f;
        const bool light = ((i % frame.width / 8) ^ (i / frame.width / 8)) & 1;
        glm::vec3 color;
        for (int c = 0; c < 3; ++c)
            color[c] = glm::mix(light ? 0.4f : 0.1f,
                                scene::linear_from_srgb(static_cast<float>(p[c]) / 255.0f), alpha);
        plane.pixels.push_back(color);
    }
    return plane;
}

Plane blurred_along(const Plane& from, int step_x, int step_y)
{
    // Sigma 1.2 pixels.
    constexpr std::array<float, 7> weights{0.0146f, 0.0829f, 0.2354f, 0.3342f, 0.2354f, 0.0829f, 0.0146f};
    Plane to{from.width, from.height, {}};
    to.pixels.reserve(from.pixels.size());
    for (int y = 0; y < from.height; ++y)
        for (int x = 0; x < from.width; ++x) {
            glm::vec3 sum(0.0f);
            for (int tap = 0; tap < 7; ++tap)
                sum += weights[static_cast<std::size_t>(tap)] *
                       from.at(x + step_x * (tap - 3), y + step_y * (tap - 3));
            to.pixels.push_back(sum);
        }
    return to;
}

// Bjorn Ottosson, "A perceptual color space for image processing" (2020).
glm::vec3 oklab(glm::vec3 c)
{
    const float l = std::cbrt(0.4122214708f * c.x + 0.5363325363f * c.y + 0.0514459929f * c.z);
    const float m = std::cbrt(0.2119034982f * c.x + 0.6806995451f * c.y + 0.1073969566f * c.z);
    const float s = std::cbrt(0.0883024619f * c.x + 0.2817188376f * c.y + 0.6299787005f * c.z);
    return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
            1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
            0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

std::vector<double> distances(const render::Frame& a, const render::Frame& b)
{
    assert(a.width == b.width && a.height == b.height && a.width > 0 && a.height > 0);
    const auto soft = [](const render::Frame& frame) {
        return blurred_along(blurred_along(linear_plane(frame), 1, 0), 0, 1);
    };
    const auto x = soft(a), y = soft(b);
    std::vector<double> apart;
    apart.reserve(x.pixels.size());
    for (std::size_t i = 0; i < x.pixels.size(); ++i)
        apart.push_back(glm::distance(oklab(x.pixels[i]), oklab(y.pixels[i])));
    return apart;
}

} // namespace

Difference difference(const render::Frame& a, const render::Frame& b)
{
    auto apart = distances(a, b);
    double sum = 0.0;
    for (const double distance : apart)
        sum += distance;
    const auto rank = apart.begin() + static_cast<std::ptrdiff_t>(apart.size() * 99 / 100);
    std::ranges::nth_element(apart, rank);
    return {sum / static_cast<double>(apart.size()), *rank};
}

render::Frame side_by_side(const render::Frame& a, const render::Frame& b)
{
    const auto apart = distances(a, b);
    render::Frame sheet;
    sheet.width = 3 * a.width;
    sheet.height = a.height;
    for (std::size_t y = 0; y < a.height; ++y) {
        const auto row = [&](const render::Frame& frame) {
            const auto first = frame.pixels.begin() + static_cast<std::ptrdiff_t>(y * a.width * 4);
            sheet.pixels.insert(sheet.pixels.end(), first, first + 4 * static_cast<std::ptrdiff_t>(a.width));
        };
        row(a);
        row(b);
        for (std::size_t x = 0; x < a.width; ++x) {
            const auto grey = static_cast<std::uint8_t>(std::min(1020.0 * apart[y * a.width + x], 255.0));
            sheet.pixels.insert(sheet.pixels.end(), {grey, grey, grey, 255});
        }
    }
    return sheet;
}

} // namespace vitrine::test
