#include "loaders/scene/layers/attach.hpp"

#include <gtest/gtest.h>

#include "loaders/scene/layers/animation_layers.hpp"
#include "loaders/scene/skinning/skinner.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

// A skinned bar in a skeleton of centimeters whose `upper` joint is at (0, 1, 0) meters.
Scene hand()
{
    Scene scene = test::skinned_bar();
    scene.nodes[0].local.scale = glm::vec3(0.01f);
    scene.nodes[1].local.translation = {0, 100, 0};
    return scene;
}

// Another bar with a texture, a variant and a clip, whose helper belongs to a later node.
Scene sword()
{
    Scene scene = test::skinned_bar();
    scene.nodes.push_back({.name = "grip.pivot", .helper_of = 4});
    scene.nodes.push_back({.name = "grip", .parent = 3, .human_bone = HumanBone::head});
    scene.images.push_back({.name = "steel"});
    scene.materials.push_back({.name = "blade"});
    scene.materials[0].emissive_texture.image = 0;
    scene.variants = {"rusty"};
    scene.meshes[0].primitives[0].material = 0;
    scene.meshes[0].primitives[0].variants = {{0, 0}};
    return scene;
}

TEST(Attach, AppendsBelowTheJointAndKeepsIndices)
{
    Scene scene = hand();
    scene.materials.push_back({.name = "skin"});
    scene.images.push_back({.name = "face"});
    const Scene base = scene;
    ASSERT_TRUE(attach(scene, sword(), {.joint = "upper", .offset = {0, 0.5, 0}}, "sword"));
    ASSERT_TRUE(validate(scene, FlatMeshes::allowed));
    for (std::size_t i = 0; i < base.nodes.size(); ++i)
        EXPECT_EQ(scene.nodes[i].name, base.nodes[i].name);
    ASSERT_EQ(scene.nodes.size(), base.nodes.size() + 1 + sword().nodes.size());
    EXPECT_EQ(scene.nodes[3].name, "sword");
    EXPECT_EQ(scene.nodes[3].parent, 1u);
    EXPECT_EQ(scene.nodes[4].parent, 3u);
    EXPECT_EQ(scene.nodes[5].parent, 4u);
    EXPECT_EQ(scene.nodes[7].helper_of, 8u);
    EXPECT_EQ(scene.nodes[8].human_bone, HumanBone::none);
    EXPECT_EQ(scene.nodes[6].mesh, 1u);
    EXPECT_EQ(scene.nodes[6].skin, 1u);
    EXPECT_EQ(scene.skins[1].joints, (std::vector<std::uint32_t>{4, 5}));
    EXPECT_EQ(scene.meshes[1].primitives[0].material, 1u);
    EXPECT_TRUE(scene.meshes[1].primitives[0].variants.empty());
    EXPECT_EQ(scene.materials[1].emissive_texture.image, 1u);
    EXPECT_EQ(scene.images[1].name, "steel");
    EXPECT_TRUE(scene.variants.empty());
    EXPECT_EQ(scene.clips.size(), base.clips.size()) << "clips of the attached scene are left out";
}

TEST(Attach, KeepsItsSizeAndFollowsTheJoint)
{
    Scene scene = hand();
    const Scene other = sword();
    ASSERT_TRUE(attach(scene, other, {.joint = "upper", .offset = {0, 0.5, 0}, .degrees = {0, 0, 90}}, "s"));
    Pose pose;
    sample_pose(scene, 0, 1.0, pose); // upper is turned by 90 degrees about Z
    // 0.5 m along the joint's Y axis, which is -X; turned by 180 degrees altogether.
    const auto expected = to_matrix({{-0.5f, 1, 0}, rotation_of_degrees({0, 0, 180}), glm::vec3(1)});
    EXPECT_LT(test::difference(pose.model[3], expected), 1e-5);
    Pose alone;
    static_pose(other, alone);
    Skinner own(other), attached(scene);
    const auto& before = own.skin(alone)[0].positions;
    const auto& after = attached.skin(pose)[1].positions;
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_LT(glm::distance(after[i], glm::vec3(expected * glm::vec4(before[i], 1))), 1e-5f);
}

TEST(Attach, LaterOnesMayUseNodesOfEarlierOnes)
{
    Scene scene = hand();
    ASSERT_TRUE(attach(scene, sword(), {.joint = "upper"}, "sword"));
    ASSERT_TRUE(attach(scene, hand(), {.joint = "grip"}, "jewel"));
    EXPECT_EQ(scene.nodes[9].parent, 8u);
    ASSERT_TRUE(validate(scene, FlatMeshes::allowed));
    EXPECT_EQ(attach(scene, hand(), {.joint = "tail"}, "x").error(), "there is no joint 'tail'");
}

TEST(Attach, JointsWithoutExtentAreTakenAsMeters)
{
    Scene scene = hand();
    scene.nodes[0].local.scale = glm::vec3(0);
    ASSERT_TRUE(attach(scene, sword(), {.joint = "upper", .offset = {1, 2, 3}}, "sword"));
    EXPECT_EQ(scene.nodes[3].local.translation, glm::vec3(1, 2, 3));
    EXPECT_EQ(scene.nodes[3].local.scale, glm::vec3(1));
}

TEST(AttachText, ReadsPlaces)
{
    const auto plain = parse_attach("a@b.glb@mixamorig:Hand").value();
    EXPECT_EQ(plain.asset, "a@b.glb");
    EXPECT_EQ(plain.joint, "mixamorig:Hand");
    EXPECT_EQ(plain.offset, glm::dvec3(0.0));
    const auto moved = parse_attach("id@rig:hand:0.1,-2,3").value();
    EXPECT_EQ(moved.joint, "rig:hand");
    EXPECT_EQ(moved.offset, glm::dvec3(0.1, -2, 3));
    const auto turned = parse_attach("id@hand:1,2,3,90,-45,0.5").value();
    EXPECT_EQ(turned.offset, glm::dvec3(1, 2, 3));
    EXPECT_EQ(turned.degrees, glm::dvec3(90, -45, 0.5));
    EXPECT_EQ(place_key(turned), "hand:1,2,3,90,-45,0.5");
    EXPECT_EQ(place_key(parse_attach("x@hand:1.0,2,3e0,90,-45,.5").value()), place_key(turned));
}

TEST(AttachText, SaysWhatIsWrong)
{
    for (const auto* text : {"", "id", "@hand", "id@", "id@hand:1,2", "id@hand:1,2,3,4", "id@hand:1,2,nan",
                             "id@hand:1,2,3,4,5,1e300", "id@hand:1,2,3,4,5,6,7", "id@:1,2,3"})
        EXPECT_EQ(parse_attach(text).error(),
                  "'" + std::string(text) + "' is not ASSET@JOINT, with :x,y,z or :x,y,z,rx,ry,rz after it");
}

} // namespace
} // namespace vitrine::scene
