#include "loaders/scene/motion/frame_rate.hpp"

#include <cmath>

#include <gtest/gtest.h>

using namespace vitrine::scene;

namespace {

Clip with_keys(std::vector<std::vector<float>> times)
{
    Clip clip;
    for (auto& of_channel : times) {
        clip.channels.emplace_back().times = std::move(of_channel);
        clip.duration = std::max(clip.duration, double{clip.channels.back().times.back()});
    }
    return clip;
}

} // namespace

TEST(FrameRate, MatchesEvenlySpacedKeys)
{
    EXPECT_DOUBLE_EQ(estimate_frame_rate(with_keys({{0, 0.041667f, 0.083333f, 0.125f}}).channels), 24.0);
    EXPECT_DOUBLE_EQ(estimate_frame_rate(with_keys({{0, 0.4f, 0.5f}}).channels), 10.0);
    EXPECT_DOUBLE_EQ(estimate_frame_rate(with_keys({{0, 0.313f, 0.7f}}).channels), 30.0) << "no frames";
    EXPECT_DOUBLE_EQ(estimate_frame_rate({}), 30.0);
}

// Exporters write six decimals: every third frame time is less than its key's time.
TEST(FrameRate, SnapsFrameTimesToKeys)
{
    std::vector<float> times;
    for (int i = 0; i < 48; ++i)
        times.push_back(static_cast<float>(std::round(i / 24.0 * 1e6) / 1e6));
    const Clip clip = with_keys({{0.0f, 5.0f}, times});
    for (std::size_t i = 0; i < times.size(); ++i)
        EXPECT_EQ(snap_to_key(Scene(), clip, static_cast<double>(i) / 24.0), double{times[i]}) << i;
    for (const double between : {0.0417, 0.02, 1.999, 7.0, -1.0})
        EXPECT_EQ(snap_to_key(Scene(), clip, between), between);
    EXPECT_EQ(snap_to_key(Scene(), clip, 5.0000005), 5.0);
    EXPECT_EQ(snap_to_key(Scene(), Clip(), 0.25), 0.25);
    Scene exact;
    exact.format = "fbx";
    EXPECT_EQ(snap_to_key(exact, clip, 5.0000005), 5.0000005);
}
