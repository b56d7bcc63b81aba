// The text form of STL.

#include <gmock/gmock.h>

#include "tests/support/crossing_outline.hpp"
#include "tests/unit/stl/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

std::string facet_of(const std::string& vertices)
{
    return "facet normal 0 0 1\nouter loop\n" + vertices + "endloop\nendfacet\n";
}

const std::string triangle_loop = "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n";

} // namespace

TEST(StlText, BecomesAFlatMeshWithSharedVertices)
{
    const auto scene = load_flat_stl(square_stl);
    expect_source(scene, "stl", 6, 2);
    ASSERT_EQ(scene.meshes.size(), 1u);
    const scene::Mesh& mesh = scene.meshes[0];
    EXPECT_EQ(mesh.name, "My square");
    EXPECT_EQ(mesh.positions.size(), 4u) << "-0 is 0";
    EXPECT_THAT(mesh.indices, testing::ElementsAre(0, 1, 2, 0, 2, 3));
    EXPECT_TRUE(mesh.normals.empty());
    EXPECT_EQ(codes(scene), "");
    EXPECT_TRUE(scene.materials.empty());
}

TEST(StlText, IsZUpInMillimeters)
{
    const auto scene = load_stl_bytes(square_stl);
    EXPECT_EQ(scene.file_space.unit_meters, 0.001);
    ASSERT_EQ(scene.meshes[0].positions.size(), 6u);
    EXPECT_LT(glm::distance(scene.meshes[0].positions[2], glm::vec3(1, 0, -1)), 1e-6f);
    for (const glm::vec3& normal : scene.meshes[0].normals)
        EXPECT_EQ(normal, glm::vec3(0, 1, 0));
}

TEST(StlText, EachSolidIsAMesh)
{
    const auto scene = load_stl_bytes("solid a\n" + facet_of(triangle_loop) + "endsolid a\nsolid\n" +
                                      facet_of(triangle_loop) + "endsolid\nsolid none\nendsolid none\n");
    ASSERT_EQ(scene.meshes.size(), 2u);
    EXPECT_EQ(scene.nodes[0].name, "a");
    EXPECT_EQ(scene.nodes[1].name, "part") << "of the file";
    EXPECT_EQ(codes(scene), "stl_empty_solid");
    // The next solid ends the one before it.
    EXPECT_EQ(load_stl_bytes("solid a\n" + facet_of(triangle_loop) + "solid b\n" + facet_of(triangle_loop) +
                             "endsolid\n")
                  .meshes.size(),
              2u);
}

TEST(StlText, AcceptsOtherSpellings)
{
    std::string crlf, cr, upper, line;
    for (const char c : square_stl) {
        crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
        cr += c == '\n' ? '\r' : c;
        upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    }
    for (const std::string& text : {crlf, cr, upper, "\xEF\xBB\xBF" + square_stl, "\n\n\t" + square_stl}) {
        const auto scene = load_flat_stl(text);
        EXPECT_EQ(scene.source_polygons, 2u);
        EXPECT_EQ(scene.meshes.at(0).positions.size(), 4u);
        EXPECT_EQ(codes(scene), "");
    }
    const auto bare =
        load_flat_stl(facet_of("vertex 1e0 +.5 -1.\nvertex 1 0 0\nvertex 0 1 0\n") + "endsolid");
    EXPECT_EQ(bare.meshes.at(0).positions[0] * 1000.0f, glm::vec3(1.0f, -1.0f, -0.5f));
}

TEST(StlText, PolygonsAreTriangulated)
{
    const auto scene = load_flat_stl(
        "solid a\n" + facet_of("vertex 0 0 0\nvertex 2 0 0\nvertex 1 .5 0\nvertex 0 2 0\n") + "endsolid\n");
    expect_source(scene, "stl", 4, 1);
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 6u);
    const auto& indices = scene.meshes[0].indices;
    EXPECT_TRUE(std::ranges::count(indices, 0u) == 2 && std::ranges::count(indices, 2u) == 2)
        << "concave at 2";
}

