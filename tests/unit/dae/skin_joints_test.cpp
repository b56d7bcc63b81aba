// Joints of a skin: by sid, id or path, below the skeletons that the instance names.

#include <gmock/gmock.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "tests/unit/dae/controllers.hpp"

namespace vitrine::dae::test {
namespace {

using testing::SizeIs;

TEST(DaeSkin, JointsById)
{
    const scene::Scene scene = of_skin({.joints = names("j", "idB idA", "IDREF_array")});
    EXPECT_EQ(scene.nodes[scene.skins.at(0).joints.at(0)].name, "b");
}

TEST(DaeSkin, JointsByPath)
{
    const scene::Scene scene = of_skin({.joints = names("j", "root/A root/B", "SIDREF_array")});
    EXPECT_EQ(scene.nodes[scene.skins.at(0).joints.at(0)].name, "a");
    EXPECT_EQ(scene.nodes[scene.skins[0].joints.at(1)].name, "b");
    EXPECT_FALSE(warns(scene, "missing_joint"));
    EXPECT_TRUE(warns(of_skin({.joints = names("j", "root/A root/Z", "SIDREF_array")}), "missing_joint"));
}

TEST(DaeSkin, SearchBelowEverySkeletonAndWithoutAny)
{
    const std::string two =
        "<node id='r1'><node sid='A' name='a1'/></node><node id='r2'><node sid='B' name='b2'/></node>"
        "<node id='x'><node sid='B' name='far'/></node>";
    const scene::Scene both = of_skin({}, "<skeleton>#r1</skeleton><skeleton>#r2</skeleton>", two);
    EXPECT_EQ(both.nodes[both.skins.at(0).joints.at(0)].name, "a1");
    EXPECT_EQ(both.nodes[both.skins[0].joints.at(1)].name, "b2");
    const scene::Scene none = of_skin({}, "");
    EXPECT_EQ(none.nodes[none.skins.at(0).joints.at(1)].name, "b");
}

// skin_broken of the Conformance Test Suite: without its joints the mesh is shown as by <instance_geometry>.
TEST(DaeSkin, MissingSkeletonsLeaveTheMeshUnskinned)
{
    const Skin skin{.bind_shape = "2 0 0 10 0 2 0 0 0 0 2 3 0 0 0 1"};
    for (const std::string skeletons :
         {"<skeleton>#wrong</skeleton>", "<skeleton>#wrong</skeleton><skeleton/><skeleton>no</skeleton>"}) {
        const scene::Scene broken = of_skin(skin, skeletons, moved_skeleton);
        EXPECT_THAT(broken.skins, SizeIs(0));
        const scene::Aabb box = scene::static_bounds(broken);
        EXPECT_EQ(box.min, glm::vec3(0, 0, 0));
        EXPECT_EQ(box.max, glm::vec3(1, 1, 0));
        EXPECT_TRUE(warns(broken, "missing_skeleton"));
    }
    for (const std::string skeletons :
         {"", "<skeleton/>", "<skeleton>#wrong</skeleton><skeleton>#root</skeleton>"}) {
        const scene::Scene whole = of_skin(skin, skeletons);
        EXPECT_THAT(whole.skins, SizeIs(1));
        EXPECT_FALSE(warns(whole, "missing_skeleton"));
    }
}

// The same controller with valid joints next to it: each instance has its own mesh.
TEST(DaeSkin, BrokenInstanceLeavesOthersTheirSkin)
{
    const std::string instance = "<instance_controller url='#c'><skeleton>#";
    const std::string end = "</skeleton></instance_controller>";
    const scene::Scene scene = loaded(Document{
        .libraries = library("geometries", square("g")) + library("controllers", Skin{}.text()),
        .nodes = skeleton + "<node>" + instance + "wrong" + end + instance + "root" + end + "</node>"}
                                          .text());
    ASSERT_THAT(scene.meshes, SizeIs(2));
    EXPECT_THAT(scene.skins, SizeIs(1));
    EXPECT_THAT(scene.meshes[0].influences.joints, SizeIs(0));
    EXPECT_FALSE(scene.meshes[1].influences.joints.empty());
    EXPECT_EQ(scene.source_vertices, 4u);
}

// Of two joints with one sid, the one below the skeleton is used even if another comes first.
TEST(DaeSkin, SidBelowTheSkeletonWins)
{
    const std::string two =
        "<node id='x'><node sid='A' name='wrong'/></node><node id='root'><node sid='A' name='right'/></node>";
    const scene::Scene scene = of_skin({}, "<skeleton>#root</skeleton>", two);
    EXPECT_EQ(scene.nodes[scene.skins.at(0).joints.at(0)].name, "right");
    EXPECT_TRUE(warns(scene, "missing_joint")); // B
}

TEST(DaeSkin, SidIsLookedForBreadthFirstBelowTheFirstSkeleton)
{
    const std::string joints =
        "<node id='other' sid='x'><node name='behind' sid='A'/></node>"
        "<node id='root' sid='root'><node sid='y'><node name='deep' sid='A'/><node name='b' sid='B'/></node>"
        "<node name='near' sid='A'/></node>";
    const auto first_joint = [&](const std::string& skeletons) {
        const scene::Scene scene = of_skin({}, skeletons, joints);
        return scene.nodes[scene.skins.at(0).joints.at(0)].name;
    };
    EXPECT_EQ(first_joint("<skeleton>#root</skeleton>"), "near");
    EXPECT_EQ(first_joint("<skeleton>#root</skeleton><skeleton>#other</skeleton>"), "near");
    EXPECT_EQ(first_joint("<skeleton>#other</skeleton><skeleton>#root</skeleton>"), "behind");
}

TEST(DaeSkin, SkeletonOfALibraryIsAdded)
{
    const auto text =
        Document{
            .libraries = library("nodes", skeleton) + library("geometries", square("g")) +
                         library("controllers", Skin{}.text()),
            .nodes =
                "<node><instance_controller url='#c'><skeleton>#root</skeleton></instance_controller></node>"}
            .text();
    const scene::Scene scene = loaded(text);
    EXPECT_EQ(scene.nodes[scene.skins.at(0).joints.at(0)].name, "a");
    EXPECT_FALSE(warns(scene, "missing_joint"));
}

// A library character, its joints and its mesh, placed twice: each copy follows its own joints.
TEST(DaeSkin, EachInstanceFollowsItsOwnJoints)
{
    const std::string mesh = "<node><instance_controller url='#c'><skeleton>#root</skeleton>"
                             "</instance_controller></node>";
    const std::string placed = "<node name='first'><instance_node url='#char'/></node>"
                               "<node name='second'><node><instance_node url='#char'/></node></node>";
    const auto top = [](const scene::Scene& scene, std::uint32_t node) {
        while (scene.nodes[node].parent != scene::none)
            node = scene.nodes[node].parent;
        return scene.nodes[node].name;
    };
    for (const std::string& character : {skeleton + mesh, mesh + skeleton}) {
        const scene::Scene scene = loaded(
            Document{.libraries = library("nodes", "<node id='char'>" + character + "</node>") +
                                  library("geometries", square("g")) + library("controllers", Skin{}.text()),
                     .nodes = placed}
                .text());
        ASSERT_THAT(scene.skins, SizeIs(2));
        for (std::uint32_t n = 0; n < scene.nodes.size(); ++n) {
            if (scene.nodes[n].skin == scene::none) continue;
            for (const std::uint32_t joint : scene.skins[scene.nodes[n].skin].joints)
                EXPECT_EQ(top(scene, joint), top(scene, n));
        }
    }
}

// Two characters with one skeleton, meshes elsewhere: the named <skeleton> takes precedence over the nearest
// joint.
TEST(DaeSkin, NamedSkeletonTakesPrecedenceOverTheNearestJoint)
{
    const std::string nodes =
        "<node id='one' name='one'><instance_node url='#root'/></node>"
        "<node id='two' name='two'><instance_node url='#root'/><node><instance_controller url='#c'>"
        "<skeleton>#one</skeleton></instance_controller></node></node>";
    const scene::Scene scene =
        loaded(Document{.libraries = library("nodes", skeleton) + library("geometries", square("g")) +
                                     library("controllers", Skin{}.text()),
                        .nodes = nodes}
                   .text());
    const scene::Node& root = scene.nodes[scene.nodes[scene.skins.at(0).joints.at(0)].parent];
    EXPECT_EQ(scene.nodes[root.parent].name, "one");
}

} // namespace
} // namespace vitrine::dae::test
