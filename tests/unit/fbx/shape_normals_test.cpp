// Normals of shapes when neither the mesh nor the shape has any.

#include <gmock/gmock.h>

#include "tests/unit/fbx/text_file.hpp"

namespace vitrine::test::fbx {
namespace {

// Two quads side by side along x over a 2 by 1 rectangle; both use points 1 and 4. The shape lifts its points
// by 1, or has the given content.
scene::Mesh load_strip(const std::string& layers, const std::string& shape)
{
    const auto scene =
        load(version_7("Model: 1, \"Model::m\", \"Mesh\" { }\nGeometry: 2, \"Geometry::g\", \"Mesh\" {\n"
                       "Vertices: *18 { a: 0,0,0,1,0,0,2,0,0,0,1,0,1,1,0,2,1,0 }\n"
                       "PolygonVertexIndex: *8 { a: 0,1,4,-4,1,2,5,-5 }\n" +
                           layers + "}\nDeformer: 3, \"Deformer::b\", \"BlendShape\" { }\n" +
                           "Deformer: 4, \"SubDeformer::c\", \"BlendShapeChannel\" { DeformPercent: 100 }\n"
                           "Geometry: 5, \"Geometry::s\", \"Shape\" { " +
                           shape + " }\n",
                       "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\nC: \"OO\",4,3\nC: \"OO\",5,4\n"));
    return scene.meshes.at(0);
}

const std::string lifts_right_edge = "Indexes: *2 { a: 2,5 }\nVertices: *6 { a: 0,0,1,0,0,1 }\n";
const std::string smooth = "LayerElementSmoothing: 0 { MappingInformationType: \"ByPolygon\"\n"
                           "ReferenceInformationType: \"Direct\"\nSmoothing: *2 { a: 1,1 } }\n";
const glm::vec3 up(0, 0, 1);
const glm::vec3 tilted = glm::normalize(glm::vec3(-1, 0, 1));

// Normals with the target at full weight, of the vertices at a static position.
std::vector<glm::vec3> moved_normals(const scene::Mesh& mesh, const glm::vec3& at)
{
    auto normals = mesh.normals;
    const scene::MorphTarget& target = mesh.morph_targets.at(0);
    for (std::size_t i = 0; i < target.normal_deltas.size(); ++i)
        normals[target.vertices[i]] += target.normal_deltas[i];
    std::vector<glm::vec3> found;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        if (mesh.positions[v] == at) found.push_back(normals[v]);
    return found;
}

testing::Matcher<glm::vec3> is_near(const glm::vec3& wanted)
{
    return testing::Truly([wanted](const glm::vec3& v) { return glm::distance(v, wanted) < 1e-6f; });
}

TEST(FbxShapeNormals, AreThoseOfTheMovedPolygonsWhereTheMeshIsFlat)
{
    const scene::Mesh mesh = load_strip({}, lifts_right_edge);
    EXPECT_EQ(mesh.positions.size(), 8u); // the quads are coplanar only in the static pose
    EXPECT_THAT(moved_normals(mesh, {2, 0, 0}), testing::ElementsAre(is_near(tilted)));
    EXPECT_THAT(moved_normals(mesh, {1, 0, 0}), testing::UnorderedElementsAre(is_near(up), is_near(tilted)));
    EXPECT_THAT(moved_normals(mesh, {0, 0, 0}), testing::ElementsAre(is_near(up)));
    EXPECT_EQ(mesh.morph_targets[0].vertices.size(), 4u); // those of the quad whose normal changes
}

TEST(FbxShapeNormals, AreSmoothWhereTheMeshIs)
{
    const scene::Mesh mesh = load_strip(smooth, lifts_right_edge);
    EXPECT_EQ(mesh.positions.size(), 6u);
    EXPECT_THAT(moved_normals(mesh, {2, 1, 0}), testing::ElementsAre(is_near(tilted)));
    EXPECT_THAT(moved_normals(mesh, {1, 1, 0}), testing::ElementsAre(is_near(glm::normalize(up + tilted))));
    EXPECT_THAT(moved_normals(mesh, {0, 1, 0}), testing::ElementsAre(is_near(up)));
    EXPECT_EQ(mesh.morph_targets[0].vertices.size(), 4u);
}

// A point listed twice by a shape moves by both offsets.
TEST(FbxShapeNormals, AreOfPointsThatMoveTwice)
{
    const scene::Mesh mesh = load_strip(
        {}, "Indexes: *4 { a: 2,2,5,5 }\nVertices: *12 { a: 0,0,0.5,0,0,0.5,0,0,0.25,0,0,0.75 }\n");
    EXPECT_THAT(moved_normals(mesh, {2, 0, 0}), testing::ElementsAre(is_near(tilted)));
}

TEST(FbxShapeNormals, NoNormalDeltasForTranslatedOrDegenerateFaces)
{
    const std::string all = "Vertices: *18 { a: 0,3,1,0,3,1,0,3,1,0,3,1,0,3,1,0,3,1 }\n";
    EXPECT_TRUE(load_strip({}, all).morph_targets.at(0).normal_deltas.empty());
    // The right quad becomes degenerate.
    const std::string flattens = "Indexes: *2 { a: 2,5 }\nVertices: *6 { a: -1,0,0,-1,0,0 }\n";
    EXPECT_TRUE(load_strip({}, flattens).morph_targets.at(0).normal_deltas.empty());
}

TEST(FbxShapeNormals, OfTheFileGoFirst)
{
    const scene::Mesh own = load_strip({}, lifts_right_edge + "Normals: *6 { a: 0,1,0,0,1,0 }\n");
    EXPECT_THAT(own.morph_targets.at(0).normal_deltas,
                testing::ElementsAre(glm::vec3(0, 1, 0), glm::vec3(0, 1, 0)));
    const std::string normals = "LayerElementNormal: 0 { MappingInformationType: \"AllSame\"\n"
                                "ReferenceInformationType: \"Direct\"\nNormals: *3 { a: 0,0,1 } }\n";
    const scene::Mesh of_mesh = load_strip(normals, lifts_right_edge);
    EXPECT_EQ(of_mesh.positions.size(), 6u);
    EXPECT_TRUE(of_mesh.morph_targets.at(0).normal_deltas.empty());
}

TEST(FbxShapeNormals, OmitHiddenParts)
{
    const std::string hole = "LayerElementHole: 0 { MappingInformationType: \"ByPolygon\"\n"
                             "ReferenceInformationType: \"Direct\"\nHole: *2 { a: 0,1 } }\n";
    const scene::Mesh mesh = load_strip(hole, lifts_right_edge);
    EXPECT_EQ(mesh.positions.size(), 4u);
    EXPECT_TRUE(mesh.morph_targets.at(0).vertices.empty());
}

} // namespace
} // namespace vitrine::test::fbx
