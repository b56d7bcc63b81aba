#include <cmath>

#include <gmock/gmock.h>

#include "loaders/scene/motion/pose.hpp"
#include "tests/unit/dae/document.hpp"

namespace vitrine::dae::test {
namespace {

using testing::SizeIs;

scene::Scene of_nodes(const std::string& nodes, const std::string& libraries = "",
                      const std::string& asset = "")
{
    return loaded(
        Document{.asset = asset, .libraries = library("geometries", square("g")) + libraries, .nodes = nodes}
            .text());
}

// Returns the global position of a point of the last node.
glm::vec3 placed(const scene::Scene& scene, const glm::vec3& point)
{
    scene::Pose pose;
    scene::static_pose(scene, pose);
    return glm::vec3(pose.model.back() * glm::vec4(point, 1.0f));
}

void expect_place(const glm::vec3& a, const glm::vec3& b)
{
    EXPECT_LE(glm::length(a - b), 1e-5f) << a.x << " " << a.y << " " << a.z;
}

TEST(DaeNodes, TransformsApplyInDocumentOrder)
{
    const scene::Scene scene =
        of_nodes("<node><translate>1 0 0</translate><rotate>0 0 1 90</rotate><translate>1 0 "
                 "0</translate><scale>2 3 4</scale></node>");
    ASSERT_THAT(scene.nodes, SizeIs(1));
    EXPECT_FALSE(scene.nodes[0].matrix);
    expect_place(placed(scene, {1, 1, 1}), {1 - 3, 1 + 2, 4});
}

// A rotation after a non-uniform scale has shear and is not a TRS.
TEST(DaeNodes, ShearBecomesAMatrix)
{
    const scene::Scene scene = of_nodes("<node><scale>2 1 1</scale><rotate>0 0 1 45</rotate></node>");
    ASSERT_THAT(scene.nodes, SizeIs(1));
    ASSERT_TRUE(scene.nodes[0].matrix);
    const float h = std::sqrt(0.5f);
    expect_place(placed(scene, {1, 0, 0}), {2 * h, h, 0});
}

TEST(DaeNodes, MatrixRowsAndItsLastRow)
{
    const scene::Scene scene = of_nodes("<node><matrix>0 -1 0 5  1 0 0 6  0 0 1 7  9 9 9 9</matrix></node>");
    EXPECT_FALSE(scene.nodes.at(0).matrix);
    expect_place(placed(scene, {1, 0, 0}), {5, 7, 7});
}

TEST(DaeNodes, LookAtLooksAlongMinusZ)
{
    const scene::Scene scene = of_nodes("<node><lookat>1 2 3  1 2 -10  0 1 0</lookat></node>");
    expect_place(placed(scene, {0, 0, -1}), {1, 2, 2});
    const scene::Scene side = of_nodes("<node><lookat>0 0 0  5 0 0  0 1 0</lookat></node>");
    expect_place(placed(side, {0, 0, -1}), {1, 0, 0});
    expect_place(placed(side, {0, 1, 0}), {0, 1, 0});
    of_nodes("<node><lookat>1 1 1 1 1 1 0 0 0</lookat></node>"); // degenerate, and finite
}

// 45 degrees from y towards x: y becomes (1, 1, 0).
TEST(DaeNodes, SkewShearsAlongItsSecondAxis)
{
    const scene::Scene scene = of_nodes("<node><skew>45  0 1 0  1 0 0</skew></node>");
    expect_place(placed(scene, {0, 1, 0}), {1, 1, 0});
    expect_place(placed(scene, {1, 0, 0}), {1, 0, 0});
}

// Along the translation axis only, by the tangent of the angle, as in the conformance suite's third skew;
// parallel axes stretch.
TEST(DaeNodes, SkewWithObliqueAxes)
{
    const float h = std::sqrt(0.5f);
    const scene::Scene scene = of_nodes("<node><skew>45  1 1 0  1 0 0</skew></node>");
    expect_place(placed(scene, {1, 0, 0}), {1 + h, 0, 0});
    expect_place(placed(scene, {0, 1, 0}), {h, 1, 0});
    expect_place(placed(of_nodes("<node><skew>45  2 0 0  1 0 0</skew></node>"), {1, 1, 0}), {2, 1, 0});
}

TEST(DaeNodes, InstancesOfNodesRepeatThem)
{
    const std::string libraries =
        library("nodes", "<node id='l'><translate>1 0 0</translate><instance_geometry url='#g'/></node>");
    const scene::Scene scene =
        of_nodes("<node id='a'><instance_node url='#l'/></node><node id='b'><translate>0 5 "
                 "0</translate><instance_node url='#l'/></node>",
                 libraries);
    EXPECT_THAT(scene.nodes, SizeIs(4));
    EXPECT_THAT(scene.meshes, SizeIs(1)); // one mesh, two instances
    EXPECT_EQ(scene.source_vertices, 4u);
    expect_place(placed(scene, {0, 0, 0}), {1, 5, 0});
}

TEST(DaeNodes, CyclesEndAndExplosionsAreRejected)
{
    const scene::Scene cycle = of_nodes("<node id='a'><instance_node url='#a'/></node>");
    EXPECT_TRUE(warns(cycle, "node_cycle"));
    std::string bomb = "<node id='n0'/>";
    for (int i = 1; i < 64; ++i) {
        const std::string inner = "<instance_node url='#n" + std::to_string(i - 1) + "'/>";
        bomb.append("<node id='n").append(std::to_string(i)).append("'>");
        bomb.append(inner).append(inner).append("</node>");
    }
    Limits limits;
    limits.nodes = 10'000;
    const auto scene = load(
        Document{.libraries = library("nodes", bomb), .nodes = "<node><instance_node url='#n63'/></node>"}
            .text(),
        limits);
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().code, LoadErrc::limit_exceeded);
    EXPECT_THAT(scene.error().where, testing::StartsWith("line "));
}

TEST(DaeNodes, UnitsAndAxes)
{
    const std::string node = "<node><translate>0 0 100</translate></node>";
    expect_place(placed(of_nodes(node, "", "<unit meter='0.01'/><up_axis>Z_UP</up_axis>"), {0, 0, 0}),
                 {0, 1, 0});
    expect_place(placed(of_nodes(node, "", "<unit meter='0.01'/>"), {0, 0, 0}), {0, 0, 1});
    const std::string x = "<node><translate>1 2 3</translate></node>";
    expect_place(placed(of_nodes(x, "", "<up_axis>X_UP</up_axis>"), {0, 0, 0}), {-2, 1, 3});
}

// An element may have its own <asset>, as in files of the Conformance Test Suite.
TEST(DaeNodes, NodeMayHaveItsOwnUnitAndAxis)
{
    const scene::Scene scene = of_nodes(
        "<node><asset><unit meter='10'/><up_axis>Z_UP</up_axis></asset><translate>0 0 1</translate></node>",
        "", "<unit meter='0.1'/><up_axis>Y_UP</up_axis>");
    expect_place(placed(scene, {0, 0, 0}), {0, 10, 0});
    EXPECT_FALSE(scene.nodes.at(0).matrix);
}

TEST(DaeNodes, SeveralMeshesOfANodeBecomeChildren)
{
    const scene::Scene scene =
        of_nodes("<node><instance_geometry url='#g'/><instance_geometry url='#g'/></node>");
    ASSERT_THAT(scene.nodes, SizeIs(2));
    EXPECT_EQ(scene.nodes[1].parent, 0u);
    EXPECT_EQ(scene.nodes[1].mesh, scene.nodes[0].mesh);
}

TEST(DaeNodes, HiddenNodesHideTheirChildren)
{
    const scene::Scene scene =
        of_nodes("<node><node><instance_geometry url='#g'/></node><extra><technique "
                 "profile='FCOLLADA'><visibility>0</visibility></technique></extra></node>");
    ASSERT_THAT(scene.nodes, SizeIs(2));
    EXPECT_FALSE(scene.nodes[1].visible);
}

TEST(DaeNodes, VisibilityIsABooleanInAnyForm)
{
    const auto visible = [](const std::string& value) {
        return of_nodes("<node><instance_geometry url='#g'/><extra><technique profile='MAYA'><visibility>" +
                        value + "</visibility></technique></extra></node>")
            .nodes.at(0)
            .visible;
    };
    for (const std::string no : {"0", "false", "0.000000", "0.0", "-0", "FALSE", "False", " false\n"})
        EXPECT_FALSE(visible(no)) << no;
    for (const std::string yes : {"1", "true", "1.000000", "TRUE", "0.5", "", "inherit"})
        EXPECT_TRUE(visible(yes)) << yes;
}

TEST(DaeNodes, NamedSceneIsShownElseTheFirst)
{
    const auto text = [](const std::string& scene) {
        return "<COLLADA version='1.5.0'><library_visual_scenes><visual_scene id='a'><node "
               "name='A'/></visual_scene>"
               "<visual_scene id='b'><node name='B'/></visual_scene></library_visual_scenes>" +
               scene + "</COLLADA>";
    };
    EXPECT_EQ(loaded(text("<scene><instance_visual_scene url='#b'/></scene>")).nodes.at(0).name, "B");
    const scene::Scene none = loaded(text(""));
    EXPECT_EQ(none.nodes.at(0).name, "A");
    EXPECT_TRUE(warns(none, "no_scene"));
}

TEST(DaeNodes, WithoutAnySceneTheMeshesAreShown)
{
    const scene::Scene scene = loaded("<COLLADA>" + library("geometries", square("g")) + "</COLLADA>");
    ASSERT_THAT(scene.nodes, SizeIs(1));
    EXPECT_EQ(scene.nodes[0].mesh, 0u);
    EXPECT_TRUE(warns(scene, "no_nodes"));
}

TEST(DaeNode, CamerasAndLightsAreReportedOnce)
{
    const std::string node = "<node><instance_camera url='#c'/><instance_light url='#l'/></node>";
    const scene::Scene scene = loaded(Document{.nodes = node + node}.text());
    EXPECT_TRUE(warns(scene, "cameras_ignored"));
    EXPECT_TRUE(warns(scene, "lights_ignored"));
    EXPECT_THAT(scene.warnings, SizeIs(2));
}

TEST(DaeNode, TransformsWithoutTheirNumbers)
{
    const auto local = [](const std::string& elements, bool warned = true) {
        const scene::Scene scene = loaded(Document{.nodes = "<node>" + elements + "</node>"}.text());
        EXPECT_EQ(warns(scene, "invalid_transform"), warned) << elements;
        const scene::Node& node = scene.nodes.at(0);
        return node.matrix ? *node.matrix : scene::to_matrix(node.local);
    };
    const glm::mat4 nothing(1.0f);
    EXPECT_EQ(local("<translate>1 2</translate>")[3], glm::vec4(1, 2, 0, 1));
    EXPECT_EQ(local("<scale>2</scale>")[0].x, 2.0f);
    EXPECT_EQ(local("<matrix>1 2 3</matrix>"), nothing);
    EXPECT_EQ(local("<lookat>1 2 3</lookat>"), nothing);
    EXPECT_EQ(local("<skew>45 1</skew>"), nothing);
    EXPECT_EQ(local("<rotate>0 1</rotate>"), nothing);
    EXPECT_EQ(local("<translate>NaN INF 0</translate>"), nothing);
    EXPECT_EQ(local("<scale>1 x 1</scale>"), nothing);
    EXPECT_EQ(local("<rotate>0 0 0 90</rotate>"), nothing);
    EXPECT_EQ(local("<rotate>0 0 0 0</rotate><translate>0 0 0</translate>", false), nothing);
}

} // namespace
} // namespace vitrine::dae::test
