#include "tests/pictures/perceptual.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

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

// Linear light of a pixel over a dark or light square.
glm::vec3 composited(const std::uint8_t* rgba, bool light)
{
    const float alpha = static_cast<float>(rgba[3]) / 255.0f;
    glm::vec3 color;
    for (int c = 0; c < 3; ++c)
        color[c] = glm::mix(light ? 0.4f : 0.1f, linear_from_byte(rgba[c]), alpha);
    return color;
}

// Linear light over a checkerboard, so that transparency differs from every color.
Plane linear_plane(const render::Frame& frame)
{
    Plane plane{static_cast<int>(frame.width), static_cast<int>(frame.height), {}};
    plane.pixels.reserve(std::size_t{frame.width} * frame.height);
    for (std::size_t y = 0; y < frame.height; ++y)
        for (std::size_t x = 0; x < frame.width; ++x)
            plane.pixels.push_back(
                composited(&frame.pixels[(y * frame.width + x) * 4], ((x / 8) ^ (y / 8)) & 1));
    return plane;
}

// Gaussian with sigma 1.2 pixels.
constexpr std::array<float, 7> weights{0.0146f, 0.0829f, 0.2354f, 0.3342f, 0.2354f, 0.0829f, 0.0146f};

Plane blurred_along(const Plane& from, int step_x, int step_y)
{
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

// As blurred_along() of a plane of this color.
glm::vec3 blurred_uniform(glm::vec3 color)
{
    glm::vec3 sum(0.0f);
    for (const float weight : weights)
        sum += weight * color;
    return sum;
}

// OKLab: Bjorn Ottosson, "A perceptual color space for image processing" (2020).
glm::vec3 oklab(glm::vec3 c)
{
    const float l = std::cbrt(0.4122214708f * c.x + 0.5363325363f * c.y + 0.0514459929f * c.z);
    const float m = std::cbrt(0.2119034982f * c.x + 0.6806995451f * c.y + 0.1073969566f * c.z);
    const float s = std::cbrt(0.0883024619f * c.x + 0.2817188376f * c.y + 0.6299787005f * c.z);
    return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
            1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
            0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

constexpr int window_size = 8;

// Smaller models, in pixels, count as this large, because fractions of a few pixels are not significant.
constexpr double min_area = 256.0;

float luminance_of(glm::vec3 linear)
{
    return glm::dot(linear, glm::vec3(0.2126f, 0.7152f, 0.0722f));
}

glm::dvec3 color_change(const Appearance& a, const Appearance& b, std::size_t pixel)
{
    return glm::dvec3(b.colors[pixel]) - glm::dvec3(a.colors[pixel]);
}

std::vector<double> distances(const Appearance& a, const Appearance& b)
{
    assert(a.width == b.width && a.height == b.height);
    std::vector<double> apart;
    apart.reserve(a.colors.size());
    for (std::size_t i = 0; i < a.colors.size(); ++i)
        apart.push_back(glm::length(color_change(a, b, i)));
    return apart;
}

// Returns the largest length of a window's summed color change (xyz) and its largest sum of distances (w),
// from a summed-area table.
std::pair<double, double> largest_window_sums(const Appearance& a, const Appearance& b,
                                              const std::vector<double>& apart)
{
    const std::size_t width = a.width, height = a.height, stride = width + 1;
    std::vector<glm::dvec4> sums(stride * (height + 1), glm::dvec4(0.0));
    std::pair largest{0.0, 0.0};
    for (std::size_t y = 1; y <= height; ++y) {
        glm::dvec4 row(0.0);
        for (std::size_t x = 1; x <= width; ++x) {
            const std::size_t pixel = (y - 1) * width + x - 1;
            row += glm::dvec4(color_change(a, b, pixel), apart[pixel]);
            sums[y * stride + x] = sums[(y - 1) * stride + x] + row;
            if (x < window_size || y < window_size) continue;
            const glm::dvec4 sum = sums[y * stride + x] - sums[(y - window_size) * stride + x] -
                                   sums[y * stride + x - window_size] +
                                   sums[(y - window_size) * stride + x - window_size];
            largest.first = std::max(largest.first, glm::length(glm::dvec3(sum)));
            largest.second = std::max(largest.second, sum.w);
        }
    }
    return largest;
}

double brightness_change(const Appearance& a, const Appearance& b, const Coverage& model)
{
    double sum_a = 0.0, sum_b = 0.0, area = 0.0;
    for (std::size_t i = 0; i < a.luminance.size(); ++i) {
        const double share = model.empty() ? 1.0 : static_cast<double>(model[i]);
        sum_a += share * static_cast<double>(a.luminance[i]);
        sum_b += share * static_cast<double>(b.luminance[i]);
        area += share;
    }
    // For black models, the rounding of each pixel would be a large fraction.
    constexpr double darkest = 0.01;
    return std::abs(sum_b - sum_a) / std::max(sum_a, darkest * std::max(area, min_area));
}

} // namespace

float linear_from_byte(std::uint8_t value)
{
    static const auto table = [] {
        std::array<float, 256> linear;
        for (std::size_t i = 0; i < linear.size(); ++i)
            linear[i] = linear_from_srgb(static_cast<float>(i) / 255.0f);
        return linear;
    }();
    return table[value];
}

std::array<glm::vec3, 2> colors_of_surface(const std::array<std::uint8_t, 4>& rgba)
{
    const auto color = [&](bool light) {
        return oklab(blurred_uniform(blurred_uniform(composited(rgba.data(), light))));
    };
    return {color(false), color(true)};
}

Coverage coverage_of(const render::Frame& frame)
{
    Coverage coverage;
    coverage.reserve(frame.pixels.size() / 4);
    for (std::size_t i = 3; i < frame.pixels.size(); i += 4)
        coverage.push_back(static_cast<float>(frame.pixels[i]) / 255.0f);
    return coverage;
}

bool within(const Difference& measured, const Difference& limit)
{
    return measured.mean <= limit.mean && measured.percentile_99 <= limit.percentile_99 &&
           measured.window <= limit.window && measured.window_color <= limit.window_color &&
           measured.brightness <= limit.brightness;
}

Appearance appearance_of(const render::Frame& frame)
{
    assert(frame.width > 0 && frame.height > 0);
    const auto linear = linear_plane(frame);
    const auto soft = blurred_along(blurred_along(linear, 1, 0), 0, 1);
    Appearance appearance{frame.width, frame.height, {}, {}};
    appearance.colors.reserve(soft.pixels.size());
    appearance.luminance.reserve(soft.pixels.size());
    for (std::size_t i = 0; i < soft.pixels.size(); ++i) {
        appearance.colors.push_back(oklab(soft.pixels[i]));
        appearance.luminance.push_back(luminance_of(linear.pixels[i]));
    }
    return appearance;
}

Difference difference(const Appearance& a, const Appearance& b, const Coverage& model)
{
    assert(model.empty() || model.size() == a.colors.size());
    auto apart = distances(a, b);
    const auto [color, distance] = largest_window_sums(a, b, apart);
    constexpr double pixels = window_size * window_size;
    const double area = model.empty() ? static_cast<double>(apart.size())
                                      : std::max(min_area, std::accumulate(model.begin(), model.end(), 0.0));
    const auto rank = apart.begin() + static_cast<std::ptrdiff_t>(area / 100.0);
    std::ranges::nth_element(apart, rank, std::greater());
    return {.mean = std::accumulate(apart.begin(), apart.end(), 0.0) / area,
            .percentile_99 = *rank,
            .window = distance / pixels,
            .window_color = color / pixels,
            .brightness = brightness_change(a, b, model)};
}

Difference difference(const render::Frame& a, const render::Frame& b, const Coverage& model)
{
    return difference(appearance_of(a), appearance_of(b), model);
}

render::Frame side_by_side(const render::Frame& a, const render::Frame& b)
{
    const auto apart = distances(appearance_of(a), appearance_of(b));
    render::Frame sheet;
    sheet.width = 3 * a.width;
    sheet.height = a.height;
    for (std::size_t y = 0; y < a.height; ++y) {
        const auto row = [&](const render::Frame& frame) {
            const auto first = frame.pixels.begin() + static_cast<std::ptrdiff_t>(y * a.width * 4);
            sheet.pixels.own().insert(sheet.pixels.own().end(), first,
                                      first + 4 * static_cast<std::ptrdiff_t>(a.width));
        };
        row(a);
        row(b);
        for (std::size_t x = 0; x < a.width; ++x) {
            const auto gray = static_cast<std::uint8_t>(std::min(1020.0 * apart[y * a.width + x], 255.0));
            sheet.pixels.own().insert(sheet.pixels.own().end(), {gray, gray, gray, 255});
        }
    }
    return sheet;
}

} // namespace vitrine::test
