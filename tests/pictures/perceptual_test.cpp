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
            const auto grey = static_cast<std::uint8_t>(shade(x, y));
            frame.pixels.insert(frame.pixels.end(), {grey, grey, grey, 255});
        }
    return frame;
}

std::uint8_t disc(double x, double y, double radius)
{
    const double inside = radius + 0.5 - std::hypot(x - 31.5, y - 31.5);
    return static_cast<std::uint8_t>(240.0 - 200.0 * std::clamp(inside, 0.0, 1.0));
}

TEST(Perceptual, TheSamePictureIsNoDifference)
{
    const auto frame = paint([](auto x, auto y) { return disc(x, y, 20.0); });
    EXPECT_EQ(difference(frame, frame).mean, 0.0);
    EXPECT_EQ(difference(frame, frame).percentile_99, 0.0);
}

TEST(Perceptual, BlackToWhiteIsOne)
{
    const auto all = difference(paint([](auto, auto) { return 0; }), paint([](auto, auto) { return 255; }));
    EXPECT_NEAR(all.mean, 1.0, 1e-3);
    EXPECT_NEAR(all.percentile_99, 1.0, 1e-3);
}

TEST(Perceptual, AntialiasedEdgesMatterLessThanASpot)
{
    const auto fine = paint([](auto x, auto y) { return disc(x, y, 20.0); });
    const auto hard = paint([](auto x, auto y) { return disc(x, y, 20.0) < 140 ? 40 : 240; });
    const auto spot = paint(
        [](auto x, auto y) { return x > 28 && x < 40 && y > 28 && y < 40 ? 80 : int{disc(x, y, 20.0)}; });
    EXPECT_LT(3.0 * difference(fine, hard).percentile_99, difference(fine, spot).percentile_99);
}

TEST(Perceptual, AlphaCounts)
{
    auto frame = paint([](auto, auto) { return 128; });
    const auto opaque = frame;
    for (std::size_t i = 3; i < frame.pixels.size(); i += 4)
        frame.pixels[i] = 0;
    EXPECT_GT(difference(opaque, frame).mean, 0.05);
}

TEST(Perceptual, TheSheetHoldsBothAndTheDistances)
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
