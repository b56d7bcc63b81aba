// The roles of joints, the direction that characters face, and motions.

#include <algorithm>

#include <gmock/gmock.h>

#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "loaders/scene/preview/check_visibility.hpp"
#include "tests/unit/gltf/reported_places.hpp"
#include "tests/unit/vrm/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using scene::HumanBone;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

namespace {

scene::Scene load_figure(const GltfBuilder& builder)
{
    return valid(try_vrm(builder.glb()));
}

glm::vec3 position_of(const scene::Scene& scene, HumanBone bone, double time = 0.0)
{
    const auto node = std::ranges::find(scene.nodes, bone, &scene::Node::human_bone);
    if (node == scene.nodes.end()) return glm::vec3(1e9f);
    scene::Pose pose;
    if (scene.clips.empty())
        scene::static_pose(scene, pose);
    else
        scene::sample_pose(scene, 0, time, pose);
    return glm::vec3(pose.model[static_cast<std::size_t>(node - scene.nodes.begin())][3]);
}

void expect_near(const glm::vec3& found, const glm::vec3& expected)
{
    EXPECT_LT(glm::distance(found, expected), 1e-6f) << found.x << " " << found.y << " " << found.z;
}

void expect_figure(const scene::Scene& scene)
{
    expect_near(position_of(scene, HumanBone::head), {0, 1.6f, 0});
    expect_near(position_of(scene, HumanBone::left_hand), {0.7f, 1.5f, 0});
    expect_near(position_of(scene, HumanBone::right_foot), {-0.1f, 0.1f, 0});
    expect_near(position_of(scene, HumanBone::left_thumb_metacarpal), {0.73f, 1.5f, 0.03f});
    EXPECT_EQ(std::ranges::count(scene.nodes, HumanBone::none, &scene::Node::human_bone),
              std::ssize(scene.nodes) - 16);
}

} // namespace

TEST(Vrm, FilesAreFoundByTheirExtensions)
{
    const auto is = [](const std::string& bytes) { return is_vrm(std::as_bytes(std::span(bytes))); };
    EXPECT_TRUE(is(vrm_0().glb()));
    EXPECT_TRUE(is(vrm_1().glb()));
    EXPECT_TRUE(is(vrma().glb()));
    EXPECT_TRUE(is(vrm_1().json(false))) << "glTF as text";
    EXPECT_FALSE(is(triangle().glb()));
    EXPECT_FALSE(is("o \"VRM\"\n"));
    EXPECT_FALSE(is(R"({"a":"VRMC_vrmx"})"));
    EXPECT_FALSE(is(""));
    EXPECT_FALSE(is("glTF"));
}

TEST(Vrm, WithoutAnExtensionIsGltf)
{
    const auto scene = load_figure(triangle());
    EXPECT_EQ(scene.format, "glb");
    EXPECT_FALSE(scene.vrm);
}

TEST(Vrm, Version1FacesPlusZ)
{
    const auto scene = load_figure(vrm_1());
    EXPECT_EQ(scene.format, "vrm");
    EXPECT_EQ(scene.file_space.axes, glm::mat3(1.0f));
    expect_figure(scene);
    EXPECT_FLOAT_EQ(scene.meshes.at(0).positions[0].z, 0.1f);
}

TEST(Vrm, Version0IsTurnedToPlusZ)
{
    const auto scene = load_figure(vrm_0());
    EXPECT_EQ(scene.format, "vrm");
    EXPECT_EQ(scene.file_space.axes, glm::mat3(-1, 0, 0, 0, 1, 0, 0, 0, -1));
    expect_figure(scene);
    EXPECT_FLOAT_EQ(scene.meshes.at(0).positions[0].z, 0.1f);
    EXPECT_TRUE(std::ranges::all_of(
        scene.nodes, [](const scene::Node& node) { return node.local.rotation == glm::quat(1, 0, 0, 0); }));
}

