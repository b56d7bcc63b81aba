// Faces, strips and edges, and the attributes of faces.

#include <gmock/gmock.h>

#include "loaders/base/srgb.hpp"
#include "tests/support/crossing_outline.hpp"
#include "tests/support/tga.hpp"
#include "tests/unit/ply/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// Elements after the vertices of the square.
std::string square_with(const std::string& elements, const std::string& rows,
                        const std::string& comments = "")
{
    return ply_header(comments + "element vertex 4\n" + xyz + elements) + square_vertices + rows;
}

const std::string triangles = "element face 2\n" + face_list;

std::string material_name(const scene::Scene& scene, std::size_t primitive)
{
    return scene.materials.at(scene.meshes.at(0).primitives.at(primitive).material).name;
}

} // namespace

TEST(PlyFaces, AreTriangulated)
{
    const auto scene = load_flat_ply(ply_header("element vertex 4\n" + xyz + "element face 1\n" + face_list) +
                                     "0 0 0\n2 0 0\n.5 .5 0\n0 2 0\n4 0 1 2 3\n");
    expect_source(scene, "ply", 4, 1);
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 6u);
    EXPECT_EQ(std::ranges::count(scene.meshes[0].indices, 2u), 2) << "concave at 2";
}

TEST(PlyFaces, MayComeBeforeTheirVertices)
{
    const auto scene = load_flat_ply(ply_header("element face 1\n" + face_list + "element vertex 3\n" + xyz) +
                                     "3 0 1 2\n0 0 0\n1 0 0\n0 1 0\n");
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 3u);
}

TEST(PlyFaces, HaveTheNormalsOfTheirVertices)
{
    const auto scene = load_flat_ply(ply_header("element vertex 3\n" + xyz +
                                                "property float nx\nproperty float ny\nproperty float nz\n"
                                                "element face 1\n" +
                                                face_list) +
                                     "0 0 0 0 0 1\n1 0 0 0 3 0\n0 1 0 0 0 1\n3 0 1 2\n");
    EXPECT_THAT(scene.meshes.at(0).normals,
                testing::ElementsAre(glm::vec3(0, 0, 1), glm::vec3(0, 1, 0), glm::vec3(0, 0, 1)));
}

TEST(PlyFaces, WithInvalidIndicesAreLeftOut)
{
    const auto scene =
        load_flat_ply(square_with("element face 4\n" + face_list, "3 0 1 2\n3 0 1 4\n3 -1 1 2\n2 0 1\n"));
    expect_source(scene, "ply", 4, 4);
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 3u);
    EXPECT_EQ(codes(scene), "ply_index_out_of_range ply_index_out_of_range ply_short_face");
    EXPECT_EQ(error_text(try_ply(square_with("element face 1\n" + face_list, "3 7 8 9\n"))),
              "out_of_range at face: no face of the file has valid vertices");
}

TEST(PlyFaces, HaveColors)
{
    const auto scene = load_flat_ply(
        square_with(triangles + "property uchar red\nproperty uchar green\nproperty uchar blue\n",
                    "3 0 1 2 255 0 0\n3 0 2 3 0 0 51\n"));
    const scene::Mesh& mesh = scene.meshes.at(0);
    EXPECT_EQ(mesh.positions.size(), 6u);
    EXPECT_EQ(mesh.colors.at(0), glm::vec4(1, 0, 0, 1));
    EXPECT_NEAR(srgb_from_linear(mesh.colors.at(3).z), 0.2f, 1e-4f);
    const auto equal = load_flat_ply(
        square_with(triangles + "property uchar red\nproperty uchar green\nproperty uchar blue\n",
                    "3 0 1 2 9 9 9\n3 0 2 3 9 9 9\n"));
    EXPECT_EQ(equal.meshes.at(0).positions.size(), 4u) << "faces of one color share vertices";
}

TEST(PlyFaces, HaveTextureCoordinatesAndSeveralTextures)
{
    const std::string elements = triangles + "property list uchar float texcoord\nproperty int texnumber\n";
    const auto scene =
        load_ply_bytes(square_with(elements, "3 0 1 2 6 0 0 1 0 1 1 1\n3 0 2 3 6 .5 .25 1 1 0 1 0\n",
                                   "comment TextureFile a b.tga\ncomment TextureFile c.tga\n"),
                       {{"a b.tga", tga(1, 1, {1, 2, 3, 255})}, {"c.tga", tga(1, 1, {4, 5, 6, 255})}});
    EXPECT_EQ(codes(scene), "");
    ASSERT_EQ(scene.meshes.at(0).primitives.size(), 2u);
    EXPECT_EQ(material_name(scene, 0), "a b.tga");
    EXPECT_EQ(material_name(scene, 1), "c.tga");
    const scene::Mesh& mesh = scene.meshes[0];
    const auto first = mesh.indices.at(mesh.primitives[0].first); // of the texture 0: the second face
    EXPECT_EQ(mesh.uv0.at(first), glm::vec2(0.5f, 0.75f));
    EXPECT_EQ(scene.images.size(), 2u);
    const auto incomplete = load_flat_ply(square_with(triangles + "property list uchar float texcoord\n",
                                                      "3 0 1 2 6 0 0 1 0 1 1\n3 0 2 3 2 0 0\n"));
    EXPECT_EQ(codes(incomplete), "ply_face_texture_coordinates");
    EXPECT_EQ(incomplete.meshes.at(0).uv0.size(), 6u);
}

