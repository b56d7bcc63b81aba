// Facts of generated clips against the numbers that they were generated from.

#include <cmath>
#include <cstdio>
#include <random>

#include <gtest/gtest.h>

#include "loaders/scene/facts/clip_facts.hpp"
#include "tests/support/walker.hpp"

namespace vitrine::scene {
namespace {

using test::stepping;
using test::two_pi;
using test::Walker;

class Numbers {
public:
    double between(double low, double high)
    {
        return low + (high - low) * static_cast<double>(engine_()) / 4294967295.0;
    }

private:
    std::mt19937 engine_{7};
};

TEST(GeneratedClips, SpeedsAreWithinOnePercent)
{
    Numbers numbers;
    constexpr int cases = 300;
    double worst = 0.0;
    for (int i = 0; i < cases; ++i) {
        const double speed = numbers.between(0.3, 6.0), heading = numbers.between(0.0, two_pi);
        const double rate = i % 2 == 0 ? 30.0 : 60.0;
        const double period = std::round(numbers.between(0.6, 1.4) * rate) / rate;
        const double sway = numbers.between(0.0, 0.04);
        const glm::dvec3 way(speed * std::sin(heading), 0.0, speed * std::cos(heading));
        const auto scene = Walker{.hips =
                                      [=](double t) {
                                          return glm::dvec3(0, 1, 0) + way * t +
                                                 glm::dvec3(sway * std::sin(two_pi * t / period));
                                      },
                                  .left = stepping(0.1, speed, period, 0.0),
                                  .right = stepping(-0.1, speed, period, 0.5),
                                  .duration = period * std::round(numbers.between(1.0, 4.0)),
                                  .rate = rate}
                               .make();
        const auto facts = compute_clip_facts(scene, 0);
        worst = std::max(worst, std::abs(facts.root.speed / speed - 1.0));
        EXPECT_NEAR(facts.root.speed, speed, 0.01 * speed) << "case " << i;
        EXPECT_FALSE(facts.root.in_place) << "case " << i;
    }
    std::printf("root speed: worst deviation %.3f %% of %d clips\n", 100.0 * worst, cases);
}

// An arm that swings in, moves around for one period and swings out again.
struct CycleInside {
    double from, period, total; // seconds, whole frames
    double radius, phase;
    glm::dvec3 enter, leave; // meters per second

    glm::dvec3 at(double t) const
    {
        const auto around = [&](double time) {
            const double angle = phase + two_pi * time / period;
            return glm::dvec3(0.3 + radius * std::cos(angle), -0.4 + 0.5 * radius * std::sin(2.0 * angle),
                              radius * std::sin(angle));
        };
        if (t < from) return around(0.0) + enter * (from - t) * (1.0 + from - t);
        if (t > from + period) return around(0.0) + leave * (t - from - period) * (1.0 + t - from - period);
        return around(t - from);
    }
};

TEST(GeneratedClips, LoopsInsideOfClipsAreFoundToTheFrame)
{
    Numbers numbers;
    constexpr int cases = 200;
    constexpr double rate = 30.0, frame = 1.0 / rate;
    int exact = 0;
    for (int i = 0; i < cases; ++i) {
        const auto frames = [&](double low, double high) {
            return std::round(numbers.between(low, high)) * frame;
        };
        const auto velocity = [&] {
            return glm::dvec3(numbers.between(-1, 1), numbers.between(0.3, 1.0), numbers.between(-1, 1));
        };
        CycleInside cycle{.from = frames(6, 20),
                          .period = frames(24, 60),
                          .total = 0.0,
                          .radius = numbers.between(0.15, 0.4),
                          .phase = numbers.between(0.0, two_pi),
                          .enter = velocity(),
                          .leave = velocity()};
        cycle.total = cycle.from + cycle.period + frames(6, 20);
        const auto scene = Walker{.left = [=](double t) { return cycle.at(t); },
                                  .right = [=](double t) { return cycle.at(t) * glm::dvec3(-1, 1, 1); },
                                  .duration = cycle.total,
                                  .rate = rate}
                               .make();
        const auto range = compute_clip_facts(scene, 0).looping.range;
        const bool is_exact = range && std::abs(range->from - cycle.from) < 1.01 * frame &&
                              std::abs(range->to - cycle.from - cycle.period) < 1.01 * frame;
        exact += is_exact ? 1 : 0;
        if (!is_exact)
            std::printf("case %d: %.3f to %.3f, found %.3f to %.3f\n", i, cycle.from,
                        cycle.from + cycle.period, range ? range->from : -1.0, range ? range->to : -1.0);
    }
    std::printf("loops within one frame: %d of %d\n", exact, cases);
    EXPECT_GE(exact, cases * 95 / 100);
}

} // namespace
} // namespace vitrine::scene
