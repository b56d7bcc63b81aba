#include "loaders/scene/humanoid/retarget.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/scene/humanoid/human_bone_map.hpp"
#include "loaders/scene/motion/bind_animations.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "tests/support/humanoid/humanoid_rigs.hpp"
#include "tests/support/load_model.hpp"

namespace vitrine::scene {
namespace {

using test::HumanoidRig;

// A bone and the one that it points to.
struct BonePair {
    HumanBone from, to;
};

std::vector<BonePair> bone_pairs(const HumanBoneMap& a, const HumanBoneMap& b)
{
    using enum HumanBone;
    constexpr BonePair all[] = {{hips, spine},
                                {spine, chest},
                                {chest, upper_chest},
                                {upper_chest, neck},
                                {neck, head},
                                {left_shoulder, left_upper_arm},
                                {left_upper_arm, left_lower_arm},
                                {left_lower_arm, left_hand},
                                {right_shoulder, right_upper_arm},
                                {right_upper_arm, right_lower_arm},
                                {right_lower_arm, right_hand},
                                {left_upper_leg, left_lower_leg},
                                {left_lower_leg, left_foot},
                                {left_foot, left_toes},
                                {right_upper_leg, right_lower_leg},
                                {right_lower_leg, right_foot},
                                {right_foot, right_toes}};
    std::vector<BonePair> known;
    for (const auto& pair : all)
        if (std::max({a[pair.from], a[pair.to], b[pair.from], b[pair.to]}) != scene::none)
            known.push_back(pair);
    return known;
}

// Deviations of a clip on another rig. Lengths are those of a body of 1.8 m.
struct Deviation {
    double angle_sum = 0.0, largest_angle = 0.0; // degrees
    double slide = 0.0;                          // meters, of the way of a standing foot over its contact
    double height = 0.0;                         // meters, of standing toes off the ground
    std::size_t angles = 0;

    double mean_angle() const { return angle_sum / static_cast<double>(std::max<std::size_t>(angles, 1)); }
    void add(const Deviation& other)
    {
        angle_sum += other.angle_sum;
        angles += other.angles;
        largest_angle = std::max(largest_angle, other.largest_angle);
        slide = std::max(slide, other.slide);
        height = std::max(height, other.height);
    }
};

glm::vec3 position(const Pose& pose, std::uint32_t node)
{
    return glm::vec3(pose.model[node][3]);
}

// The animation `clip` of a rig on another one.
class Comparison {
public:
    Comparison(const HumanoidRig& from, const Scene& animation, const HumanoidRig& to, const Scene& character)
        : animation_(animation), character_(character), from_map_(find_human_bones(animation)),
          to_map_(find_human_bones(character)), pairs_(bone_pairs(from_map_, to_map_)),
          to_size_(to.height / 1.8f),
          leg_ratio_((to.thigh + to.shin) * to.height / ((from.thigh + from.shin) * from.height)),
          turn_(glm::angleAxis(to.facing - from.facing, glm::vec3(0, 1, 0)))
    {
    }

    Deviation measure(std::uint32_t clip) const
    {
        Deviation result;
        auto fitted = fit_clip(character_, animation_, clip);
        EXPECT_TRUE(fitted) << animation_.clips[clip].name;
        if (!fitted) return result;
        Scene scene = character_;
        scene.clips = {*fitted};
        test::expect_valid(scene);
        const auto stands = test::standing_feet(clip);
        Pose last_a, last_b, a, b;
        double ways[2] = {0.0, 0.0};
        for (std::size_t half = 0; half < 2 * stands.size() - 1; ++half) { // between frames too
            const std::size_t frame = (half + 1) / 2;
            const double time = static_cast<double>(half) / 60.0;
            sample_pose(animation_, clip, time, a);
            sample_pose(scene, 0, time, b);
            add_angles(a, b, result);
            for (std::size_t side = 0; side < 2; ++side) {
                const bool goes_on = half > 0 && stands[frame][side] && stands[(half - 1) / 2][side];
                ways[side] = goes_on ? ways[side] + slide(last_a, a, last_b, b, side) : 0.0;
                result.slide = std::max(result.slide, ways[side]);
                if (stands[frame][side] && stands[half / 2][side])
                    result.height = std::max(result.height, rise(b, side));
            }
            last_a = a;
            last_b = b;
        }
        return result;
    }

private:
    void add_angles(const Pose& a, const Pose& b, Deviation& result) const
    {
        for (const auto& [from, to] : pairs_) {
            const auto wanted =
                turn_ * glm::normalize(position(a, from_map_[to]) - position(a, from_map_[from]));
            const auto found = glm::normalize(position(b, to_map_[to]) - position(b, to_map_[from]));
            const double angle = glm::degrees(std::acos(std::clamp(glm::dot(wanted, found), -1.0f, 1.0f)));
            result.angle_sum += angle;
            result.largest_angle = std::max(result.largest_angle, angle);
            ++result.angles;
        }
    }

    static HumanBone toes(std::size_t side)
    {
        return side == 0 ? HumanBone::left_toes : HumanBone::right_toes;
    }

    // How far the toes move over the ground beyond what the animation's do.
    double slide(const Pose& a0, const Pose& a1, const Pose& b0, const Pose& b1, std::size_t side) const
    {
        const auto bone = toes(side);
        const auto wanted =
            leg_ratio_ * (turn_ * (position(a1, from_map_[bone]) - position(a0, from_map_[bone])));
        const auto step = position(b1, to_map_[bone]) - position(b0, to_map_[bone]) - wanted;
        return std::hypot(step.x, step.z) / to_size_;
    }

