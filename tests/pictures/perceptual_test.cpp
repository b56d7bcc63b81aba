#include "tests/pictures/perceptual.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace vitrine::test {
namespace {

constexpr std::uint32_t size = 64;

template <class Shade>
render::Frame paint(Shade shade)
{
    render::Frame frame;
    frame.width = frame.height = size;
    for (std::uint32_t y = 0; y < size; ++y)
        for (std::uint32_t x = 0; x < size; ++x) {
            const auto gray = static_cast<std::uint8_t>(shade(x, y));
            frame.pixels.own().insert(frame.pixels.own().end(), {gray, gray, gray, 255});
        }
    return frame;
}

std::uint8_t disc(double x, double y, double radius)
{
    const double inside = radius + 0.5 - std::hypot(x - 31.5, y - 31.5);
    return static_cast<std::uint8_t>(240.0 - 200.0 * std::clamp(inside, 0.0, 1.0));
}

TEST(Perceptual, IsZeroForEqualImages)
{
    const auto frame = paint([](auto x, auto y) { return disc(x, y, 20.0); });
    EXPECT_EQ(difference(frame, frame).mean, 0.0);
    EXPECT_EQ(difference(frame, frame).percentile_99, 0.0);
}

TEST(Perceptual, IsOneForBlackToWhite)
{
    const auto all = difference(paint([](auto, auto) { return 0; }), paint([](auto, auto) { return 255; }));
    EXPECT_NEAR(all.mean, 1.0, 1e-3);
    EXPECT_NEAR(all.percentile_99, 1.0, 1e-3);
}

TEST(Perceptual, WeighsAntialiasedEdgesLessThanASpot)
{
    const auto fine = paint([](auto x, auto y) { return disc(x, y, 20.0); });
    const auto hard = paint([](auto x, auto y) { return disc(x, y, 20.0) < 140 ? 40 : 240; });
    const auto spot = paint(
        [](auto x, auto y) { return x > 28 && x < 40 && y > 28 && y < 40 ? 80 : int{disc(x, y, 20.0)}; });
    EXPECT_LT(3.0 * difference(fine, hard).percentile_99, difference(fine, spot).percentile_99);
}

// The window is found at every position, and its distance does not depend on the size of the image.
TEST(Perceptual, FindsAWindowAtEveryPosition)
{
    const auto plain = paint([](auto, auto) { return 0; });
    for (const std::uint32_t at : {0u, 5u, 27u, 54u}) {
        const auto spot = paint(
            [at](auto x, auto y) { return x >= at && x < at + 10 && y >= 54 - at && y < 64 - at ? 255 : 0; });
        const auto apart = difference(plain, spot);
        EXPECT_GT(apart.window, 0.95) << at;
        EXPECT_GT(apart.window_color, 0.95) << at;
        EXPECT_LT(apart.mean, 0.06) << at;
    }
}

// Stripes and their inverse have the same mean color but look different.
TEST(Perceptual, MeasuresDistancesAndMeanColorsOfWindows)
{
    const auto stripes = paint([](auto x, auto) { return x / 4 % 2 == 0 ? 60 : 190; });
    const auto negative = paint([](auto x, auto) { return x / 4 % 2 == 0 ? 190 : 60; });
    const auto inside = Coverage(std::size_t{size} * size, 1.0f);
    const auto apart = difference(stripes, negative, inside);
    EXPECT_GT(apart.window, 0.2);
    EXPECT_LT(4.0 * apart.window_color, apart.window);
}

// In an image that is empty except for a model of 20 x 20 pixels, only those pixels count.
TEST(Perceptual, IgnoresTheEmptyBackground)
{
    const auto is_model = [](auto x, auto y) { return x >= 20 && x < 40 && y >= 20 && y < 40; };
    const auto bright = paint([&](auto x, auto y) { return is_model(x, y) ? 200 : 128; });
    const auto dark = paint([&](auto x, auto y) { return is_model(x, y) ? 191 : 128; });
    Coverage model;
    for (std::uint32_t y = 0; y < size; ++y)
        for (std::uint32_t x = 0; x < size; ++x)
            model.push_back(is_model(x, y) ? 1.0f : 0.0f);
    const auto apart = difference(bright, dark, model);
    // 200 and 191 of 255 by IEC 61966-2-1: linear 0.5776 and 0.5210; the cube roots 0.8328 and 0.8047.
    EXPECT_NEAR(apart.brightness, 1.0 - 0.5210 / 0.5776, 1e-3);
    EXPECT_NEAR(apart.mean, 0.8328 - 0.8047, 3e-3); // the blur moves part of it across the edge
    EXPECT_NEAR(apart.percentile_99, 0.8328 - 0.8047, 1e-3);
    EXPECT_LT(difference(bright, dark).mean, 0.2 * apart.mean);
}

TEST(Perceptual, LimitsEveryMember)
{
    const Difference limit{0.1, 0.1, 0.1, 0.1, 0.1};
    EXPECT_TRUE(within(limit, limit));
    for (const auto member : {&Difference::mean, &Difference::percentile_99, &Difference::window,
                              &Difference::window_color, &Difference::brightness}) {
        auto more = limit;
        more.*member = 0.11;
        EXPECT_FALSE(within(more, limit));
    }
}

TEST(Perceptual, IncludesAlpha)
{
    auto frame = paint([](auto, auto) { return 128; });
    const auto opaque = frame;
    for (std::size_t i = 3; i < frame.pixels.size(); i += 4)
        frame.pixels.own()[i] = 0;
    EXPECT_GT(difference(opaque, frame).mean, 0.05);
}

TEST(Perceptual, ShowsBothImagesAndTheDistancesSideBySide)
{
    const auto black = paint([](auto, auto) { return 0; });
    const auto white = paint([](auto, auto) { return 255; });
    const auto sheet = side_by_side(black, white);
    ASSERT_EQ(sheet.width, 3 * size);
    ASSERT_EQ(sheet.pixels.size(), std::size_t{3} * size * size * 4);
    EXPECT_EQ(sheet.pixels[0], 0);
    EXPECT_EQ(sheet.pixels[std::size_t{size} * 4], 255);
    EXPECT_EQ(sheet.pixels[std::size_t{2} * size * 4], 255);
}

} // namespace
} // namespace vitrine::test
