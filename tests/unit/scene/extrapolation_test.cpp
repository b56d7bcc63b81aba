#include "loaders/scene/motion/extrapolation.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "loaders/scene/motion/sampling.hpp"
#include "tests/support/compare.hpp"

namespace vitrine::scene {
namespace {

// x: 0, 3, 1 at 1, 2, 3 s.
Channel zigzag(Extrapolation both)
{
    return {.node = 0,
            .path = Path::translation,
            .interpolation = Interpolation::linear,
            .times = {1, 2, 3},
            .values = {0, 0, 0, 3, 0, 0, 1, 0, 0},
            .before = both,
            .after = both};
}

float x_at(const Channel& channel, double time)
{
    std::array<float, 3> out{};
    sample_channel(channel, time, out);
    return out[0];
}

glm::quat rotation_at(const Channel& channel, double time)
{
    std::array<float, 4> out{};
    sample_channel(channel, time, out);
    return {out[3], out[0], out[1], out[2]};
}

TEST(Extrapolation, HoldIsTheDefault)
{
    EXPECT_EQ(x_at(zigzag({}), 0.0), 0.0f);
    EXPECT_EQ(x_at(zigzag({}), 10.0), 1.0f);
}

TEST(Extrapolation, RepeatRestarts)
{
    const Channel c = zigzag({.mode = ExtrapolationMode::repeat});
    for (const double away : {-8.0, -4.0, -2.0, 2.0, 6.0}) {
        EXPECT_FLOAT_EQ(x_at(c, 1.5 + away), 1.5f) << away;
        EXPECT_FLOAT_EQ(x_at(c, 2.5 + away), 2.0f) << away;
    }
    EXPECT_FLOAT_EQ(x_at(c, 5.0), 0.0f) << "a period ends where the next begins";
}

// 21 / 30 s in single precision is less than the requested time, 7 / 30 s is greater.
TEST(Extrapolation, KeepsKeyTimesUnwrapped)
{
    for (const double rate : {24.0, 30.0})
        for (int frames = 1; frames < 60; ++frames) {
            Channel c = zigzag({.mode = ExtrapolationMode::repeat});
            c.times = {static_cast<float>(1.0 / rate), static_cast<float>((1.0 + frames) / rate)};
            c.values = {4, 0, 0, 1, 0, 0};
            SCOPED_TRACE(frames);
            const auto at = [&](int frame) { return x_at(c, frame / rate); };
            EXPECT_FLOAT_EQ(at(1), 4.0f);
            EXPECT_FLOAT_EQ(at(1 + frames), 1.0f);
            for (const int periods : {2, 3, 50}) // each ends where the next begins
                EXPECT_NEAR(at(1 + periods * frames), 4.0f, 1e-3f) << periods;
            EXPECT_NEAR(at(1 - frames), 1.0f, 1e-3f) << "the last before the first key";
        }
}

TEST(Extrapolation, MirrorAlternates)
{
    const Channel c = zigzag({.mode = ExtrapolationMode::mirror});
    EXPECT_FLOAT_EQ(x_at(c, 3.5), 2.0f);
    EXPECT_FLOAT_EQ(x_at(c, 4.5), 1.5f);
    EXPECT_FLOAT_EQ(x_at(c, 5.5), 1.5f) << "forward again";
    EXPECT_FLOAT_EQ(x_at(c, 0.5), 1.5f);
    EXPECT_FLOAT_EQ(x_at(c, -0.5), 2.0f);
    EXPECT_FLOAT_EQ(x_at(c, -1.5), 2.0f) << "forward again";
}

TEST(Extrapolation, OffsetAccumulatesPerRepetition)
{
    const Channel c = zigzag({.mode = ExtrapolationMode::repeat_offset});
    EXPECT_FLOAT_EQ(x_at(c, 3.5), 1.0f + 1.5f);
    EXPECT_FLOAT_EQ(x_at(c, 5.5), 2.0f + 1.5f);
    EXPECT_FLOAT_EQ(x_at(c, 0.5), -1.0f + 2.0f);
    EXPECT_FLOAT_EQ(x_at(c, -1.5), -2.0f + 2.0f);
}

TEST(Extrapolation, RepetitionsCanEnd)
{
    EXPECT_FLOAT_EQ(x_at(zigzag({ExtrapolationMode::repeat, 2}), 6.5), 2.0f);
    EXPECT_FLOAT_EQ(x_at(zigzag({ExtrapolationMode::repeat, 2}), 7.5), 1.0f) << "the last value holds";
    EXPECT_FLOAT_EQ(x_at(zigzag({ExtrapolationMode::repeat, 2}), -9.0), 0.0f)
        << "at the other end, the first";
    EXPECT_FLOAT_EQ(x_at(zigzag({ExtrapolationMode::mirror, 1}), 99.0), 0.0f) << "mirrored once";
    EXPECT_FLOAT_EQ(x_at(zigzag({ExtrapolationMode::repeat_offset, 2}), 99.0), 3.0f);
    EXPECT_FLOAT_EQ(x_at(zigzag({ExtrapolationMode::repeat, 0}), 3.5), 1.0f)
        << "no repetition: the value holds";
}

TEST(Extrapolation, SlopeContinuesTheLastSegment)
{
    const Channel c = zigzag({.mode = ExtrapolationMode::slope});
    EXPECT_FLOAT_EQ(x_at(c, 4.0), -1.0f);
    EXPECT_FLOAT_EQ(x_at(c, 0.0), -3.0f);
    Channel steps = c;
    steps.interpolation = Interpolation::step;
    EXPECT_FLOAT_EQ(x_at(steps, 4.0), 1.0f);
    Channel one = c;
    one.times = {1};
    one.values = {5, 0, 0};
    EXPECT_FLOAT_EQ(x_at(one, 4.0), 5.0f);
}

TEST(Extrapolation, SlopeOfACubicUsesTheInnerTangents)
{
    const Channel c{.node = 0,
                    .path = Path::translation,
                    .interpolation = Interpolation::cubic,
                    .times = {1, 2},
                    .values = {9, 0, 0, 1, 0, 0, 2, 0, 0, -3, 0, 0, 5, 0, 0, 9, 0, 0},
                    .before = {.mode = ExtrapolationMode::slope},
                    .after = {.mode = ExtrapolationMode::slope}};
    EXPECT_FLOAT_EQ(x_at(c, 0.5), 0.0f);
    EXPECT_FLOAT_EQ(x_at(c, 3.0), 2.0f);
    // The curve is smooth at its ends.
    EXPECT_NEAR(x_at(c, 2.001) - x_at(c, 2.0), x_at(c, 2.0) - x_at(c, 1.999), 2e-5);
}

// 40 degrees about z within a second.
Channel turning(Extrapolation both)
{
    const glm::quat q = glm::angleAxis(glm::radians(40.0f), glm::vec3(0, 0, 1));
    return {.node = 0,
            .path = Path::rotation,
            .interpolation = Interpolation::linear,
            .times = {0, 1},
            .values = {0, 0, 0, 1, q.x, q.y, q.z, q.w},
            .before = both,
            .after = both};
}

TEST(Extrapolation, SlopeContinuesRotations)
{
    for (const auto mode : {ExtrapolationMode::slope, ExtrapolationMode::repeat_offset}) {
        const Channel c = turning({.mode = mode});
        for (const double time : {-7.3, -0.5, 0.5, 2.25, 20.75}) {
            const auto angle = static_cast<float>(glm::radians(40.0 * time));
            EXPECT_LT(test::difference(rotation_at(c, time), glm::angleAxis(angle, glm::vec3(0, 0, 1))), 1e-5)
                << time;
        }
    }
}

// The accumulated rotation is applied in the parent's space: the offset from the first to the last key is
// applied after the motion's own rotation.
TEST(Extrapolation, OffsetRotationsUseTheParentsSpace)
{
    const glm::quat a = glm::angleAxis(0.5f, glm::vec3(1, 0, 0));
    const glm::quat b = glm::angleAxis(0.7f, glm::normalize(glm::vec3(0, 1, 2)));
    Channel c = turning({.mode = ExtrapolationMode::repeat_offset});
    c.values = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    const glm::quat turn = b * glm::inverse(a);
    EXPECT_LT(test::difference(rotation_at(c, 2.3), turn * turn * rotation_at(c, 0.3)), 1e-6);
    EXPECT_LT(test::difference(rotation_at(c, -0.7), glm::inverse(turn) * rotation_at(c, 0.3)), 1e-6);
}

TEST(Extrapolation, SlopeOfACubicRotationIsAnAngularVelocity)
{
    const glm::quat q = glm::angleAxis(0.4f, glm::normalize(glm::vec3(1, 2, 3)));
    const glm::quat velocity(0, 0, 0, 0.5f * 2.0f); // 2 radians per second about z
    const glm::quat tangent = velocity * q;
    Channel c = turning({.mode = ExtrapolationMode::slope});
    c.interpolation = Interpolation::cubic;
    c.times = {1};
    c.values = {tangent.x, tangent.y, tangent.z, tangent.w, q.x, q.y, q.z, q.w, 0, 0, 0, 0};
    EXPECT_LT(test::difference(rotation_at(c, 1.75), glm::angleAxis(1.5f, glm::vec3(0, 0, 1)) * q), 1e-6);
}

TEST(Extrapolation, FarTimesStayFinite)
{
    for (const auto mode : {ExtrapolationMode::repeat, ExtrapolationMode::repeat_offset,
                            ExtrapolationMode::mirror, ExtrapolationMode::slope}) {
        for (const double time : {-1e300, -1e18, 1e18, 1e300, std::nan("")}) {
            EXPECT_TRUE(std::isfinite(x_at(zigzag({.mode = mode}), time)));
            EXPECT_TRUE(std::isfinite(rotation_at(turning({.mode = mode}), time).w));
        }
    }
}

// Frame 25 at 24 frames per second, repeated from frame 1: the step must not be early because of the key's
// single precision.
TEST(Extrapolation, RepeatedStepsChangeAtTheirKeys)
{
    Channel c{.node = 0,
              .path = Path::scale,
              .interpolation = Interpolation::step,
              .times = {},
              .values = {},
              .before = {.mode = ExtrapolationMode::repeat},
              .after = {.mode = ExtrapolationMode::repeat}};
    for (int f = 0; f <= 24; ++f) {
        c.times.push_back(static_cast<float>(f / 24.0));
        c.values.insert(c.values.end(), {static_cast<float>(f), 0, 0});
    }
    for (int f = -240; f < 240; ++f) {
        const bool last = f == 24 || (f < 0 && f % 24 == 0); // a period ends here, seen from the keys
        EXPECT_EQ(x_at(c, f / 24.0), static_cast<float>(last ? 24 : (f + 240) % 24)) << f;
    }
}

} // namespace
} // namespace vitrine::scene
