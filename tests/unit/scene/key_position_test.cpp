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
            const auto expect_equal = [&](double time) {
                EXPECT_TRUE(same_position(find_keys(times, interpolation, time, cursor),
                                          find_keys(times, interpolation, time)))
                    << time;
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
