#include "tests/pictures/injected_defects.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

namespace vitrine::test {
namespace {

constexpr std::uint32_t side = 64;

using Rgb = std::array<std::uint8_t, 3>;

// A block of 30 x 30 pixels of two colors on white.
render::Frame block(Rgb left, Rgb right)
{
    render::Frame frame;
    frame.width = frame.height = side;
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x) {
            const bool inside = x >= 20 && x < 50 && y >= 20 && y < 50;
            const Rgb color = inside ? (x < 35 ? left : right) : Rgb{255, 255, 255};
            frame.pixels.own().insert(frame.pixels.own().end(), {color[0], color[1], color[2], 255});
        }
    return frame;
}

Coverage block_coverage()
{
    Coverage model;
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x)
            model.push_back(x >= 20 && x < 50 && y >= 20 && y < 50 ? 1.0f : 0.0f);
    return model;
}

std::size_t changed_pixels(const render::Frame& a, const render::Frame& b)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.pixels.size(); i += 4)
        count += std::equal(&a.pixels[i], &a.pixels[i] + 4, &b.pixels[i]) ? 0 : 1;
    return count;
}

const PlantedDefect* find(const std::vector<PlantedDefect>& defects, std::string_view name)
{
    const auto found = std::ranges::find(defects, name, &PlantedDefect::name);
    return found == defects.end() ? nullptr : &*found;
}

TEST(PlantedDefects, MatchTheirDescriptions)
{
    const auto frame = block({200, 40, 40}, {40, 40, 200});
    const auto defects = plant_defects(frame, appearance_of(frame), block_coverage());
    for (const auto* name : {"darker", "hole", "painted", "recolored", "shifted"})
        ASSERT_NE(find(defects, name), nullptr) << name;
    EXPECT_EQ(changed_pixels(frame, find(defects, "darker")->frame), 900u);
    EXPECT_EQ(changed_pixels(frame, find(defects, "hole")->frame), 100u);
    EXPECT_EQ(changed_pixels(frame, find(defects, "painted")->frame), 100u);
    EXPECT_EQ(changed_pixels(frame, find(defects, "recolored")->frame), 450u);
    const auto shifted = changed_pixels(frame, find(defects, "shifted")->frame);
    EXPECT_GT(shifted, 20u);
    EXPECT_LE(shifted, 24u * 6u);
}

// 0.9 of the linear light of 200 (0.5776) is 0.5198, which is 190.8 of 255 (IEC 61966-2-1).
TEST(PlantedDefects, DarkensToNineTenthsOfTheLight)
{
    const auto frame = block({200, 0, 0}, {200, 0, 0});
    const auto defects = plant_defects(frame, appearance_of(frame), block_coverage());
    const auto& darker = find(defects, "darker")->frame;
    constexpr std::size_t middle = std::size_t{25} * side + 25;
    EXPECT_EQ(darker.pixels[middle * 4], 191);
    EXPECT_EQ(darker.pixels[0], 255);
}

TEST(PlantedDefects, OmitsPaintingOverAUniformSurface)
{
    auto everywhere = block({90, 90, 90}, {90, 90, 90});
    for (std::size_t i = 0; i < everywhere.pixels.size(); ++i)
        if (i % 4 != 3) everywhere.pixels.own()[i] = 90;
    const auto defects = plant_defects(everywhere, appearance_of(everywhere), block_coverage());
    EXPECT_EQ(find(defects, "painted"), nullptr);
    EXPECT_EQ(find(defects, "shifted"), nullptr);
    EXPECT_NE(find(defects, "darker"), nullptr);
}

TEST(PlantedDefects, MeasureVisibilityOverTenByTenPixels)
{
    auto a = appearance_of(block({0, 0, 0}, {0, 0, 0}));
    auto b = a;
    for (std::size_t y = 30; y < 40; ++y) // 50 pixels of a square of 100
        for (std::size_t x = 30; x < 35; ++x)
            b.colors[y * side + x].x += 0.5f;
    EXPECT_NEAR(largest_square_distance(a, b), 0.25, 1e-5);
}

} // namespace
} // namespace vitrine::test
