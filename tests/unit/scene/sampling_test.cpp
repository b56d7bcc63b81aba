#include "loaders/scene/motion/sampling.hpp"

#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/compare.hpp"

namespace vitrine::scene {
namespace {

template <std::size_t N>
std::array<float, N> sample(const Channel& channel, double time)
{
    std::array<float, N> out{};
    sample_channel(channel, time, out);
    return out;
}

Channel channel_of(Path path, Interpolation interpolation, std::vector<float> times,
                   std::vector<float> values)
{
    return {.node = 0,
            .path = path,
            .interpolation = interpolation,
            .times = std::move(times),
            .values = std::move(values)};
}

TEST(Sampling, StepHoldsUntilTheNextKey)
{
    const Channel c =
        channel_of(Path::translation, Interpolation::step, {1, 2, 4}, {1, 1, 1, 2, 2, 2, 3, 3, 3});
    EXPECT_EQ(sample<3>(c, -5.0)[0], 1.0f);
    EXPECT_EQ(sample<3>(c, 1.999)[0], 1.0f);
    EXPECT_EQ(sample<3>(c, 2.0)[0], 2.0f);
    EXPECT_EQ(sample<3>(c, 100.0)[0], 3.0f);
}

TEST(Sampling, LinearIsExactAtKeysAndBetween)
{
    const Channel c =
        channel_of(Path::scale, Interpolation::linear, {1, 2, 4}, {0, 1, 5, 10, 1, 5, 20, 1, 5});
    EXPECT_EQ(sample<3>(c, 1.0)[0], 0.0f);
    EXPECT_FLOAT_EQ(sample<3>(c, 1.25)[0], 2.5f);
    EXPECT_FLOAT_EQ(sample<3>(c, 3.0)[0], 15.0f);
    EXPECT_EQ(sample<3>(c, 4.0)[0], 20.0f);
    EXPECT_EQ(sample<3>(c, 3.0)[1], 1.0f);
}

// Independent calculation: the textbook formula with acos, in double.
glm::dquat textbook_slerp(glm::dquat a, glm::dquat b, double t)
{
    double cosine = glm::dot(a, b);
    if (cosine < 0) b = -b, cosine = -cosine;
    const double angle = std::acos(std::min(cosine, 1.0));
    return a * (std::sin((1 - t) * angle) / std::sin(angle)) + b * (std::sin(t * angle) / std::sin(angle));
}

TEST(Sampling, RotationsTakeTheShorterArcEvenly)
{
    std::mt19937 random(5);
    std::normal_distribution<float> any;
    for (int i = 0; i < 500; ++i) {
        const glm::quat a = glm::normalize(glm::quat(any(random), any(random), any(random), any(random)));
        const glm::quat b = glm::normalize(glm::quat(any(random), any(random), any(random), any(random)));
        const Channel c = channel_of(Path::rotation, Interpolation::linear, {0, 1},
                                     {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w});
        for (const double t : {0.0, 0.2, 0.5, 0.75, 1.0}) {
            const auto v = sample<4>(c, t);
            EXPECT_LT(test::difference(glm::quat(v[3], v[0], v[1], v[2]), glm::quat(textbook_slerp(a, b, t))),
                      1e-6);
        }
    }
}

TEST(Sampling, EqualOppositeAndZeroQuaternionsStayUnit)
{
    const std::vector<std::vector<float>> pairs{{0, 0, 0, 1, 0, 0, 0, 1},
                                                {0, 0, 0, 1, 0, 0, 0, -1},
                                                {0, 0, 0, 1, 1, 0, 0, 0},
                                                {0, 0, 0, 0, 0, 0, 0, 0},
                                                {0, 0, 0, 5, 1e-30f, 0, 0, 5}};
    for (const auto& values : pairs) {
        const auto v = sample<4>(channel_of(Path::rotation, Interpolation::linear, {0, 1}, values), 0.5);
        EXPECT_NEAR(glm::length(glm::vec4(v[0], v[1], v[2], v[3])), 1.0f, 1e-6f);
    }
}

// Exporters round: the length of 0.383, 0.924 is 2e-4 less than 1, and evaluators use the stored numbers.
TEST(Sampling, RoundedQuaternionsKeepTheirLength)
{
    const auto keys = channel_of(Path::rotation, Interpolation::linear, {0, 1},
                                 {0.383f, 0, 0, 0.924f, 0, 0.383f, 0, 0.924f});
    const float length = std::hypot(0.383f, 0.924f);
    for (const double time : {0.0, 0.25, 1.0}) {
        const auto v = sample<4>(keys, time);
        EXPECT_NEAR(glm::length(glm::vec4(v[0], v[1], v[2], v[3])), length, 1e-6f) << time;
    }
    EXPECT_GT(std::abs(length - 1.0f), 1e-4f);
}

// x(t) = t^3 - 2 t on keys at 1 and 3 is a cubic, so Hermite interpolation must reproduce it: this tests the
// order in-tangent, value, out-tangent and the scaling by the key interval.
TEST(Sampling, CubicReproducesACubic)
{
    const auto x = [](double t) { return t * t * t - 2 * t; };
    const auto slope = [](double t) { return static_cast<float>(3 * t * t - 2); };
    std::vector<float> values;
    for (const double t : {1.0, 3.0}) {
        for (int i = 0; i < 3; ++i)
            values.push_back(t == 1.0 ? 99.0f : slope(t)); // the first in-tangent is unused
        for (int i = 0; i < 3; ++i)
            values.push_back(static_cast<float>(x(t)));
        for (int i = 0; i < 3; ++i)
            values.push_back(t == 3.0 ? -99.0f : slope(t)); // so is the last out-tangent
    }
    const Channel c = channel_of(Path::translation, Interpolation::cubic, {1, 3}, values);
    for (const double t : {1.0, 1.3, 2.0, 2.9, 3.0})
        EXPECT_NEAR(sample<3>(c, t)[1], x(t), 1e-5);
    EXPECT_FLOAT_EQ(sample<3>(c, 0.0)[0], -1.0f);
    EXPECT_FLOAT_EQ(sample<3>(c, 9.0)[0], 21.0f);
}

TEST(Sampling, CubicRotationsAreNormalized)
{
    const Channel c = channel_of(Path::rotation, Interpolation::cubic, {0, 1},
                                 {0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0});
    for (int tenths = -1; tenths < 12; ++tenths) {
        const auto v = sample<4>(c, tenths * 0.1);
        EXPECT_NEAR(glm::length(glm::vec4(v[0], v[1], v[2], v[3])), 1.0f, 1e-6f);
    }
}

TEST(Sampling, ResolvesJumps)
{
    const float at = 1.0f / 24.0f, before = std::nextafter(at, 0.0f);
    const Channel c = channel_of(Path::vertex_frame, Interpolation::linear, {0.0f, before, at, 1.0f},
                                 {0.0f, 8.0f, 20.0f, 30.0f});
    EXPECT_EQ(sample<1>(c, 1.0 / 24.0)[0], 20.0f) << "the time is between both keys";
    EXPECT_EQ(sample<1>(c, double{before})[0], 8.0f);
    EXPECT_NEAR(sample<1>(c, 1.0 / 48.0)[0], 4.0f, 1e-5f);
}

TEST(Sampling, BlendsFramesOfAdjacentKeys)
{
    const Channel c =
        channel_of(Path::vertex_frame, Interpolation::linear, {0.0f, 1.0f, 2.0f}, {3.0f, 5.0f, 3.0f});
    EXPECT_EQ(sample_frames(c, 0.25, 6), (FrameBlend{3, 5, 0.25f}));
    EXPECT_EQ(sample_frames(c, 1.0, 6), (FrameBlend{5, 5, 0.0f}));
    EXPECT_EQ(sample_frames(c, 1.5, 6), (FrameBlend{5, 3, 0.5f}));
    EXPECT_EQ(sample_frames(c, 2.0, 6), (FrameBlend{3, 3, 0.0f}));
    EXPECT_EQ(sample_frames(c, 9.0, 6), (FrameBlend{3, 3, 0.0f})) << "held";
    EXPECT_EQ(sample_frames(c, 1.5, 5), (FrameBlend{4, 3, 0.5f})) << "there is no frame 5";
}

TEST(Sampling, RepeatsFramesOutsideTheKeys)
{
    Channel c = channel_of(Path::vertex_frame, Interpolation::step, {0.0f, 1.0f, 2.0f}, {3.0f, 4.0f, 5.0f});
    for (const auto mode : {ExtrapolationMode::repeat, ExtrapolationMode::repeat_offset}) {
        c.after.mode = mode;
        EXPECT_EQ(sample_frames(c, 3.25, 6), (FrameBlend{4, 4, 0.0f}));
    }
    EXPECT_EQ(sample_frames(c, 3.25, 6, ExtrapolationPolicy::clamped), (FrameBlend{5, 5, 0.0f}));
    c.after.mode = ExtrapolationMode::slope;
    EXPECT_EQ(sample_frames(c, 3.25, 6), (FrameBlend{5, 5, 0.0f}));
}

TEST(Sampling, UsesBinarySearch)
{
    std::vector<float> times(1'000'000), values(1'000'000);
    for (std::size_t i = 0; i < times.size(); ++i)
        times[i] = static_cast<float>(i), values[i] = static_cast<float>(i) * 2.0f;
    const Channel c =
        channel_of(Path::vertex_frame, Interpolation::linear, std::move(times), std::move(values));
    for (int i = 0; i < 999'999; i += 7)
        ASSERT_EQ(sample<1>(c, i + 0.5)[0], 2.0f * static_cast<float>(i) + 1.0f);
}

} // namespace
} // namespace vitrine::scene