TEST(PlyFaces, ShowTheTextureInsteadOfColors)
{
    const std::string text = ply_header("comment TextureFile a.tga\nelement vertex 3\n" + xyz +
                                        "property float s\nproperty float t\nproperty uchar red\nproperty "
                                        "uchar green\nproperty uchar blue\n"
                                        "element face 1\n" +
                                        face_list) +
                             "0 0 0 0 0 1 2 3\n1 0 0 1 0 1 2 3\n0 1 0 0 1 1 2 3\n3 0 1 2\n";
    const auto shown = load_ply_bytes(text, {{"a.tga", tga(1, 1, {1, 2, 3, 255})}});
    EXPECT_TRUE(shown.meshes.at(0).colors.empty());
    EXPECT_EQ(codes(shown), "ply_colors_hidden");
    const auto missing = load_ply_bytes(text);
    EXPECT_FALSE(missing.meshes.at(0).colors.empty());
    EXPECT_EQ(codes(missing), "missing_image");
}

TEST(PlyFaces, ThatIntersectThemselvesAreReported)
{
    std::string vertices, corners;
    for (const glm::vec3& at : crossing_outline()) {
        corners += " " + std::to_string(std::ranges::count(vertices, '\n'));
        vertices += std::to_string(at.x) + " " + std::to_string(at.y) + " 0\n";
    }
    const std::string count = std::to_string(crossing_corners);
    const auto scene = load_flat_ply(ply_header("element vertex " + count + "\n" + xyz +
                                                "element face 1\nproperty list int int vertex_indices\n") +
                                     vertices + count + corners + "\n");
    EXPECT_EQ(codes(scene), "ply_crossing_face");
    EXPECT_EQ(scene.meshes.at(0).indices.size(), 3 * (crossing_corners - 2));
}

TEST(PlyFaces, OfStripsAlternate)
{
    const auto scene = load_flat_ply(square_with(
        "element tristrips 1\nproperty list int int vertex_indices\n", "10 0 1 3 2 -1 0 1 2 2 3\n"));
    expect_source(scene, "ply", 4, 3);
    EXPECT_THAT(scene.meshes.at(0).indices, testing::ElementsAre(0, 1, 3, 3, 1, 2, 0, 1, 2));
}

TEST(PlyFaces, EdgesAreLines)
{
    const std::string edges =
        "element edge 2\nproperty int vertex1\nproperty int vertex2\nproperty uchar red\n";
    const auto alone = load_ply_bytes(square_with(edges, "0 1 9\n1 3 9\n"));
    ASSERT_EQ(alone.meshes.size(), 1u);
    EXPECT_EQ(alone.meshes[0].name, "scan edges");
    EXPECT_EQ(alone.meshes[0].primitives.at(0).topology, scene::Topology::lines);
    EXPECT_THAT(alone.meshes[0].indices, testing::ElementsAre(0, 1, 1, 2));
    EXPECT_EQ(alone.meshes[0].positions.size(), 3u);
    EXPECT_EQ(codes(alone), "ply_property_ignored");
    const auto both =
        load_flat_ply(square_with("element face 1\n" + face_list + edges, "4 0 1 2 3\n0 1 9\n1 9 9\n"));
    ASSERT_EQ(both.meshes.size(), 2u);
    EXPECT_EQ(codes(both), "ply_property_ignored ply_index_out_of_range");
    const auto none = load_ply_bytes(square_with(edges, "0 8 9\n1 9 9\n"));
    EXPECT_EQ(none.meshes.at(0).primitives.at(0).topology, scene::Topology::points);
}

TEST(PlyFaces, WithoutCornersAreIgnored)
{
    const auto scene = load_ply_bytes(square_with("element face 1\nproperty uchar red\n", "1\n"));
    EXPECT_EQ(scene.meshes.at(0).primitives.at(0).topology, scene::Topology::points);
    EXPECT_EQ(codes(scene), "ply_element_ignored");
}
