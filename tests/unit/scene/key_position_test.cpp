#include "loaders/scene/motion/key_position.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace vitrine::scene {
namespace {

bool same_position(const KeyPosition& a, const KeyPosition& b)
{
    return a.key == b.key && a.between == b.between && a.fraction == b.fraction && a.span == b.span;
}

TEST(KeyPosition, IsBetweenKeysOrOnOne)
{
    const std::vector<float> times{1.0f, 2.0f, 4.0f};
    const auto at = [&](double time) { return find_keys(times, Interpolation::linear, time); };
    EXPECT_TRUE(same_position(at(-5.0), {}));
    EXPECT_TRUE(same_position(at(3.0), {.key = 1, .between = true, .fraction = 0.5, .span = 2.0}));
    EXPECT_TRUE(same_position(at(2.0), {.key = 1, .between = true, .fraction = 0.0, .span = 2.0}));
    EXPECT_TRUE(same_position(at(4.0), {.key = 2}));
    EXPECT_TRUE(same_position(at(9.0), {.key = 2}));
}

void expect_lane(const KeyLanes& lanes, std::size_t i, const KeyPosition& expected, bool step)
{
    const bool between = expected.between && !step; // a step is not interpolated
    EXPECT_EQ(lanes.from[i], expected.key);
    EXPECT_EQ(lanes.to[i], expected.key + (between ? 1 : 0));
    EXPECT_EQ(lanes.between[i], between ? -1 : 0);
    EXPECT_EQ(lanes.fraction[i], between ? expected.fraction : 0.0);
    EXPECT_EQ(lanes.span[i], between ? expected.span : 0.0);
}

TEST(KeyPosition, CursorFindsWhatASearchFinds)
{
    std::mt19937 random(2);
    std::uniform_real_distribution<float> gap(0.0f, 1.0f);
    for (const std::size_t count : {1uz, 2uz, 5uz, 300uz}) {
        std::vector<float> times;
        for (std::size_t i = 0; i < count; ++i) // some keys are jumps
            times.push_back(i == 0       ? -1.0f
                            : i % 7 == 0 ? std::nextafter(times.back(), 1e9f)
                                         : times.back() + gap(random) + 0.01f);
        std::uniform_real_distribution<double> any(-2.0, double{times.back()} + 1.0);
        for (const auto interpolation : {Interpolation::step, Interpolation::linear}) {
            std::size_t cursor = 0;
            std::vector<double> moments;
            const auto expect_equal = [&](double time) {
                moments.push_back(time);
                if (moments.size() < lane_count) return;
                KeyLanes lanes{};
                find_keys(times, interpolation, moments, cursor, lanes);
                for (std::size_t i = 0; i < lane_count; ++i)
                    expect_lane(lanes, i, find_keys(times, interpolation, moments[i]),
                                interpolation == Interpolation::step);
                moments.clear();
            };
            for (int i = 0; i < 200; ++i)
                expect_equal(-2.0 + i * (double{times.back()} + 3.0) / 199.0);
            for (int i = 0; i < 200; ++i)
                expect_equal(any(random));
            for (const float time : times)
                expect_equal(double{time});
        }
    }
}

} // namespace
} // namespace vitrine::scene
