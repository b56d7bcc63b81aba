#include <gmock/gmock.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "tests/unit/dae/controllers.hpp"

namespace vitrine::dae::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(DaeSkin, JointsBySidWithBindMatrices)
{
    const scene::Scene scene = of_skin({});
    ASSERT_THAT(scene.skins, SizeIs(1));
    const scene::Skin& skin = scene.skins[0];
    EXPECT_EQ(scene.nodes[skin.joints.at(0)].name, "a");
    EXPECT_EQ(scene.nodes[skin.joints.at(1)].name, "b");
    EXPECT_EQ(skin.inverse_bind.at(1)[3], glm::vec4(0, 0, -5, 1));
    EXPECT_EQ(scene.nodes.back().skin, 0u);
}

// Corners 0 to 2 follow the joints; corner 3 has no weight and follows the node.
TEST(DaeSkin, VerticesWithoutWeightsFollowTheirNode)
{
    const scene::Scene scene = of_skin({}, "<skeleton>#root</skeleton>", moved_skeleton);
    EXPECT_THAT(scene.skins.at(0).joints, SizeIs(2));
    const scene::Aabb box = scene::static_bounds(scene);
    EXPECT_EQ(box.min, glm::vec3(-7, 0, 0));
    EXPECT_EQ(box.max, glm::vec3(0, 1, 0));
}

// Corner 3 uses the bind shape, including its morph target and normal.
TEST(DaeSkin, VerticesWithoutWeightsHaveTheBindShapeToo)
{
    const scene::Scene scene = of_skin({.bind_shape = "2 0 0 10 0 2 0 0 0 0 2 3 0 0 0 1"},
                                       "<skeleton>#root</skeleton>", moved_skeleton);
    EXPECT_THAT(scene.skins.at(0).joints, SizeIs(2));
    const scene::Aabb box = scene::static_bounds(scene);
    EXPECT_EQ(box.min, glm::vec3(3, 0, 3));
    EXPECT_EQ(box.max, glm::vec3(10, 2, 3));
    for (const glm::vec3& n : scene.meshes.at(0).normals)
        EXPECT_EQ(n, glm::vec3(0, 0, 1));
}

// Programs place the node at the bind shape: it must not apply twice to vertices without joints. A node
// elsewhere moves the bound mesh.
TEST(DaeSkin, NodeAtTheBindShapeHasIt)
{
    const std::string bind_shape = "1 0 0 10 0 1 0 0 0 0 1 3 0 0 0 1";
    const auto box_of = [&](const Skin& skin, const std::string& place) {
        const std::string node = "<node><translate>" + place +
                                 "</translate><instance_controller url='#c'><skeleton>#root</skeleton>"
                                 "</instance_controller></node>";
        return scene::static_bounds(loaded(
            Document{.libraries = library("geometries", square("g")) + library("controllers", skin.text()),
                     .nodes = skeleton + node}
                .text()));
    };
    const Skin alone{.bind_shape = bind_shape, .vcount = "1 1 1 0", .v = "0 0 0 0 0 0"};
    const Skin minus{.bind_shape = bind_shape, .vcount = "1 1 1 1", .v = "0 0 0 0 0 0 -1 0"};
    const Skin shared{.bind_shape = bind_shape, .vcount = "1 1 1 2", .v = "0 0 0 0 0 0 -1 1 0 1"};
    const Skin missing{
        .bind_shape = bind_shape, .joints = names("j", "A Z"), .vcount = "1 1 1 1", .v = "0 0 0 0 0 0 1 0"};
    for (const Skin& skin : {alone, minus, shared, missing}) {
        const scene::Aabb there = box_of(skin, "10 0 3"), origin = box_of(skin, "0 0 0");
        EXPECT_EQ(there.min, glm::vec3(10, 0, 3));
        EXPECT_EQ(there.max, glm::vec3(11, 1, 3));
        EXPECT_EQ(origin.min, there.min);
        EXPECT_EQ(origin.max, there.max);
    }
}

TEST(DaeSkin, BindShapeIsAppliedFirst)
{
    const scene::Scene scene = of_skin(
        {.bind_shape = "2 0 0 10 0 2 0 0 0 0 2 0 0 0 0 1", .vcount = "1 1 1 1", .v = "0 0 0 0 0 0 1 0"});
    const scene::Aabb box = scene::static_bounds(scene);
    EXPECT_EQ(box.min, glm::vec3(10, 0, 0));
    EXPECT_EQ(box.max, glm::vec3(12, 2, 0));
}

// The rig is at x = 3 with scale 2, where its joint was bound. The mesh is below it.
scene::Scene below_a_rig(const std::string& generator)
{
    Skin skin;
    skin.joints = names("j", "A");
    skin.binds = source("b", "0.5 0 0 -1.5 0 0.5 0 0 0 0 0.5 0 0 0 0 1", 1, 16,
                        "<param name='TRANSFORM' type='float4x4'/>");
    skin.vcount = "1 1 1 0";
    skin.v = "0 0 0 0 0 0";
    skin.bind_shape = "1 0 0 0 0 1 0 0 0 0 1 5 0 0 0 1";
    return loaded(Document{
        .asset = "<contributor><authoring_tool>" + generator + "</authoring_tool></contributor>",
        .libraries = library("geometries", square("g")) + library("controllers", skin.text()),
        .nodes =
            "<node id='rig'><translate>3 0 0</translate><scale>2 2 2</scale>"
            "<node id='idA' name='a' sid='A' type='JOINT'/><node id='m'><translate>0 0 5</translate>"
            "<instance_controller url='#c'><skeleton>#idA</skeleton></instance_controller></node></node>"}
                      .text());
}

