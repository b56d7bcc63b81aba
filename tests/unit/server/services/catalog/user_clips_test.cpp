#include "server/services/catalog/append_user_clips.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/validation/validate.hpp"

namespace vitrine::server {
namespace {

// One node whose x is the time; 2 s with 10 frames per second.
scene::Scene sliding()
{
    scene::Scene scene;
    scene.nodes.resize(1);
    scene.nodes[0].name = "node";
    scene::Channel channel;
    channel.node = 0;
    channel.times = {0.0f, 2.0f};
    channel.values = {0, 0, 0, 2, 0, 0};
    scene.clips.resize(1);
    scene.clips[0].name = "slide";
    scene.clips[0].duration = 2.0;
    scene.clips[0].start_time = 5.0;
    scene.clips[0].frame_rate = 10.0;
    scene.clips[0].channels = {channel};
    return scene;
}

float x_at(const scene::Scene& scene, std::uint32_t clip, double time)
{
    scene::Pose pose;
    scene::sample_pose(scene, clip, time, pose);
    return pose.local[0].translation.x;
}

TEST(UserClips, HaveTheirOwnRate)
{
    auto scene = sliding();
    append_user_clips(scene, std::vector<UserClip>{{"part", 0, 5, 15, 20.0}});
    ASSERT_EQ(scene.clips.size(), 2u);
    const auto& part = scene.clips[1];
    EXPECT_EQ(part.name, "part");
    EXPECT_DOUBLE_EQ(part.duration, 0.5);
    EXPECT_EQ(part.frames, 11u);
    EXPECT_EQ(part.frame_rate, 20.0);
    EXPECT_DOUBLE_EQ(part.start_time, 5.5);
    EXPECT_NEAR(x_at(scene, 1, 0.0), 0.5, 1e-6);
    EXPECT_NEAR(x_at(scene, 1, 0.25), 1.0, 1e-6) << "twice as fast";
    EXPECT_NEAR(x_at(scene, 1, 0.5), 1.5, 1e-6);
    EXPECT_TRUE(scene::validate(scene));
}

TEST(UserClips, KeepTheirIndexWithoutTheirSource)
{
    auto scene = sliding();
    append_user_clips(scene, std::vector<UserClip>{{"lost", 7, 0, 10, 10.0}, {"kept", 0, 0, 10, 10.0}});
    ASSERT_EQ(scene.clips.size(), 3u);
    EXPECT_TRUE(scene.clips[1].channels.empty());
    EXPECT_EQ(scene.clips[2].channels.size(), 1u);
    EXPECT_TRUE(scene::validate(scene));
}

TEST(UserClips, FramesAreNumberedByTheClipsRate)
{
    auto clip = sliding().clips[0];
    EXPECT_EQ(last_frame_of(clip), 20u);
    clip.duration = 2.0 - 1e-9;
    EXPECT_EQ(last_frame_of(clip), 20u);
    clip.frame_rate = 0.0;
    EXPECT_EQ(last_frame_of(clip), 60u);
}

} // namespace
} // namespace vitrine::server