TEST(StlText, PolygonsThatIntersectThemselvesAreReported)
{
    std::string vertices;
    for (const glm::vec3& at : crossing_outline())
        vertices += "vertex " + std::to_string(at.x) + " " + std::to_string(at.y) + " 0\n";
    EXPECT_THAT(codes(load_stl_bytes("solid a\n" + facet_of(vertices) + "endsolid\n")),
                testing::HasSubstr("stl_crossing_facet"));
}

TEST(StlText, ReportsWhatItLeavesOut)
{
    EXPECT_EQ(codes(load_stl_bytes("solid a\n" + facet_of(triangle_loop))), "stl_no_end");
    EXPECT_EQ(codes(load_stl_bytes("solid a\n" + facet_of("vertex 0 0 0\n") + facet_of(triangle_loop) +
                                   "endsolid\n")),
              "stl_short_facet");
    EXPECT_EQ(codes(load_stl_bytes("solid a\ncolor 1 0 0\n" + facet_of(triangle_loop) + "endsolid\n")),
              "stl_unknown_word");
    const auto invalid =
        load_stl_bytes("solid a\n" + facet_of("vertex nan 0 0\nvertex 1 0 0\nvertex 1e99 1 0\n") +
                       facet_of(triangle_loop) + "endsolid\n");
    EXPECT_EQ(codes(invalid), "stl_invalid_numbers");
    expect_source(invalid, "stl", 6, 2);
    EXPECT_EQ(invalid.meshes[0].indices.size(), 3u);
}

// Missing, zero and slanted normals are no reason for a warning; those of the other side are.
TEST(StlText, NormalsAreThoseOfTheCorners)
{
    const auto with_normal = [](const std::string& normal) {
        return load_stl_bytes("solid a\nfacet normal " + normal + "\nouter loop\n" + triangle_loop +
                              "endloop\nendfacet\nendsolid\n");
    };
    for (const std::string normal : {"0 0 1", "0 0 0", "1 0 0", "nan nan nan", "0.7 0 0.7"}) {
        const auto scene = with_normal(normal);
        EXPECT_EQ(scene.meshes[0].normals[0], glm::vec3(0, 1, 0)) << normal;
        EXPECT_EQ(codes(scene), "") << normal;
    }
    const auto reversed = with_normal("0 0 -1");
    EXPECT_EQ(reversed.meshes[0].normals[0], glm::vec3(0, 1, 0));
    EXPECT_EQ(codes(reversed), "stl_reversed_normals");
}

TEST(StlText, RejectsWithLineAndReason)
{
    const auto error = [](const std::string& text) { return error_text(try_stl(text)); };
    EXPECT_EQ(error("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n"),
              "malformed at line 4: 'x' in a vertex is not a number");
    EXPECT_EQ(error("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0"),
              "truncated at line 4: the file ends within a vertex");
    EXPECT_EQ(error("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"),
              "truncated at line 5: the file ends within a facet");
    EXPECT_EQ(error("solid a\nfacet 0 0 1\n"), "malformed at line 2: facet is not followed by normal");
    EXPECT_EQ(error("solid a\nendsolid a\n"), "empty at line 3: the file has no facet");
    EXPECT_EQ(error("solid"), "empty at line 1: the file has no facet");
}

TEST(StlText, IsLimited)
{
    const auto error = [](const Limits& limits) {
        return error_text(try_stl("solid a\n" + facet_of(triangle_loop) + "solid b\n" +
                                      facet_of(triangle_loop) + "endsolid\n",
                                  limits));
    };
    EXPECT_EQ(error({.vertices = 5}), "limit_exceeded at line 14: more than the limit vertices = 5");
    EXPECT_EQ(error({.indices = 2}), "limit_exceeded at line 6: more than the limit indices = 2");
    EXPECT_EQ(error({.nodes = 1}), "limit_exceeded at line 17: more than the limit nodes = 1");
    EXPECT_EQ(error({.meshes = 1}), "limit_exceeded at line 17: more than the limit meshes = 1");
    EXPECT_EQ(error({.meshes = 0}), "limit_exceeded at : more than the limit meshes = 0");
    EXPECT_EQ(error({.nodes = 0}), "limit_exceeded at : more than the limit nodes = 0");
}
