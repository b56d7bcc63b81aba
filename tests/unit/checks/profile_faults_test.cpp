// Faults put into analytic rigs that only rules of a profile find.

#include <gtest/gtest.h>

#include "tests/unit/checks/gait_rigs.hpp"

namespace vitrine::scene {
namespace {

// Plays the clip as if it had begun `steps` periods later.
void shift_clip(Clip& clip, const Gait& gait, double steps)
{
    const auto wait = steps * gait.period;
    auto walker = walker_of(gait);
    for (auto* part : {&walker.left, &walker.right, &walker.hips})
        *part = [at = *part, wait](double t) { return at(t + wait); };
    walker.swing = [at = walker.swing, wait](double t) { return at(t + wait); };
    const auto name = clip.name;
    clip = walker.make().clips.front();
    clip.name = name;
}

// Rules that only a profile turns on.
TEST(SeededFaults, OfRulesThatAreOffAreFoundWhenOn)
{
    auto profile = default_profile();
    for (const auto rule : {Rule::clip_constant_scale, Rule::clip_duplicate_loop_end, Rule::skin_joint_scale})
        profile.setting(rule).severity = Severity::warning;
    for (const auto& gait : gaits()) {
        auto scene = rig_of(gait);
        const auto found = [&](Rule rule, const char* path) {
            return has_rule(check_scene(scene, profile, 1), rule, path);
        };
        const double frames = gait.rate * scene.clips[0].duration;
        const bool is_closed = std::abs(frames - std::round(frames)) < 1e-6; // the last key is at the end
        EXPECT_EQ(found(Rule::clip_duplicate_loop_end, "/clips/0"), is_closed) << frames;
        cut_end(scene.clips[0], 1.0 - 1.01 / frames);
        EXPECT_FALSE(found(Rule::clip_duplicate_loop_end, "/clips/0"));

        EXPECT_FALSE(found(Rule::clip_constant_scale, "/clips/1"));
        scene.clips[1].channels.push_back(
            {.node = 1, .path = Path::scale, .times = {0.0f}, .values = {1.0f, 1.0f, 1.0f}});
        EXPECT_FALSE(found(Rule::clip_constant_scale, "/clips/1"));
        scene.clips[1].channels.back().values = {2.0f, 2.0f, 2.0f};
        EXPECT_TRUE(found(Rule::clip_constant_scale, "/clips/1"));

        EXPECT_FALSE(found(Rule::skin_joint_scale, "/nodes/1"));
        scene.nodes[1].local.scale = glm::vec3(1.0f, 1.01f, 1.0f);
        EXPECT_TRUE(found(Rule::skin_joint_scale, "/nodes/1"));
    }
}

TEST(SeededFaults, OfGroupsOfClipsAreFound)
{
    auto profile = default_profile();
    profile.clip_demands = {{.clips = {.text = "all", .matches = [](std::string_view) { return true; }},
                             .duration_spread = 0.02,
                             .phase_spread = 0.1}};
    for (const auto& gait : gaits()) {
        const auto scene = rig_of(gait);
        const auto has = [&](const Scene& changed, Rule rule) {
            return has_rule(check_scene(changed, profile, 1), rule, "/clips/1");
        };
        SCOPED_TRACE(testing::Message() << "speed " << gait.speed << " period " << gait.period << " rate "
                                        << gait.rate << (gait.in_place ? " in place" : ""));
        EXPECT_FALSE(has(scene, Rule::clip_group_duration));
        EXPECT_FALSE(has(scene, Rule::clip_group_phase));
        auto shorter = scene;
        cut_end(shorter.clips[1], 0.9);
        EXPECT_TRUE(has(shorter, Rule::clip_group_duration));
        auto later = scene;
        shift_clip(later.clips[1], gait, 0.3);
        EXPECT_TRUE(has(later, Rule::clip_group_phase));
        EXPECT_FALSE(has(later, Rule::clip_group_duration));
    }
}

} // namespace
} // namespace vitrine::scene