TEST(Vrm, Version1CountsWhereBothExist)
{
    auto builder = vrm_1();
    builder.root(R"("extensions":{"VRM":{},"VRMC_vrm":{"specVersion":"1.0"}})");
    const auto scene = load_figure(builder);
    EXPECT_EQ(scene.vrm.value().version, "1.0");
    EXPECT_EQ(scene.file_space.axes, glm::mat3(1.0f));
}

TEST(Vrm, BonesThatAreUnknownRepeatedOrWithoutNodeAreIgnored)
{
    const std::string bones =
        R"(,"tail":{"node":0},"jaw":{"node":1},"neck":{"node":99},"chest":{},"leftEye":3)";
    const auto scene = load_figure(vrm_1(figure_bones() + bones));
    expect_figure(scene);
    const std::string place = " at /extensions/VRMC_vrm/humanoid/humanBones/";
    EXPECT_THAT(warnings_of(scene), Contains("unknown_human_bone" + place + "tail"));
    EXPECT_THAT(warnings_of(scene), Contains("duplicate_human_bone" + place + "jaw"));
    for (const char* bone : {"neck", "chest", "leftEye"})
        EXPECT_THAT(warnings_of(scene), Contains("invalid_human_bone" + place + bone));
    const auto old =
        load_figure(vrm_0(figure_bones_of_version_0() +
                          R"(,{"bone":"hips","node":0},{"bone":"leftThumbMetacarpal","node":17},{},7)"));
    expect_figure(old);
    EXPECT_THAT(warnings_of(old), Contains("duplicate_human_bone at /extensions/VRM/humanoid/humanBones/16"));
    EXPECT_THAT(warnings_of(old), Contains("duplicate_human_bone at /extensions/VRM/humanoid/humanBones/17"));
    for (const char* index : {"18", "19"})
        EXPECT_THAT(
            warnings_of(old),
            Contains(std::string("unknown_human_bone at /extensions/VRM/humanoid/humanBones/") + index));
}

TEST(Vrm, WarnsAboutMissingBones)
{
    const auto scene = load_figure(vrm_1(R"("hips":{"node":1},"spine":{"node":2})"));
    const auto warning = std::ranges::find(scene.warnings, "missing_human_bone", &scene::Warning::code);
    ASSERT_NE(warning, scene.warnings.end());
    EXPECT_TRUE(warning->message.starts_with("required bones are missing: head, leftUpperLeg"));
    EXPECT_THAT(warnings_of(load_figure(vrm_1())), Not(Contains(testing::HasSubstr("missing_human_bone"))));
    EXPECT_THAT(warnings_of(load_figure(vrm_0("", "\"humanoid\":{\"humanBones\":{}}"))),
                Contains("invalid_human_bone at /extensions/VRM/humanoid/humanBones"));
}

TEST(Vrma, HasAClipAndASkeleton)
{
    const auto scene = load_figure(vrma());
    EXPECT_EQ(scene.format, "vrma");
    EXPECT_TRUE(scene.warnings.empty()) << scene.warnings[0].message;
    expect_near(position_of(scene, HumanBone::left_hand, 0.0), {0.7f, 1.5f, 0});
    expect_near(position_of(scene, HumanBone::left_hand, 1.0), {0.2f, 1.0f, 0});
    ASSERT_EQ(scene.skins.size(), 1u);
    EXPECT_EQ(scene.skins[0].joints.size(), 16u);
    ASSERT_EQ(scene.vrm.value().expressions.size(), 1u);
    EXPECT_EQ(scene.vrm->expressions[0].name, "happy");
    const auto bones = scene::with_bone_geometry(scene);
    ASSERT_TRUE(bones);
    EXPECT_TRUE(scene::validate(*bones));
    EXPECT_EQ(scene::check_visibility(*bones), scene::SceneVisibility::something);
}

TEST(Vrma, JointsScaledToNothingLoad)
{
    auto builder = vrma(R"("hips":{"node":18})");
    builder.add("nodes", R"({"scale":[0,0,0]})");
    const auto scene = load_figure(builder);
    ASSERT_EQ(scene.skins.size(), 1u);
    EXPECT_EQ(scene.skins[0].inverse_bind.at(0), glm::mat4(1.0f));
}
