// Hidden texels take the color of what is shown near them.

#include <gtest/gtest.h>

#include "vk_renderer/textures/alpha_bleed.hpp"
#include "vk_renderer/textures/alpha_coverage.hpp"
#include "vk_renderer/textures/mipmaps.hpp"

namespace vitrine::render {
namespace {

using Pixels = std::vector<std::uint8_t>;

// White, but for a green leaf of alpha 255 over x in [left, right).
Pixels leaf(std::uint32_t width, std::uint32_t height, std::uint32_t left, std::uint32_t right)
{
    Pixels pixels;
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            const bool shown = x >= left && x < right;
            pixels.insert(pixels.end(), {static_cast<std::uint8_t>(shown ? 10 : 255),
                                         static_cast<std::uint8_t>(shown ? 200 : 255),
                                         static_cast<std::uint8_t>(shown ? 30 : 255),
                                         static_cast<std::uint8_t>(shown ? 255 : 0)});
        }
    return pixels;
}

void expect_green(std::span<const std::uint8_t> pixels)
{
    for (std::size_t at = 0; at < pixels.size(); at += 4) {
        ASSERT_EQ(int{pixels[at]}, 10) << at / 4;
        ASSERT_EQ(int{pixels[at + 1]}, 200) << at / 4;
        ASSERT_EQ(int{pixels[at + 2]}, 30) << at / 4;
    }
}

TEST(Bleed, ColorsAllThatIsHiddenAndKeepsAlpha)
{
    for (const auto& [width, height, left, right] :
         {std::array{8u, 8u, 3u, 4u}, {7u, 5u, 0u, 2u}, {16u, 1u, 15u, 16u}, {33u, 2u, 32u, 33u}}) {
        const auto pixels = leaf(width, height, left, right);
        const auto out = bleed(pixels, width, height, 1);
        ASSERT_EQ(out.size(), pixels.size());
        const bool is_odd =
            right > width / 2 * 2; // the last column of an odd width is seen by none but itself
        if (!is_odd) expect_green(out);
        for (std::size_t at = 3; at < out.size(); at += 4)
            EXPECT_EQ(out[at], pixels[at]);
    }
}

TEST(Bleed, WhatIsBelowTheCutoffIsHidden)
{
    auto pixels = leaf(8, 8, 2, 6);
    for (std::size_t at = 3; at < pixels.size(); at += 4)
        if (pixels[at] == 0) pixels[at] = 100;
    EXPECT_TRUE(bleed(pixels, 8, 8, 100).empty());
    expect_green(bleed(pixels, 8, 8, 128));
}

TEST(Bleed, IsNothingWhereNothingOrAllIsHidden)
{
    EXPECT_TRUE(bleed(leaf(4, 4, 0, 4), 4, 4, 1).empty());
    EXPECT_TRUE(bleed(leaf(4, 4, 0, 0), 4, 4, 1).empty());
    EXPECT_TRUE(bleed({}, 0, 0, 1).empty());
}

TEST(Bleed, SmallerLevelsOfABlendedImageAreGreenToo)
{
    const auto levels = blended_mipmaps(leaf(16, 16, 5, 9), 16, 16);
    const auto half = std::span(levels).first(std::size_t{4} * 8 * 8);
    for (std::size_t at = 0; at < half.size(); at += 4)
        if (half[at + 3] > 0) expect_green(half.subspan(at, 4));
    EXPECT_NEAR(levels.back(), 64, 4) << "a quarter of it is shown";
}

TEST(AlphaFilters, AreOfWhatTheMaterialAndTheImageSay)
{
    scene::Scene scene;
    scene.images.push_back({.name = {}, .width = 4, .height = 4, .pixels = leaf(4, 4, 0, 2)});
    scene.images.push_back({.name = {}, .width = 4, .height = 4, .pixels = leaf(4, 4, 0, 4)});
    AlphaFilters uses(scene);
    scene::Material material;
    EXPECT_FALSE(uses.of(material).any());
    material.alpha_mode = scene::AlphaMode::blend;
    material.base_color_texture.image = 0;
    EXPECT_EQ(uses.of(material), (AlphaFilter{.weights_color = true}));
    material.base_color_texture.image = 1;
    EXPECT_FALSE(uses.of(material).any()) << "opaque";
    material.alpha_mode = scene::AlphaMode::mask;
    EXPECT_EQ(uses.of(material), (AlphaFilter{.least = 128}));
}

} // namespace
} // namespace vitrine::render
