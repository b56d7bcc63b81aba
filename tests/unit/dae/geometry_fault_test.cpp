// Geometry with wrong indices, counts and numbers, content that is not shown, and limits.

#include <gmock/gmock.h>

#include "loaders/dae/document/numbers.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "tests/unit/dae/document.hpp"
#include "tests/unit/dae/drawn_geometry.hpp"

namespace vitrine::dae::test {
namespace {

using testing::SizeIs;

TEST(DaeGeometry, InvalidIndicesDropTheirFace)
{
    const scene::Scene scene = loaded(with(geometry("g", triangles("g", "0 1 99 0 1 2 0 -1 2"))));
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 3u);
    EXPECT_TRUE(warns(scene, "invalid_face"));
}

TEST(DaeGeometry, ExcessIndicesAreReported)
{
    const auto of = [](const std::string& kind, const std::string& p) {
        return loaded(
            with(geometry("g", "<" + kind + " count='1'>" + input("g") + "<p>" + p + "</p></" + kind + ">")));
    };
    for (const std::string p : {"0 1 2", "0 1 2 0 2 3"})
        EXPECT_FALSE(warns(of("triangles", p), "invalid_face")) << p;
    for (const std::string p : {"0 1 2 3", "0 1 2 0 3"}) {
        const scene::Scene scene = of("triangles", p);
        EXPECT_THAT(scene.meshes.at(0).indices, SizeIs(3)) << p;
        EXPECT_TRUE(warns(scene, "invalid_face")) << p;
    }
    EXPECT_FALSE(warns(of("lines", "0 1 2 3"), "invalid_face"));
    EXPECT_TRUE(warns(of("lines", "0 1 2"), "invalid_face"));
    // Two indices per corner, of which the last corner has one.
    const scene::Scene halved = loaded(with(geometry(
        "g", triangles("g", "0 0 1 1 2 2 3", "<input semantic='TEXCOORD' source='#none' offset='1'/>"))));
    EXPECT_TRUE(warns(halved, "invalid_face"));
}

TEST(DaeGeometry, WrongArrayCountIsReportedAndCorrected)
{
    std::string text = with(square("g"));
    const std::string counted = "count='12'";
    text.replace(text.find(counted), counted.size(), "count='3'");
    const scene::Scene scene = loaded(text);
    EXPECT_EQ(scene.meshes.at(0).positions.size(), 6u);
    EXPECT_TRUE(warns(scene, "array_count_mismatch"));
    EXPECT_FALSE(warns(loaded(with(square("g"))), "array_count_mismatch"));
}

TEST(DaeGeometry, ShortArraysAndOddNumbers)
{
    const scene::Scene scene =
        loaded(with(geometry("g", triangles("g", "0 1 2"), "", "0 0 0 1 0,5 0 1 -1.#IND 1e0")));
    EXPECT_TRUE(warns(scene, "short_source"));
    EXPECT_TRUE(warns(scene, "invalid_number"));
    EXPECT_EQ(scene.meshes.at(0).positions.at(1), glm::vec3(1, 0.5, 0));
    EXPECT_EQ(scene.meshes[0].positions[2], glm::vec3(1, 0, 1));
}

// Valid xs:float words that are not valid for vertices.
TEST(DaeGeometry, NonFiniteNumbersAreReported)
{
    const scene::Scene scene =
        loaded(with(geometry("g", triangles("g", "0 1 2"), "", "0 0 0 INF -INF 0 1 NaN 0", 3)));
    EXPECT_EQ(scene.meshes.at(0).positions.at(1), glm::vec3(0));
    const auto said = std::ranges::find(scene.warnings, "invalid_number", &scene::Warning::code);
    ASSERT_NE(said, scene.warnings.end());
    EXPECT_TRUE(said->message.contains("3 words are not finite numbers")) << said->message;
}

TEST(DaeGeometry, NonMeshObjectsAreReported)
{
    const scene::Scene spline = loaded(with("<geometry id='g'><spline/></geometry>"));
    EXPECT_TRUE(warns(spline, "unsupported_geometry"));
    const scene::Scene hull =
        loaded(with(square("x") + "<geometry id='g'><convex_mesh convex_hull_of='#x'/></geometry>"));
    EXPECT_TRUE(warns(hull, "unsupported_geometry"));
}

TEST(DaeGeometry, UnshownContentIsCounted)
{
    const scene::Scene scene =
        loaded(Document{.libraries = library("geometries", square("g") + square("spare")),
                        .nodes = "<node><instance_geometry url='#g'/></node>"}
                   .text());
    ASSERT_EQ(scene.meshes.size(), 2u);
    EXPECT_EQ(scene.meshes[1].name, "spare");
    EXPECT_EQ(scene.source_vertices, 8u);
    EXPECT_EQ(scene.source_polygons, 4u);
    EXPECT_EQ(scene.nodes.size(), 1u);
}

TEST(DaeGeometry, LimitsAreNamed)
{
    Limits limits;
    limits.vertices = 5;
    const auto scene = load(with(square("g")), limits);
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().code, LoadErrc::limit_exceeded);
    EXPECT_EQ(scene.error().where, "line 2");
}

} // namespace
} // namespace vitrine::dae::test