    // How far the toes are off the ground.
    double rise(const Pose& pose, std::size_t side) const
    {
        constexpr float at_rest = 0.02f; // of a body of 1.8 m
        return std::abs(position(pose, to_map_[toes(side)]).y / to_size_ - at_rest);
    }

    const Scene& animation_;
    const Scene& character_;
    HumanBoneMap from_map_, to_map_;
    std::vector<BonePair> pairs_;
    float to_size_, leg_ratio_;
    glm::quat turn_;
};

TEST(Retarget, TwentyRigsPlayTenClipsOfAnother)
{
    const auto rigs = test::humanoid_rigs();
    std::vector<Scene> scenes;
    for (const auto& rig : rigs) {
        scenes.push_back(test::make_humanoid(rig));
        test::expect_valid(scenes.back());
    }
    Deviation all;
    for (const std::size_t source : {std::size_t{0}, std::size_t{7}, std::size_t{14}}) {
        for (std::size_t target = 0; target < rigs.size(); ++target) {
            if (target == source) continue;
            SCOPED_TRACE(fmt::format("rig {} on rig {}", source, target));
            const Comparison comparison(rigs[source], scenes[source], rigs[target], scenes[target]);
            for (std::uint32_t clip = 0; clip < test::motion_count; ++clip) {
                SCOPED_TRACE(scenes[source].clips[clip].name);
                const auto deviation = comparison.measure(clip);
                EXPECT_LT(deviation.mean_angle(), 5.0);
                EXPECT_LT(deviation.slide, 0.02);
                all.add(deviation);
            }
        }
    }
    fmt::print("bone directions: mean {:.2f}, largest {:.1f} degrees; added slide at most {:.1f} mm; "
               "standing toes at most {:.1f} mm off the ground\n",
               all.mean_angle(), all.largest_angle, 1000.0 * all.slide, 1000.0 * all.height);
    EXPECT_LT(all.mean_angle(), 2.5);
}

TEST(Retarget, TheSameRigPlaysTheChannelsUnmodified)
{
    auto rigs = test::humanoid_rigs();
    for (auto& rig : rigs) {
        const Scene animation = test::make_humanoid(rig);
        rig.arms_down = !rig.arms_down; // rest rotations do not matter
        const Scene character = test::make_humanoid(rig);
        const auto fitted = fit_clip(character, animation, 1);
        ASSERT_TRUE(fitted);
        ASSERT_EQ(fitted->channels.size(), animation.clips[1].channels.size());
        for (std::size_t i = 0; i < fitted->channels.size(); ++i) {
            EXPECT_EQ(fitted->channels[i].node, animation.clips[1].channels[i].node);
            EXPECT_EQ(fitted->channels[i].values, animation.clips[1].channels[i].values);
        }
    }
}

TEST(Retarget, OtherModelsAreBoundByName)
{
    Scene scene = test::make_humanoid({});
    Scene chest;
    chest.nodes = {{.name = "lid"}, {.name = "leftHand"}};
    const auto bound = fit_clip(chest, scene, 1);
    ASSERT_TRUE(bound) << "leftHand is in both";
    EXPECT_EQ(bound->channels.size(), 1u);
    EXPECT_FALSE(retarget_clip(chest, scene, 1));
    chest.nodes.pop_back();
    EXPECT_FALSE(fit_clip(chest, scene, 1));
}

TEST(Retarget, BodiesWithoutExtentAreNoHumanoids)
{
    const Scene animation = test::make_humanoid({});
    Scene flat = test::make_humanoid({.names = test::NamingStyle::unreal});
    for (auto& node : flat.nodes)
        node.local = {};
    EXPECT_FALSE(retarget_clip(flat, animation, 1));
    EXPECT_FALSE(retarget_clip(animation, flat, 1));
    for (auto& node : flat.nodes)
        node.local.scale = glm::vec3(0.0f);
    EXPECT_FALSE(retarget_clip(flat, animation, 1));
}

TEST(Retarget, LongClipsAreBounded)
{
    const Scene character = test::make_humanoid({.names = test::NamingStyle::unreal});
    Scene animation = test::make_humanoid({});
    animation.clips[1].duration = 1e12;
    const auto fitted = retarget_clip(character, animation, 1);
    ASSERT_TRUE(fitted);
    EXPECT_EQ(fitted->duration, 1e12);
    for (const auto& channel : fitted->channels)
        EXPECT_LE(channel.times.size(), max_retarget_frames + 1.0);
}

TEST(Retarget, ShearedJointsKeepTheirPlace)
{
    Scene character = test::make_humanoid({.names = test::NamingStyle::unreal});
    const auto map = find_human_bones(character);
    character.nodes[map[HumanBone::head]].matrix = glm::mat4(1.0f);
    const auto fitted = retarget_clip(character, test::make_humanoid({}), 1);
    ASSERT_TRUE(fitted);
    for (const auto& channel : fitted->channels)
        EXPECT_NE(channel.node, map[HumanBone::head]);
    character.nodes[map[HumanBone::hips]].matrix = glm::mat4(1.0f);
    EXPECT_FALSE(retarget_clip(character, test::make_humanoid({}), 1));
}

} // namespace
} // namespace vitrine::scene
