// Faults put into clips of analytic rigs: each is found by its rule, and clean rigs have no findings.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "loaders/scene/checks/checks.hpp"
#include "tests/support/walker.hpp"
#include "tests/unit/checks/gait_rigs.hpp"

namespace vitrine::scene {
namespace {

using test::two_pi;
using test::Walker;

Channel& channel_of(Clip& clip, std::uint32_t node, Path path)
{
    return *std::ranges::find_if(clip.channels,
                                 [&](const Channel& c) { return c.node == node && c.path == path; });
}

// Makes the keys `first` to `last` equal to the key `first`.
void hold_keys(Channel& channel, std::size_t width, std::size_t first, std::size_t last)
{
    for (std::size_t key = first + 1; key <= last; ++key)
        for (std::size_t i = 0; i < width; ++i)
            channel.values[key * width + i] = channel.values[first * width + i];
}

void scale_joint(Clip& clip, glm::vec3 last)
{
    clip.channels.push_back({.node = 1,
                             .path = Path::scale,
                             .times = {0.0f, static_cast<float>(clip.duration)},
                             .values = {1, 1, 1, last.x, last.y, last.z}});
}

void turn_all(Clip& clip, double degrees)
{
    const double half = glm::radians(degrees) / 2.0;
    const glm::quat by(static_cast<float>(std::cos(half)), 0, 0, static_cast<float>(std::sin(half)));
    for (auto& channel : clip.channels) {
        if (channel.path != Path::rotation) continue;
        for (std::size_t key = 0; key < channel.times.size(); ++key) {
            float* v = channel.values.data() + 4 * key;
            const glm::quat turned = by * glm::quat(v[3], v[0], v[1], v[2]);
            v[0] = turned.x, v[1] = turned.y, v[2] = turned.z, v[3] = turned.w;
        }
    }
}

void hasten_hips(Clip& clip, double meters_per_second)
{
    auto& hips = channel_of(clip, 0, Path::translation);
    for (std::size_t key = 0; key < hips.times.size(); ++key)
        hips.values[3 * key] += hips.times[key] * static_cast<float>(meters_per_second);
}

// Keeps the keys of the first part of the channel.
void drop_keys(Channel& channel, std::size_t width, double share)
{
    const auto keys = static_cast<std::size_t>(share * static_cast<double>(channel.times.size()));
    channel.times.resize(keys);
    channel.values.resize(keys * width);
}

struct SeededFault {
    Rule rule;
    std::function<void(Clip&)> seed;
};

std::vector<SeededFault> clip_faults()
{
    const auto foot = [](Clip& clip) -> Channel& { return channel_of(clip, 2, Path::translation); };
    const auto swing = [](Clip& clip) -> Channel& { return channel_of(clip, 1, Path::rotation); };
    return {
        {Rule::clip_empty, [](Clip& clip) { clip.channels.clear(); }},
        {Rule::clip_quaternion_norm, [=](Clip& clip) { swing(clip).values[4 * 5 + 3] = 1.2f; }},
        {Rule::clip_quaternion_flip,
         [=](Clip& clip) {
             for (std::size_t i = 0; i < 4; ++i)
                 swing(clip).values[4 * 5 + i] *= -1.0f;
         }},
        {Rule::clip_frozen,
         [](Clip& clip) {
             for (auto& channel : clip.channels)
                 hold_keys(channel, channel.path == Path::rotation ? 4 : 3, 0, channel.times.size() - 1);
         }},
        {Rule::clip_constant_channel,
         [=](Clip& clip) { hold_keys(swing(clip), 4, 0, swing(clip).times.size() - 1); }},
        {Rule::clip_duplicate_keys, [=](Clip& clip) { hold_keys(swing(clip), 4, 3, 6); }},
        {Rule::clip_scale_keys, [](Clip& clip) { scale_joint(clip, glm::vec3(1.2f)); }},
        {Rule::clip_non_uniform_scale, [](Clip& clip) { scale_joint(clip, {1.0f, 1.3f, 1.0f}); }},
        {Rule::clip_bind_pose_jump, [](Clip& clip) { turn_all(clip, 90.0); }},
        {Rule::clip_velocity_peak, [=](Clip& clip) { foot(clip).values[3 * 9 + 1] += 0.5f; }},
        {Rule::clip_loop_seam, [](Clip& clip) { cut_end(clip, 0.7); }},
        {Rule::clip_foot_slide, [](Clip& clip) { hasten_hips(clip, 1.5); }},
        {Rule::clip_uneven_channels, [=](Clip& clip) { drop_keys(swing(clip), 4, 0.6); }},
        {Rule::clip_missing_joints,
         [](Clip& clip) { std::erase_if(clip.channels, [](const Channel& c) { return c.node == 1; }); }},
    };
}

std::string text_of(const std::vector<Finding>& findings)
{
    std::string text;
    for (const auto& finding : findings)
        text += std::string(info_of(finding.rule).id) + " " + finding.path + ": " + finding.message + "\n";
    return text;
}

TEST(SeededFaults, AreAllFoundInTheirClip)
{
    const auto profile = default_profile();
    std::size_t seeded = 0, found = 0;
    for (const auto& gait : gaits())
        for (const auto& [rule, seed] : clip_faults()) {
            auto scene = rig_of(gait);
            seed(scene.clips[1]);
            const auto findings = check_scene(scene, profile, 1);
            const bool is_found = has_rule(findings, rule, "/clips/1");
            EXPECT_TRUE(is_found) << info_of(rule).id << " speed " << gait.speed << " period " << gait.period
                                  << " rate " << gait.rate << (gait.in_place ? " in place\n" : "\n")
                                  << text_of(findings);
            ++seeded;
            found += is_found ? 1 : 0;
        }
    std::printf("seeded faults found: %zu of %zu\n", found, seeded);
}

TEST(SeededFaults, CleanRigsHaveNoFinding)
{
    auto profile = default_profile();
    profile.setting(Rule::clip_redundant_keys).severity = Severity::off; // the feet stand
    std::size_t rigs = 0;
    for (const auto& gait : gaits()) {
        const auto findings = check_scene(rig_of(gait), profile, 1);
        EXPECT_TRUE(findings.empty())
            << "speed " << gait.speed << " period " << gait.period << " rate " << gait.rate
            << (gait.in_place ? " in place\n" : "\n") << text_of(findings);
        ++rigs;
    }
    std::printf("clean rigs: %zu\n", rigs);
}

// A clip whose keys are all needed, and the same with one that is not.
TEST(SeededFaults, RedundantKeysAreFound)
{
    const auto wave = [](double t) { return glm::dvec3(0.1 + 0.3 * std::sin(two_pi * t + 0.3), -1, 0); };
    auto scene = Walker{.hips = [](double t) { return glm::dvec3(0.1 * std::sin(two_pi * t + 0.3), 1, 0); },
                        .left = wave,
                        .right = wave}
                     .make();
    scene.clips.front().name = "wave";
    EXPECT_EQ(text_of(check_scene(scene, default_profile(), 1)), "");
    auto& values = channel_of(scene.clips.front(), 2, Path::translation).values;
    for (std::size_t i = 0; i < 3; ++i)
        values[3 * 5 + i] = 0.5f * (values[3 * 4 + i] + values[3 * 6 + i]);
    const auto findings = check_scene(scene, default_profile(), 1);
    EXPECT_TRUE(has_rule(findings, Rule::clip_redundant_keys, "/clips/0"));
    EXPECT_EQ(findings.size(), 1u) << text_of(findings);
}

} // namespace
} // namespace vitrine::scene