TEST(DaeSkin, BlendersBindShapesAreBelowTheMeshsParent)
{
    for (const std::string generator :
         {"Blender 2.80.75 commit date:2019-07-29", "Blender 3.4.1", "Blender 2.93.0"}) {
        const scene::Aabb box = scene::static_bounds(below_a_rig(generator));
        EXPECT_EQ(box.min, glm::vec3(3, 0, 10)) << generator; // including the corner without weights
        EXPECT_EQ(box.max, glm::vec3(5, 2, 10)) << generator;
    }
}

TEST(DaeSkin, MoreJointsThanTheLimitAreRejected)
{
    const std::string text =
        Document{.libraries = library("geometries", square("g")) + library("controllers", Skin{}.text()),
                 .nodes = skeleton + "<node id='m'><instance_controller url='#c'/></node>"}
            .text();
    EXPECT_TRUE(load(text, Limits{.skin_joints = 2}));
    const auto rejected = load(text, Limits{.skin_joints = 1});
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code, LoadErrc::limit_exceeded);
    EXPECT_TRUE(rejected.error().detail.contains("skin_joints = 1")) << rejected.error().detail;
}

TEST(DaeSkin, BindShapesOfOthersAreInTheWorld)
{
    for (const std::string generator :
         {"Blender 2.79.0", "Blender 2.80.40", "Blender", "Blender 2", "Maya8.5"}) {
        const scene::Scene scene = below_a_rig(generator);
        EXPECT_EQ(scene.skins.at(0).inverse_bind.at(0)[0][0], 0.5f) << generator;
        EXPECT_EQ(scene.skins[0].inverse_bind[0][3][0], -1.5f) << generator;
    }
}

TEST(DaeSkin, JointMinusOneIsTheBindShape)
{
    const scene::Scene alone = of_skin({.vcount = "1 1 1 1", .v = "-1 0 -1 0 -1 0 -1 0"},
                                       "<skeleton>#root</skeleton>", moved_skeleton);
    EXPECT_THAT(alone.meshes.at(0).influences.joints, SizeIs(0));
    EXPECT_THAT(alone.skins.at(0).joints, SizeIs(2));
    EXPECT_EQ(scene::static_bounds(alone).min, glm::vec3(0, 0, 0));
    const scene::Scene shared =
        of_skin({.vcount = "2 0 0 0", .v = "-1 1 1 1"}, "<skeleton>#root</skeleton>", moved_skeleton);
    EXPECT_EQ(shared.skins.at(0).joints.at(2), shared.nodes.size() - 1);
    EXPECT_EQ(scene::static_bounds(shared).min, glm::vec3(-3.5f, 0, 0));
}

// Indices refer to the source of <vertex_weights>; joints missing in the skin are ignored.
TEST(DaeSkin, WeightsMayListTheJointsInAnotherOrder)
{
    Skin skin{.vcount = "1 1 1 1", .v = "0 0 1 0 0 0 2 0"};
    skin.weights += names("other", "B A C");
    skin.inputs = "<input semantic='JOINT' source='#other' offset='0'/><input semantic='WEIGHT' "
                  "source='#w' offset='1'/>";
    const scene::Scene scene = of_skin(skin);
    const scene::Influences& in = scene.meshes.at(0).influences;
    const auto name_at = [&](std::size_t i) {
        return scene.nodes[scene.skins.at(0).joints.at(in.joints.at(i))].name;
    };
    EXPECT_EQ(name_at(0), "b");
    EXPECT_EQ(name_at(1), "a");
    EXPECT_EQ(name_at(2), "b");
    EXPECT_TRUE(warns(scene, "joint_out_of_range"));
}

TEST(DaeSkin, WeightsAreNormalizedInAnyLayout)
{
    const std::string weights =
        "<source id='w'><float_array id='wa' count='6'>9 2 9 9 6 9</float_array><technique_common>"
        "<accessor source='#wa' count='2' stride='3' offset='0'><param type='float'/><param "
        "name='WEIGHT' type='float'/><param type='float'/></accessor></technique_common></source>";
    const std::string inputs =
        "<input semantic='WEIGHT' source='#w' offset='0'/><input semantic='JOINT' source='#j' offset='2'/>";
    const scene::Scene scene =
        of_skin({.weights = weights, .inputs = inputs, .vcount = "2 0 0 0", .v = "0 9 0 1 9 1"});
    const scene::Influences& influences = scene.meshes.at(0).influences;
    EXPECT_THAT(std::vector(influences.weights.begin(), influences.weights.begin() + 2),
                ElementsAre(0.25f, 0.75f));
    EXPECT_TRUE(warns(scene, "weight_sum"));
}

TEST(DaeSkin, ListShorterThanItsCountsIsReported)
{
    Skin skin;
    EXPECT_FALSE(warns(of_skin(skin), "short_weights"));
    skin.v = "0 0  0 1 1 1";
    EXPECT_TRUE(warns(of_skin(skin), "short_weights"));
}

} // namespace
} // namespace vitrine::dae::test
