#include "loaders/scene/pose.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

TEST(Pose, PaletteIsTheIdentityAtTheBindPose)
{
    const Scene scene = test::skinned_bar();
    Pose pose;
    rest_pose(scene, pose);
    const auto instances = find_instances(scene);
    ASSERT_EQ(instances.size(), 1u);
    ASSERT_EQ(palette_size(instances), 3u);
    std::vector<PaletteEntry> palette(3);
    joint_palette(scene, instances, pose, palette);
    for (const PaletteEntry& entry : palette)
        EXPECT_LT(test::difference(test::transform(entry, {1, 2, 3}), {1, 2, 3}), 1e-6);
}

TEST(Pose, SlerpTurnsEvenly)
{
    const Scene scene = test::skinned_bar();
    Pose pose;
    for (const double t : {0.0, 0.1, 0.5, 0.9, 1.0}) {
        sample_pose(scene, 0, t, pose);
        const double half = t * std::numbers::pi / 4.0;
        const glm::quat expected(static_cast<float>(std::cos(half)), 0, 0,
                                 static_cast<float>(std::sin(half)));
        EXPECT_LT(test::difference(pose.local[1].rotation, expected), 1e-6);
    }
}

} // namespace
} // namespace vitrine::scene
