// Times of the frames of sequences, and how long the sequences last.

#include "server/services/rendering/sequence_plan.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenes.hpp"

namespace vitrine::server::testing {
namespace {

render::SharedScene bar_lasting(double seconds)
{
    auto scene = vitrine::test::skinned_bar();
    scene.clips.at(0).duration = seconds;
    return std::make_shared<const scene::Scene>(std::move(scene));
}

TEST(SequencePlan, TurnLastsFourSecondsWithAnyNumberOfFrames)
{
    const auto scene = bar_lasting(1.0);
    for (const std::uint32_t count : {1u, 36u, 120u}) {
        const auto plan = plan_orbit(scene, {}, {}, count);
        EXPECT_EQ(plan.frame_requests.size(), count);
        EXPECT_EQ(plan.duration_s, 4.0);
        EXPECT_EQ(plan.frames_per_second(), count / 4.0);
    }
}

TEST(SequencePlan, ClipLastsItsDurationWithoutItsEnd)
{
    const auto plan = plan_clip(bar_lasting(2.0), {}, {0}, 4);
    EXPECT_EQ(plan.duration_s, 2.0);
    EXPECT_EQ(plan.frames_per_second(), 2.0);
    ASSERT_EQ(plan.frame_requests.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(plan.frame_requests[i].clip_time.time, 0.5 * static_cast<double>(i));
}

TEST(SequencePlan, ClipWithoutDurationLastsATenthOfASecond)
{
    const auto plan = plan_clip(bar_lasting(0.0), {}, {0}, 2);
    EXPECT_EQ(plan.duration_s, 0.1);
    EXPECT_EQ(plan.frames_per_second(), 20.0);
}

} // namespace
} // namespace vitrine::server::testing
