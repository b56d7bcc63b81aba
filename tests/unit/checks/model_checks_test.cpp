// Budgets, skins, textures, names, space and demands of profiles.

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "loaders/scene/checks/checks.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/walker.hpp"

namespace vitrine::scene {
namespace {

NamePattern starting_with(std::string text)
{
    return {text + ".*", [text](std::string_view name) { return name.starts_with(text); }};
}

std::vector<Finding> findings_of(const Scene& scene, const CheckProfile& profile, Rule rule)
{
    auto findings = check_scene(scene, profile, 1);
    std::erase_if(findings, [&](const Finding& found) { return found.rule != rule; });
    return findings;
}

std::vector<Finding> findings_of(const Scene& scene, Rule rule)
{
    return findings_of(scene, default_profile(), rule);
}

TEST(ModelChecks, BudgetsCompareWithTheirLimits)
{
    auto scene = test::skinned_bar();
    scene.source_vertices = 8;
    for (const Rule rule : {Rule::model_triangles, Rule::model_vertices, Rule::model_meshes,
                            Rule::model_primitives, Rule::model_joints, Rule::model_influences}) {
        auto profile = default_profile();
        EXPECT_TRUE(findings_of(scene, profile, rule).empty()) << info_of(rule).id;
        profile.setting(rule).limit = 0.0;
        const auto found = findings_of(scene, profile, rule);
        ASSERT_EQ(found.size(), 1u) << info_of(rule).id;
        EXPECT_EQ(found.front().severity, Severity::error);
        EXPECT_EQ(std::get<double>(found.front().limit), 0.0);
        profile.setting(rule).limit = std::get<double>(found.front().value);
        EXPECT_TRUE(findings_of(scene, profile, rule).empty()) << "the limit itself is allowed";
    }
}

TEST(ModelChecks, WeightsOfSkins)
{
    auto scene = test::skinned_bar();
    EXPECT_TRUE(findings_of(scene, Rule::skin_weight_sum).empty());
    EXPECT_TRUE(findings_of(scene, Rule::skin_unweighted_vertices).empty());
    auto& influences = scene.meshes[0].influences;
    influences.weights[influences.first[0]] += 0.1f;
    EXPECT_EQ(findings_of(scene, Rule::skin_weight_sum).size(), 1u);
    for (auto i = influences.first[1]; i < influences.first[2]; ++i)
        influences.weights[i] = 0.0f;
    const auto found = findings_of(scene, Rule::skin_unweighted_vertices);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(std::get<double>(found.front().value), 1.0);
    EXPECT_EQ(found.front().path, "/meshes/0");
}

TEST(ModelChecks, Images)
{
    auto scene = test::skinned_bar();
    scene.images = {{.name = "good", .width = 64, .height = 32, .is_checked = true},
                    {.name = "odd", .width = 100, .height = 64, .is_checked = true},
                    {.name = "gone"}};
    auto profile = default_profile();
    EXPECT_EQ(findings_of(scene, profile, Rule::texture_missing).at(0).path, "/images/2");
    EXPECT_TRUE(findings_of(scene, profile, Rule::texture_power_of_two).empty()) << "off";
    profile.setting(Rule::texture_power_of_two).severity = Severity::warning;
    EXPECT_EQ(findings_of(scene, profile, Rule::texture_power_of_two).at(0).path, "/images/1");
    profile.setting(Rule::texture_side).limit = 64;
    EXPECT_EQ(findings_of(scene, profile, Rule::texture_side).at(0).path, "/images/1");
    profile.setting(Rule::texture_bytes).limit = 4 * (64 * 32 + 100 * 64) - 1;
    EXPECT_EQ(findings_of(scene, profile, Rule::texture_bytes).size(), 1u);
}

TEST(ModelChecks, NamesAndWhatIsRequired)
{
    auto scene = test::Walker{}.make();
    scene.nodes[3].name = "foot.L";
    EXPECT_EQ(findings_of(scene, Rule::name_duplicate_joint).size(), 1u);
    auto profile = default_profile();
    profile.names[static_cast<std::size_t>(NamedKind::clip)] = starting_with("Anim_");
    profile.joints = {"hips", "spine"};
    profile.clips = {"walk", "run"};
    const auto clip = findings_of(scene, profile, Rule::name_clip);
    ASSERT_EQ(clip.size(), 1u);
    EXPECT_EQ(std::get<std::string>(clip.front().limit), "Anim_.*");
    EXPECT_EQ(std::get<std::string>(findings_of(scene, profile, Rule::required_joint).at(0).limit), "spine");
    EXPECT_EQ(std::get<std::string>(findings_of(scene, profile, Rule::required_clip).at(0).limit), "run");
}

TEST(ModelChecks, ManyFindingsOfARuleEndWithTheirNumber)
{
    auto scene = test::Walker{}.make();
    for (std::size_t i = 0; i < max_findings_per_rule + 7; ++i)
        scene.nodes.push_back({.name = "x", .parent = 0});
    auto profile = default_profile();
    profile.names[static_cast<std::size_t>(NamedKind::node)] = starting_with("Node_");
    const auto found = findings_of(scene, profile, Rule::name_node);
    EXPECT_EQ(found.size(), max_findings_per_rule + 1);
    EXPECT_EQ(std::get<double>(found.back().value), 12.0) << "five nodes of the walker too";
}

TEST(ModelChecks, Space)
{
    const auto scene = test::skinned_bar();
    auto profile = default_profile();
    profile.up_axis = "Y";
    profile.unit_meters = 1.0;
    profile.size = {.min = 0.001, .max = 1000.0};
    EXPECT_TRUE(findings_of(scene, profile, Rule::space_up_axis).empty());
    EXPECT_TRUE(findings_of(scene, profile, Rule::space_unit).empty());
    EXPECT_TRUE(findings_of(scene, profile, Rule::space_size).empty());
    profile.up_axis = "Z";
    profile.unit_meters = 0.01;
    profile.size.max = 0.01;
    EXPECT_EQ(findings_of(scene, profile, Rule::space_up_axis).size(), 1u);
    EXPECT_EQ(findings_of(scene, profile, Rule::space_unit).size(), 1u);
    EXPECT_EQ(findings_of(scene, profile, Rule::space_size).size(), 1u);
}

TEST(ModelChecks, DemandsOnClips)
{
    const auto scene = test::Walker{.hips = [](double t) { return glm::dvec3(0, 1, 1.5 * t); }}.make();
    auto profile = default_profile();
    profile.clip_demands = {{.clips = starting_with("run"), .loops = false}};
    EXPECT_TRUE(findings_of(scene, profile, Rule::clip_not_looping).empty()) << "another clip";
    profile.clip_demands = {{.clips = starting_with("walk"),
                             .loops = false,
                             .in_place = true,
                             .speed = {.min = 2.0},
                             .seconds = {.max = 0.5},
                             .frame_rate = 24.0,
                             .joints = {"hips", "head"}}};
    for (const Rule rule : {Rule::clip_not_looping, Rule::clip_root_motion, Rule::clip_speed,
                            Rule::clip_duration, Rule::clip_frame_rate, Rule::clip_required_joint})
        EXPECT_EQ(findings_of(scene, profile, rule).size(), 1u) << info_of(rule).id;
    profile.clip_demands = {{.clips = starting_with("walk"),
                             .loops = true,
                             .in_place = false,
                             .speed = {.min = 1.4, .max = 1.6},
                             .seconds = {.max = 1.5},
                             .frame_rate = 30.0,
                             .joints = {"hips"}}};
    for (const auto& found : check_scene(scene, profile, 1))
        EXPECT_FALSE(found.rule >= Rule::clip_not_looping && found.rule <= Rule::clip_required_joint)
            << found.message;
}

TEST(ModelChecks, WarningsOfTheLoader)
{
    auto scene = test::skinned_bar();
    scene.warnings = {{"missing_image", "gone", "/images/0"},
                      {"invalid_keys", "keys are not finite; they are removed", "/animations/0"},
                      {"unnormalized_rotations", "3 rotation keys", "/animations/0"},
                      {"lights_ignored", "lights are ignored", ""}};
    EXPECT_EQ(findings_of(scene, Rule::clip_invalid_keys).size(), 1u);
    EXPECT_EQ(findings_of(scene, Rule::clip_quaternion_norm).size(), 1u);
    EXPECT_EQ(findings_of(scene, Rule::file_warning).size(), 1u);
    auto profile = default_profile();
    profile.setting(Rule::clip_quaternion_norm).limit = 3.0;
    EXPECT_TRUE(findings_of(scene, profile, Rule::clip_quaternion_norm).empty());
}

TEST(ModelChecks, EveryShippedProfileJudgesEveryRule)
{
    for (const auto& shipped : shipped_profiles()) {
        const auto profile = find_shipped_profile(shipped.name).value();
        EXPECT_EQ(profile.name, shipped.name);
        EXPECT_EQ(profile.rules.size(), all_rules().size());
    }
    EXPECT_FALSE(find_shipped_profile("none"));
    auto scene = test::skinned_bar();
    EXPECT_TRUE(findings_of(scene, *find_shipped_profile("mobile"), Rule::model_triangles).empty());
}

} // namespace
} // namespace vitrine::scene
