// Mip maps compared with means computed in floating point.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "vk_renderer/textures/mipmaps.hpp"

namespace vitrine::render {
namespace {

double to_linear(double srgb)
{
    return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
}

double to_srgb(double linear)
{
    return linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}

using Pixels = std::vector<std::uint8_t>;

Pixels half(const Pixels& pixels, std::uint32_t width, std::uint32_t height, bool srgb)
{
    Pixels out(std::size_t{4} * std::max(width / 2, 1u) * std::max(height / 2, 1u));
    downsample(pixels, width, height, srgb, out);
    return out;
}

TEST(Mipmaps, ContainAllLevelsDownToOneTexel)
{
    Pixels pixels(std::size_t{4} * 5 * 3);
    for (std::size_t i = 0; i < pixels.size(); ++i)
        pixels[i] = static_cast<std::uint8_t>(i * 37);
    for (const bool srgb : {false, true}) {
        const Pixels second = half(pixels, 5, 3, srgb), third = half(second, 2, 1, srgb);
        Pixels levels = second;
        levels.insert(levels.end(), third.begin(), third.end());
        EXPECT_EQ(mipmaps(pixels, 5, 3, srgb), levels);
    }
    EXPECT_TRUE(mipmaps(Pixels(4, 7), 1, 1, true).empty());
}

TEST(Mipmaps, PreserveUniformGray)
{
    for (int gray = 0; gray < 256; ++gray) {
        const Pixels flat(std::size_t{4} * 4, static_cast<std::uint8_t>(gray));
        EXPECT_EQ(half(flat, 2, 2, true), Pixels(4, static_cast<std::uint8_t>(gray)));
        EXPECT_EQ(half(flat, 2, 2, false), Pixels(4, static_cast<std::uint8_t>(gray)));
    }
}

TEST(Mipmaps, AverageColorsButNotAlphaInLinearLight)
{
    for (int dark = 0; dark < 256; dark += 3)
        for (int bright = dark; bright < 256; bright += 7) {
            const auto a = static_cast<std::uint8_t>(dark), b = static_cast<std::uint8_t>(bright);
            const auto out = half({a, a, a, a, b, b, b, b, a, a, a, a, b, b, b, b}, 2, 2, true);
            const double mean = 0.5 * (to_linear(dark / 255.0) + to_linear(bright / 255.0));
            EXPECT_NEAR(out[0], to_srgb(mean) * 255.0, 0.75) << dark << " and " << bright;
            EXPECT_NEAR(out[3], 0.5 * (dark + bright), 0.5);
        }
}

TEST(Mipmaps, HandleOddSidesAndSinglePixels)
{
    const Pixels row{0, 0, 0, 0, 100, 100, 100, 100, 200, 200, 200, 200};
    EXPECT_EQ(half(row, 3, 1, false), Pixels(4, 50)); // the third column is dropped
    EXPECT_EQ(half(row, 1, 3, false), Pixels(4, 50));
    EXPECT_EQ(half({7, 8, 9, 10}, 1, 1, true), (Pixels{7, 8, 9, 10}));
}

TEST(Mipmaps, AverageFourTexels)
{
    Pixels pixels;
    for (int i = 0; i < 8 * 4; ++i) // 8 x 4 gray values
        pixels.insert(pixels.end(), 4, static_cast<std::uint8_t>(i * 4));
    const auto out = half(pixels, 8, 4, false);
    for (std::size_t y = 0; y < 2; ++y)
        for (std::size_t x = 0; x < 4; ++x)
            EXPECT_EQ(out[(y * 4 + x) * 4], (y * 2 * 8 + x * 2) * 4 + 18); // neighbors: +4, +32, +36
}

} // namespace
} // namespace vitrine::render
