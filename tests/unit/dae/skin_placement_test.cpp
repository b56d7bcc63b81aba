// Placement of a skin whose node is not at its joints.

#include <gmock/gmock.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "tests/unit/dae/animated.hpp"
#include "tests/unit/dae/controllers.hpp"

namespace vitrine::dae::test {
namespace {

using testing::SizeIs;

const std::string all_weighted = "1 1 1 1";

Skin rigid()
{
    return {.vcount = all_weighted, .v = "0 0 0 0 0 0 0 0"};
}

std::string mesh_at(const std::string& place, const std::string& id = "m", const std::string& below = "")
{
    return "<node id='" + id + "'><translate>" + place +
           "</translate><instance_controller url='#c'><skeleton>#root</skeleton></instance_controller>" +
           below + "</node>";
}

scene::Scene of(const std::string& nodes, const Skin& skin = rigid(), const std::string& more = "")
{
    return loaded(
        Document{.libraries = library("geometries", square("g")) + library("controllers", skin.text()) + more,
                 .nodes = nodes}
            .text());
}

// Expects the unit square at this corner.
void expect_at(const scene::Scene& scene, const glm::vec3& corner)
{
    const scene::Aabb box = scene::static_bounds(scene);
    expect_near(box.min, corner);
    expect_near(box.max, corner + glm::vec3(1, 1, 0));
}

TEST(DaeSkinPlace, MovedNodeMovesItsSkin)
{
    expect_at(of(skeleton + mesh_at("50 0 0")), {50, 0, 0});
    expect_at(of(mesh_at("50 0 0") + skeleton), {50, 0, 0});
    expect_at(of("<node><translate>0 100 0</translate>" + skeleton + mesh_at("50 0 0") + "</node>"),
              {50, 100, 0});
}

TEST(DaeSkinPlace, TwoInstancesOnOneSkeletonAreApartAndMoveTogether)
{
    const std::string moves = library(
        "animations",
        AnimationXml{.id = "a", .target = "root/t", .times = "0 1", .values = "0 0 0 0 4 0", .stride = 3}
            .text());
    const std::string moving =
        "<node id='root' sid='root'><translate sid='t'>0 0 0</translate>"
        "<node id='idA' name='a' sid='A' type='JOINT'/><node id='idB' name='b' sid='B' "
        "type='JOINT'/></node>";
    const scene::Scene scene = of(moving + mesh_at("-50 0 0") + mesh_at("50 0 0", "n"), rigid(), moves);
    EXPECT_THAT(scene.skins, SizeIs(2));
    ASSERT_THAT(scene.clips, SizeIs(1));
    scene::Pose pose;
    scene::sample_pose(scene, 0, 1.0, pose);
    const scene::Aabb box = scene::pose_bounds(scene, pose);
    expect_near(box.min, {-50, 4, 0});
    expect_near(box.max, {51, 5, 0});
}

TEST(DaeSkinPlace, BindShapeOrBindPoseMayContainThePlacement)
{
    Skin shaped = rigid();
    shaped.bind_shape = "1 0 0 50 0 1 0 0 0 0 1 0 0 0 0 1";
    expect_at(of(skeleton + mesh_at("50 0 0"), shaped), {50, 0, 0});
    // Both were bound at 50, and A has been moved since.
    Skin bound = rigid();
    bound.binds = source("b", "1 0 0 50 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 50 0 1 0 0 0 0 1 -5 0 0 0 1", 2, 16,
                         "<param name='TRANSFORM' type='float4x4'/>");
    const std::string bent =
        "<node id='root' sid='root'><node id='idA' name='a' sid='A' type='JOINT'><translate>0 "
        "3 0</translate></node><node id='idB' name='b' sid='B' type='JOINT'><translate>0 0 "
        "5</translate></node></node>";
    expect_at(of(bent + mesh_at("50 0 0"), bound), {50, 3, 0});
}

TEST(DaeSkinPlace, NodeAboveOrBelowItsJointsLeavesThemWhereTheyAre)
{
    expect_at(of(mesh_at("50 0 0", "m", skeleton)), {50, 0, 0});
    const std::string above = "<node id='root' sid='root'><node id='idA' name='a' sid='A' type='JOINT'>" +
                              mesh_at("50 0 0") +
                              "</node><node id='idB' name='b' sid='B' type='JOINT'/></node>";
    expect_at(of(above), {0, 0, 0});
}

TEST(DaeSkinPlace, SkeletonWithMeshesIsDrawnOnce)
{
    const std::string with_bone = "<node id='root' sid='root'><instance_geometry url='#g'/><node id='idA' "
                                  "name='a' sid='A' type='JOINT'/>"
                                  "<node id='idB' name='b' sid='B' type='JOINT'/></node>";
    const scene::Scene scene = of(with_bone + mesh_at("50 0 0"));
    EXPECT_THAT(scene::find_instances(scene), SizeIs(2));
    EXPECT_EQ(scene::static_bounds(scene).min, glm::vec3(0, 0, 0));
    EXPECT_EQ(scene::static_bounds(scene).max, glm::vec3(51, 1, 0));
}

TEST(DaeSkinPlace, CopiesOfSkeletonsCountAsNodes)
{
    std::string nodes = skeleton;
    for (int i = 1; i <= 20; ++i)
        nodes += mesh_at(std::to_string(i) + "0 0 0", "m" + std::to_string(i));
    const std::string text =
        Document{.libraries = library("geometries", square("g")) + library("controllers", rigid().text()),
                 .nodes = nodes}
            .text();
    EXPECT_TRUE(load(text, Limits{.nodes = 83}));
    const auto rejected = load(text, Limits{.nodes = 82});
    ASSERT_FALSE(rejected);
    EXPECT_TRUE(rejected.error().detail.contains("nodes = 82")) << rejected.error().detail;
}

} // namespace
} // namespace vitrine::dae::test
