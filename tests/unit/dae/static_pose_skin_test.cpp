// Morphs of skins: the skin applies first, and the targets are not skinned.

#include <gmock/gmock.h>

#include "loaders/scene/bounds/bounds.hpp"
#include "tests/unit/dae/animated.hpp"
#include "tests/unit/dae/controllers.hpp"

namespace vitrine::dae::test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

// One target, weight 0.5.
std::string morph(const std::string& id, const std::string& of, const std::string& target)
{
    return MorphXml{
        .targets = target, .weights = "0.5", .method = "NORMALIZED", .id = id, .of = of, .prefix = id}
        .text();
}

std::string target_mesh(const std::string& id, const std::string& points)
{
    return geometry(id, triangles(id, "0 1 2 0 2 3"), "", points);
}

// B is two units above its bind pose: corner 1 moves by half of that, corner 2 by all of it.
const std::string raised = "<node id='root' sid='root'><node id='idA' sid='A'/><node id='idB' sid='B'>"
                           "<translate sid='t'>0 0 7</translate></node></node>";
const std::string skin_instance =
    "<instance_controller url='#m'><skeleton>#root</skeleton></instance_controller>";

scene::Scene morphed_skin(const std::string& nodes, const std::string& skin = Skin{}.text(),
                          const std::string& more = "")
{
    return loaded(Document{
        .libraries = library("geometries", square("g") + target_mesh("t", "0 2 0 0 2 0 0 2 0 0 2 0") +
                                               target("s", "0 0 0 3 0 0 3 1 0 0 1 0")) +
                     library("controllers", skin + morph("m", "c", "t")) + more,
        .nodes = nodes}
                      .text());
}

TEST(DaeStaticPoseSkin, MorphTargetsDeformSkinnedMeshes)
{
    const scene::Scene scene = morphed_skin(raised + "<node>" + skin_instance + "</node>");
    EXPECT_THAT(scene.skins, SizeIs(0));
    EXPECT_THAT(scene.meshes.at(0).morph_weights, ElementsAre(0.5f));
    const scene::Aabb box = scene::static_bounds(scene);
    EXPECT_EQ(box.min, glm::vec3(0, 1, 0));
    EXPECT_EQ(box.max, glm::vec3(0.5f, 1.5f, 1));
    EXPECT_THAT(scene.warnings, SizeIs(0));
}

// Skinned corners are (0,0,0), (2,0,1), (2,2,2) and, without weights, (0,2,0).
TEST(DaeStaticPoseSkin, VerticesWithoutWeightsHaveTheBindShape)
{
    const scene::Scene scene = morphed_skin(raised + "<node>" + skin_instance + "</node>",
                                            Skin{.bind_shape = "2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1"}.text());
    EXPECT_EQ(scene::static_bounds(scene).max, glm::vec3(1, 2, 1));
}

TEST(DaeStaticPoseSkin, MovedNodeMovesItsGeometry)
{
    const scene::Scene scene = morphed_skin(
        raised + "<node><translate>7 0 0</translate><scale>2 2 2</scale>" + skin_instance + "</node>");
    const scene::Aabb box = scene::static_bounds(scene);
    EXPECT_EQ(box.min, glm::vec3(7, 2, 0));
    EXPECT_EQ(box.max, glm::vec3(8, 3, 2));
}

// The mesh was bound at its node: the skin stays there, whatever the node's transform.
TEST(DaeStaticPoseSkin, SkinPlacedByItsJointsStaysThere)
{
    const scene::Scene scene =
        morphed_skin(raised + "<node><translate>7 0 0</translate>" + skin_instance + "</node>",
                     Skin{.bind_shape = "1 0 0 7 0 1 0 0 0 0 1 0 0 0 0 1",
                          .vcount = "1 2 1 1",
                          .v = "0 0  0 1 1 1  1 0  0 0"}
                         .text());
    expect_near(scene::static_bounds(scene).max, {7.5f, 1.5f, 1});
}

TEST(DaeStaticPoseSkin, JointsThatMoveKeepTheSkin)
{
    const std::string turned = library("animations", AnimationXml{"a", "idB/t.X", "0 1", "0 1"}.text());
    const scene::Scene scene =
        morphed_skin(raised + "<node>" + skin_instance + "</node>", Skin{}.text(), turned);
    EXPECT_THAT(scene.skins, SizeIs(1));
    EXPECT_TRUE(warns(scene, "unsupported_controller"));
}

TEST(DaeStaticPoseSkin, CommonMotionOfJointsAndMeshIsAtRest)
{
    const std::string moved = library("animations", AnimationXml{"a", "n/t.X", "0 1", "0 1"}.text());
    const scene::Scene scene = morphed_skin("<node id='n'><translate sid='t'>0 0 0</translate>" + raised +
                                                "<node>" + skin_instance + "</node></node>",
                                            Skin{}.text(), moved);
    EXPECT_THAT(scene.skins, SizeIs(0));
    EXPECT_FALSE(warns(scene, "unsupported_controller"));
    EXPECT_EQ(scene::static_bounds(scene).max, glm::vec3(0.5f, 1.5f, 1));
}

// At three times the distance: half of 3 - 1 of the inner target at half of the outer morph's weight.
TEST(DaeStaticPoseSkin, MorphBelowTheSkinIsSkinned)
{
    std::string skin = Skin{}.text();
    skin.replace(skin.find("source='#g'"), 11, "source='#i'");
    const scene::Scene scene =
        morphed_skin(raised + "<node>" + skin_instance + "</node>", skin + morph("i", "g", "s"));
    EXPECT_THAT(scene.meshes.at(0).morph_weights, ElementsAre(0.25f, 0.5f));
    EXPECT_EQ(scene::static_bounds(scene).max, glm::vec3(1, 1.5f, 1));
}

TEST(DaeStaticPoseSkin, EachInstanceUsesItsOwnJoints)
{
    const std::string low =
        "<node id='low'><node sid='A'/><node sid='B'><translate>0 0 5</translate></node></node>";
    const std::string other =
        "<node><instance_controller url='#m'><skeleton>#low</skeleton></instance_controller></node>";
    const scene::Scene scene = morphed_skin(raised + low + "<node>" + skin_instance + "</node>" + other);
    ASSERT_THAT(scene.meshes, SizeIs(3)); // the last one is s, which is not instantiated
    EXPECT_EQ(scene.meshes[0].positions.at(2), glm::vec3(1, 1, 2));
    EXPECT_EQ(scene.meshes[1].positions.at(2), glm::vec3(1, 1, 0));
    EXPECT_TRUE(scene.meshes[1].shares_geometry);
}

} // namespace
} // namespace vitrine::dae::test
