// Mip maps of alpha-tested images: every level has the coverage of the first.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "vk_renderer/textures/alpha_coverage.hpp"
#include "vk_renderer/textures/textures.hpp"

namespace vitrine::render {
namespace {

using Pixels = std::vector<std::uint8_t>;

constexpr std::array<std::uint8_t, 3> green{40, 140, 40};

// Green with `alpha(x, y)`, white where that is 0.
template <class Alpha>
Pixels image_of(std::uint32_t width, std::uint32_t height, Alpha alpha)
{
    Pixels pixels;
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            const auto a = static_cast<std::uint8_t>(alpha(x, y));
            for (const auto c : green)
                pixels.push_back(a == 0 ? std::uint8_t{255} : c);
            pixels.push_back(a);
        }
    return pixels;
}

struct Level {
    std::uint32_t width, height;
    Pixels pixels;
};

std::vector<Level> levels_of(const Pixels& pixels, std::uint32_t width, std::uint32_t height,
                             std::uint8_t least)
{
    const auto smaller = alpha_coverage_mipmaps(pixels, width, height, least);
    std::vector<Level> levels;
    auto at = smaller.begin();
    for (std::uint32_t i = 1; i < alpha_coverage_levels(width, height); ++i) {
        const auto w = std::max(width >> i, 1u), h = std::max(height >> i, 1u);
        const auto end = at + static_cast<std::ptrdiff_t>(std::size_t{4} * w * h);
        levels.push_back({w, h, Pixels(at, end)});
        at = end;
    }
    EXPECT_EQ(at, smaller.end());
    return levels;
}

// Fraction visible through a linear filter at 8 x 8 points per texel of the repeating image.
double passing(const Level& level, std::uint8_t least)
{
    constexpr std::uint32_t points = 8;
    const auto alpha = [&](std::uint32_t x, std::uint32_t y) -> double {
        return level.pixels[(std::size_t{y % level.height} * level.width + x % level.width) * 4 + 3];
    };
    std::size_t passed = 0;
    for (std::uint32_t i = 0; i < level.height * points; ++i)
        for (std::uint32_t k = 0; k < level.width * points; ++k) {
            const auto x = k / points, y = i / points;
            const double u = (k % points + 0.5) / points, v = (i % points + 0.5) / points;
            const double above = alpha(x, y) * (1 - u) + alpha(x + 1, y) * u;
            const double below = alpha(x, y + 1) * (1 - u) + alpha(x + 1, y + 1) * u;
            passed += above * (1 - v) + below * v >= least - 0.25 ? 1 : 0;
        }
    return static_cast<double>(passed) / (points * points * level.width * level.height);
}

void expect_shown(const Pixels& pixels, std::uint32_t width, std::uint32_t height, std::uint8_t least)
{
    const double share = visible_fraction(pixels, least);
    const auto levels = levels_of(pixels, width, height, least);
    ASSERT_GE(levels.size(), 3u);
    for (const auto& level : levels)
        EXPECT_NEAR(passing(level, least), share, 0.05) << level.width << " wide, least " << int(least);
}

TEST(AlphaCoverage, IsEqualInEveryLevel)
{
    const auto stripes = [](std::uint32_t x, std::uint32_t) { return x % 8 < 2 ? 255 : 0; };
    const auto dots = [](std::uint32_t x, std::uint32_t y) { return x % 4 < 2 && y % 4 < 2 ? 255 : 0; };
    const auto holes = [](std::uint32_t x, std::uint32_t y) { return x % 4 < 1 && y % 4 < 1 ? 0 : 255; };
    const auto disc = [](std::uint32_t x, std::uint32_t y) {
        return std::hypot(x - 31.5, y - 31.5) < 20.0 ? 255 : 0;
    };
    const auto soft = [](std::uint32_t x, std::uint32_t y) { return (x * 4 + y * 37) % 256; };
    for (const auto least : std::to_array<std::uint8_t>({26, 128, 230})) {
        expect_shown(image_of(64, 64, stripes), 64, 64, least);
        expect_shown(image_of(64, 64, dots), 64, 64, least);
        expect_shown(image_of(64, 64, holes), 64, 64, least);
        expect_shown(image_of(64, 64, disc), 64, 64, least);
        expect_shown(image_of(128, 32, soft), 128, 32, least);
        expect_shown(image_of(101, 67, dots), 101, 67, least);
    }
}

TEST(AlphaCoverage, KeepsVisibleAndHiddenAreas)
{
    const auto pixels = image_of(64, 64, [](std::uint32_t x, std::uint32_t) { return x < 32 ? 200 : 0; });
    for (const auto& level : levels_of(pixels, 64, 64, 128))
        for (std::uint32_t i = 0; i < level.width * level.height; ++i) {
            const bool shown = i % level.width < level.width / 2;
            EXPECT_EQ(level.pixels[i * 4 + 3] >= 192, shown) << i << " of " << level.width;
            EXPECT_EQ(level.pixels[i * 4 + 3] <= 64, !shown) << i << " of " << level.width;
        }
}

TEST(AlphaCoverage, AveragesColorsOfVisibleTexels)
{
    const auto pixels = image_of(64, 64, [](std::uint32_t x, std::uint32_t) { return x % 8 < 2 ? 255 : 0; });
    const auto levels = levels_of(pixels, 64, 64, 128);
    const auto& last = levels.back();
    for (std::size_t i = 0; i < last.pixels.size(); i += 4)
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_NEAR(last.pixels[i + c], green[c], 1);
}

TEST(AlphaCoverage, KeepsEnoughTexelsInTheSmallestLevel)
{
    EXPECT_EQ(alpha_coverage_levels(1, 1), 1u);
    EXPECT_EQ(alpha_coverage_levels(8, 8), 1u);
    EXPECT_EQ(alpha_coverage_levels(64, 64), 4u);   // to 8 x 8
    EXPECT_EQ(alpha_coverage_levels(1024, 16), 5u); // to 64 x 1
    EXPECT_EQ(alpha_coverage_levels(256, 1), 3u);   // to 64 x 1
    EXPECT_TRUE(alpha_coverage_mipmaps(Pixels(4, 0), 1, 1, 128).empty());
}

TEST(AlphaCoverage, ComputesMinimumVisibleTextureAlpha)
{
    scene::Material material;
    material.base_color_texture.image = 0;
    EXPECT_EQ(min_visible_alpha(material), 0); // opaque
    material.alpha_mode = scene::AlphaMode::mask;
    EXPECT_EQ(min_visible_alpha(material), 128);
    material.base_color.w = 0.8f;
    EXPECT_EQ(min_visible_alpha(material), 160);
    material.base_color.w = 0.4f; // nothing is visible
    EXPECT_EQ(min_visible_alpha(material), 0);
    material.base_color.w = 0.0f;
    EXPECT_EQ(min_visible_alpha(material), 0);
    material.base_color.w = 1.0f;
    material.alpha_cutoff = 0.0f; // everything is visible
    EXPECT_EQ(min_visible_alpha(material), 0);
    material.alpha_cutoff = 1.0f;
    EXPECT_EQ(min_visible_alpha(material), 255);
    material.base_color_texture.image = scene::none;
    EXPECT_EQ(min_visible_alpha(material), 0);
}

TEST(AlphaCoverage, IsPreservedWhenScaledToTheDeviceLimit)
{
    const auto dots = [](std::uint32_t x, std::uint32_t y) { return x % 4 < 2 && y % 4 < 2 ? 255 : 0; };
    const scene::Image image{"dots", 128, 64, image_of(128, 64, dots)};
    const auto scaled = scaled_to_limit(image, 32, true, {.min_alpha = 128});
    ASSERT_EQ(scaled.width, 32u);
    ASSERT_EQ(scaled.height, 16u);
    EXPECT_NEAR(passing({32, 16, {scaled.pixels.begin(), scaled.pixels.end()}}, 128), 0.25, 0.05);
    EXPECT_EQ(scaled_to_limit(image, 128, true, {.min_alpha = 128}).pixels, image.pixels);
}

} // namespace
} // namespace vitrine::render
