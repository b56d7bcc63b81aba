// Scenes with features that glTF represents differently, written as GLB and read back: their motion is
// unchanged.

#include "loaders/export/gltf/gltf_writer.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/random_scene.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/export/gltf_round_trip.hpp"

namespace vitrine::exporting {
namespace {

using scene::Path;
using scene::Scene;

TEST(GltfWriter, KeepsSmallScenes)
{
    for (const Scene& scene : {test::skinned_bar(), test::morphing_quad(), test::textured_cube()}) {
        const auto exported = round_trip(scene);
        EXPECT_TRUE(exported.warnings.empty());
        expect_same_motion(scene, exported.scene);
    }
}

// Matrices with shear, mirrored nodes, unskinned vertices, meshes with and without a skin, ten influences,
// morph targets over vertex frames. Their keys are far from unit quaternions, which glTF does not allow.
TEST(GltfWriter, KeepsRandomScenesAtRest)
{
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        SCOPED_TRACE(seed);
        Scene scene = test::random_scene(
            seed,
            {.normalized_weights = true, .own_positions = seed % 3 == 1, .extrapolated = seed % 4 == 2});
        Scene read = round_trip(scene).scene;
        EXPECT_EQ(read.clips.size(), 1u);
        scene.clips.clear();
        read.clips.clear();
        expect_same_motion(scene, read, 5e-5);
    }
}

TEST(GltfWriter, ReportsLosses)
{
    Scene scene = test::skinned_bar();
    EXPECT_FALSE(round_trip(scene).file.contains("extras"));
    scene.skins[0].method = scene::SkinningMethod::dual_quaternion;
    const auto linear = round_trip(scene);
    EXPECT_TRUE(warns(linear, "skinning_approximated"));
    EXPECT_TRUE(linear.file.contains(R"("extras":{"warnings":[{"code":"skinning_approximated","message":)"));
    scene.meshes[0].influences.weights[0] = 0.8f;
    EXPECT_TRUE(warns(round_trip(scene), "weights_normalized"));
    scene.meshes[0].influences.weights[4] = -0.1f;
    EXPECT_TRUE(warns(round_trip(scene), "negative_weights"));
    scene.nodes[2].visible = false;
    const auto hidden = round_trip(scene);
    EXPECT_TRUE(warns(hidden, "invisible_meshes"));
    EXPECT_TRUE(hidden.scene.meshes.empty());
    EXPECT_EQ(hidden.scene.nodes.size(), 3u) << "the joints stay";
}

TEST(GltfWriter, DuplicateJointGetsItsOwnNode)
{
    Scene bar = test::skinned_bar();
    auto& skin = bar.skins[0];
    skin.joints.push_back(skin.joints.back());
    skin.inverse_bind.push_back(skin.inverse_bind.back());
    for (auto& joint : bar.meshes[0].influences.joints) // the first joint's weights are unchanged
        if (joint + 2 == skin.joints.size()) joint = static_cast<std::uint16_t>(skin.joints.size() - 1);
    const Scene read = round_trip(bar).scene;
    auto joints = read.skins[0].joints;
    std::ranges::sort(joints);
    EXPECT_EQ(std::ranges::adjacent_find(joints), joints.end());
    expect_same_motion(bar, read);
}

// A loader put the joint's scale into a separate node; the joint has its name in the file, and the helper is
// not a joint.
TEST(GltfWriter, JointsHaveTheirFilesNames)
{
    Scene bar = test::skinned_bar();
    const auto joint = bar.skins[0].joints.back();
    bar.nodes[joint].name = "arm";
    scene::Node unscaled = bar.nodes[joint];
    unscaled.name = "arm.unscaled";
    bar.nodes.insert(bar.nodes.begin() + joint, unscaled);
    const auto move = [&](std::uint32_t& node) {
        if (node != scene::none && node >= joint) ++node;
    };
    for (scene::Node& node : bar.nodes)
        move(node.parent);
    for (auto& of_skin : bar.skins[0].joints)
        move(of_skin);
    for (auto& channel : bar.clips[0].channels)
        if (channel.node != joint || channel.path == Path::scale) move(channel.node);
    bar.nodes[joint].parent = bar.nodes[joint + 1].parent;
    bar.nodes[joint].local.scale = glm::vec3(1.0f);
    bar.nodes[joint].helper_of = joint + 1;
    bar.nodes[joint + 1].parent = joint;
    bar.nodes[joint + 1].local = {.scale = bar.nodes[joint + 1].local.scale};
    const Scene read = round_trip(bar).scene;
    expect_same_motion(bar, read);
    EXPECT_EQ(read.nodes[read.skins.at(0).joints.back()].name, "arm");
    for (const scene::Node& node : read.nodes)
        EXPECT_FALSE(node.name.ends_with(".unscaled")) << node.name;
}

// As in a file with animations only.
TEST(GltfWriter, KeepsASkinThatNoMeshUses)
{
    Scene bar = test::skinned_bar();
    for (scene::Node& node : bar.nodes)
        node.mesh = node.skin = scene::none;
    bar.meshes.clear();
    const Scene read = round_trip(bar).scene;
    ASSERT_EQ(read.skins.size(), 1u);
    ASSERT_EQ(read.skins[0].joints.size(), bar.skins[0].joints.size());
    EXPECT_EQ(read.skins[0].inverse_bind, bar.skins[0].inverse_bind);
    for (std::size_t j = 0; j < bar.skins[0].joints.size(); ++j)
        EXPECT_EQ(read.nodes[read.skins[0].joints[j]].name, bar.nodes[bar.skins[0].joints[j]].name);
}

TEST(GltfWriter, KeepsWhoMadeTheFileAndItsLicense)
{
    Scene scene = test::skinned_bar();
    scene.attribution = {.title = "Bar \"7\"",
                         .author = "Jane",
                         .copyright = "2026 Jane",
                         .license = "CC-BY-4.0",
                         .source = "https://example.org/bar"};
    EXPECT_EQ(round_trip(scene).scene.attribution, scene.attribution);
    scene.attribution = {.license = "MIT"};
    EXPECT_EQ(round_trip(scene).scene.attribution, scene.attribution);
}

TEST(GltfWriter, WritesEmptyScenes)
{
    Scene scene;
    scene.format = "obj";
    const auto empty = write_glb(scene);
    ASSERT_TRUE(empty);
    EXPECT_LT(empty->size(), 100u);
    scene.meshes.emplace_back().name = "no primitives";
    scene::Node node;
    node.mesh = 0;
    scene.nodes.push_back(node);
    EXPECT_TRUE(round_trip(scene).scene.meshes.empty());
}

} // namespace
} // namespace vitrine::exporting
