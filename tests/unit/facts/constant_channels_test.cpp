// Channels that always have the same value are not sampled again; poses are those of sample_pose(), bit by
// bit.

#include <gtest/gtest.h>

#include "loaders/scene/motion/sample_poses.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

// A channel with three keys; the middle one is `middle`, the others are `value`.
Channel three_keys(std::uint32_t node, Path path, const std::vector<float>& value,
                   const std::vector<float>& middle, Interpolation interpolation = Interpolation::linear)
{
    std::vector<float> values = value;
    values.insert(values.end(), middle.begin(), middle.end());
    values.insert(values.end(), value.begin(), value.end());
    return {.node = node,
            .path = path,
            .interpolation = interpolation,
            .times = {0.1f, 0.3f, 0.9f},
            .values = std::move(values)};
}

Channel constant(std::uint32_t node, Path path, const std::vector<float>& value,
                 Interpolation interpolation = Interpolation::linear)
{
    return three_keys(node, path, value, value, interpolation);
}

void expect_equal_poses(const std::vector<Channel>& channels)
{
    Scene scene = test::skinned_bar();
    scene.clips = {{.name = "one", .duration = 1.0, .frame_rate = 30.0, .channels = channels}};
    std::vector<double> times;
    for (int i = 0; i < 20; ++i)
        times.push_back(i / 19.0);
    std::vector<Pose> poses(times.size());
    sample_poses(scene, 0, times, poses);
    Pose single;
    for (std::size_t i = 0; i < times.size(); ++i) {
        sample_pose(scene, 0, times[i], single);
        for (std::size_t node = 0; node < scene.nodes.size(); ++node) {
            EXPECT_EQ(poses[i].local[node].translation, single.local[node].translation) << times[i];
            EXPECT_EQ(poses[i].local[node].rotation, single.local[node].rotation) << times[i];
            EXPECT_EQ(poses[i].local[node].scale, single.local[node].scale) << times[i];
            EXPECT_EQ(poses[i].model[node], single.model[node]) << times[i];
        }
    }
}

TEST(ConstantChannels, HaveTheirValueInAllPoses)
{
    expect_equal_poses({constant(1, Path::translation, {0.1f, 0.7f, -0.3f}),
                        constant(1, Path::rotation, {0.6f, 0.0f, 0.0f, 0.8f}),
                        constant(1, Path::scale, {1.1f, 1.3f, 0.7f}, Interpolation::step)});
    expect_equal_poses({constant(0, Path::rotation, {0.0f, 0.7f, 0.0f, 0.7138f}),
                        constant(1, Path::rotation, {0.0f, 0.7f, 0.0f, 0.7146f})});
}

TEST(ConstantChannels, TheLaterChannelOfAPropertyIsUsed)
{
    const auto moving = three_keys(1, Path::translation, {0, 1, 0}, {0, 2, 0});
    const auto held = constant(1, Path::translation, {3, 1, 0});
    expect_equal_poses({moving, held});
    expect_equal_poses({held, moving});
    expect_equal_poses({held, constant(1, Path::translation, {5, 1, 0})});
}

TEST(ConstantChannels, ExtrapolatedChannelsAreSampled)
{
    auto channel = constant(1, Path::translation, {3, 1, 0});
    channel.before = channel.after = {.mode = ExtrapolationMode::repeat_offset};
    expect_equal_poses({channel});
}

} // namespace
} // namespace vitrine::scene
