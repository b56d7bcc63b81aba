// Tangents by the rule of MikkTSpace, and vertex splitting.

#include <gtest/gtest.h>

#include "loaders/scene/geometry/copy_vertices.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

// A square whose two triangles have different directions of increasing u.
Mesh bent_square()
{
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    mesh.normals.assign(4, {0, 0, 1});
    mesh.uv0 = {{0, 1}, {1, 1.3f}, {0.6f, -0.4f}, {0, 0}};
    mesh.indices = {0, 1, 2, 0, 2, 3};
    test::add_whole_primitive(mesh);
    return mesh;
}

// Every corner as a separate vertex.
Mesh unindexed(const Mesh& mesh)
{
    Mesh out;
    for (const std::uint32_t v : mesh.indices) {
        out.indices.push_back(static_cast<std::uint32_t>(out.positions.size()));
        out.positions.push_back(mesh.positions[v]);
        out.normals.push_back(mesh.normals[v]);
        out.uv0.push_back(mesh.uv0[v]);
    }
    test::add_whole_primitive(out);
    return out;
}

// Two squares side by side; the texture of the right one is the mirror image of the left one's.
Mesh mirrored_squares()
{
    Mesh mesh;
    mesh.positions = {{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}, {-1, 1, 0}, {0, 1, 0}, {1, 1, 0}};
    mesh.normals.assign(6, {0, 0, 1});
    mesh.uv0 = {{0, 1}, {1, 1}, {0, 1}, {0, 0}, {1, 0}, {0, 0}};
    mesh.indices = {0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4};
    test::add_whole_primitive(mesh);
    return mesh;
}

void expect_tangent(const glm::vec4& tangent, const glm::vec3& direction, float sign)
{
    EXPECT_LT(test::difference(glm::vec3(tangent), direction), 1e-6);
    EXPECT_EQ(tangent.w, sign);
}

} // namespace

TEST(Tangents, FollowUAndTheBitangentPointsUp)
{
    const Scene scene = test::textured_cube();
    const Mesh& cube = scene.meshes[0];
    for (std::size_t v = 0; v < 24; v += 4) { // corners: left bottom, right bottom, right top, left top
        const glm::vec3 right = cube.positions[v + 1] - cube.positions[v];
        const glm::vec3 up = cube.positions[v + 3] - cube.positions[v];
        for (std::size_t i = v; i < v + 4; ++i) {
            EXPECT_LT(test::difference(glm::vec3(cube.tangents[i]), right), 1e-6);
            const glm::vec3 bitangent =
                glm::cross(cube.normals[i], glm::vec3(cube.tangents[i])) * cube.tangents[i].w;
            EXPECT_LT(test::difference(bitangent, up), 1e-6);
        }
    }
}

TEST(Tangents, MirroredTextureHasANegativeSign)
{
    Scene scene = test::textured_cube();
    Mesh& cube = scene.meshes[0];
    for (glm::vec2& uv : cube.uv0)
        uv.x = 1.0f - uv.x;
    compute_tangents(cube);
    ASSERT_EQ(cube.positions.size(), 24u);
    for (std::size_t v = 0; v < 24; v += 4)
        expect_tangent(cube.tangents[v], cube.positions[v] - cube.positions[v + 1], -1.0f);
}

TEST(Tangents, WithoutUsableUvsArePerpendicular)
{
    Scene scene = test::textured_cube();
    Mesh& cube = scene.meshes[0];
    for (glm::vec2& uv : cube.uv0)
        uv = {0.5f, 0.5f};
    compute_tangents(cube);
    for (std::size_t v = 0; v < 24; ++v) {
        EXPECT_NEAR(glm::dot(glm::vec3(cube.tangents[v]), cube.normals[v]), 0.0f, 1e-6f);
        EXPECT_NEAR(glm::length(glm::vec3(cube.tangents[v])), 1.0f, 1e-6f);
    }
    Mesh bare;
    bare.positions.resize(3);
    compute_tangents(bare);
    EXPECT_TRUE(bare.tangents.empty());
}

TEST(Tangents, DoNotDependOnVertexSharing)
{
    Mesh indexed = bent_square(), apart = unindexed(indexed);
    apart.positions[0].z = -0.0f; // the same position
    compute_tangents(indexed);
    compute_tangents(apart);
    ASSERT_EQ(apart.tangents.size(), 6u);
    EXPECT_EQ(apart.tangents[0], apart.tangents[3]);
    EXPECT_EQ(apart.tangents[2], apart.tangents[4]);
    for (std::size_t i = 0; i < 6; ++i)
        EXPECT_EQ(apart.tangents[i], indexed.tangents[indexed.indices[i]]);
    EXPECT_NE(apart.tangents[0], apart.tangents[1]); // the faces differ
}

TEST(Tangents, OfOtherNormalsOrUvsAreSeparate)
{
    for (const bool normal : {true, false}) {
        Mesh mesh = unindexed(bent_square());
        if (normal)
            mesh.normals[3] = glm::normalize(glm::vec3(0.1f, 0, 1));
        else
            mesh.uv0[3] += glm::vec2(0.01f, 0.0f);
        compute_tangents(mesh);
        EXPECT_GT(test::difference(glm::vec3(mesh.tangents[0]), glm::vec3(mesh.tangents[3])), 1e-3);
    }
}

TEST(Tangents, SplitVerticesOnAMirroredSeam)
{
    Mesh mesh = mirrored_squares();
    const Mesh before = mesh;
    compute_tangents(mesh);
    ASSERT_EQ(mesh.positions.size(), 8u); // two additional vertices of the seam
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
        const std::uint32_t v = mesh.indices[i];
        EXPECT_EQ(mesh.positions[v], before.positions[before.indices[i]]);
        EXPECT_EQ(mesh.uv0[v], before.uv0[before.indices[i]]);
        expect_tangent(mesh.tangents[v], i < 6 ? glm::vec3(1, 0, 0) : glm::vec3(-1, 0, 0),
                       i < 6 ? 1.0f : -1.0f);
    }
}

TEST(Tangents, MirroredSeamOfSeparateVerticesGivesTheSameResult)
{
    Mesh mesh = unindexed(mirrored_squares());
    compute_tangents(mesh);
    ASSERT_EQ(mesh.positions.size(), 12u);
    for (std::size_t v = 0; v < 12; ++v)
        expect_tangent(mesh.tangents[v], v < 6 ? glm::vec3(1, 0, 0) : glm::vec3(-1, 0, 0),
                       v < 6 ? 1.0f : -1.0f);
}

TEST(Tangents, GivenTangentsAreKeptAndNotSplit)
{
    Mesh mesh = mirrored_squares();
    const glm::vec4 own(0, 1, 0, -1);
    mesh.tangents.assign(6, own);
    compute_tangents(mesh, {false, true, false, false, true, false});
    ASSERT_EQ(mesh.positions.size(), 6u);
    EXPECT_EQ(mesh.tangents[1], own);
    EXPECT_EQ(mesh.tangents[4], own);
    expect_tangent(mesh.tangents[0], {1, 0, 0}, 1.0f);
    expect_tangent(mesh.tangents[2], {-1, 0, 0}, -1.0f);
}

TEST(Tangents, DegenerateFacesDoNotSplitVertices)
{
    Mesh mesh = bent_square();
    mesh.indices.insert(mesh.indices.end(), {0, 2, 2, 2, 1, 7}); // no area; out of range
    test::add_whole_primitive(mesh);
    compute_tangents(mesh);
    EXPECT_EQ(mesh.positions.size(), 4u);
    Mesh plain = bent_square();
    compute_tangents(plain);
    EXPECT_EQ(mesh.tangents, plain.tangents);
}

TEST(CopyVertices, CopiesAllPerVertexData)
{
    Scene scene;
    Mesh mesh = mirrored_squares();
    mesh.uv1 = mesh.uv0;
    for (std::size_t v = 0; v < 6; ++v)
        mesh.colors.emplace_back(static_cast<float>(v));
    mesh.influences = {.first = {0, 0, 2, 2, 2, 3, 3},
                       .joints = {0, 1, 1},
                       .weights = {0.25f, 0.75f, 1.0f},
                       .positions = {},
                       .dual_quaternion_weights = {0, 0.1f, 0, 0, 0.4f, 0}};
    mesh.morph_targets = {{.name = "",
                           .vertices = {3, 4},
                           .position_deltas = {{3, 0, 0}, {4, 0, 0}},
                           .normal_deltas = {{0, 3, 0}, {0, 4, 0}},
                           .tangent_deltas = {}}};
    mesh.morph_weights = {0.0f};
    mesh.frames.count = 2;
    for (int i = 0; i < 12; ++i) {
        mesh.frames.positions.emplace_back(static_cast<float>(i));
        mesh.frames.normals.emplace_back(static_cast<float>(-i));
    }
    append_copies(mesh, std::vector<std::uint32_t>{1, 4});

    scene.meshes = {mesh};
    const auto valid = validate(scene);
    ASSERT_TRUE(valid) << valid.error().where << " " << valid.error().detail;
    EXPECT_EQ(mesh.positions[6], mesh.positions[1]);
    EXPECT_EQ(mesh.colors[7], mesh.colors[4]);
    EXPECT_EQ(mesh.influences.first, (std::vector<std::uint32_t>{0, 0, 2, 2, 2, 3, 3, 5, 6}));
    EXPECT_EQ(mesh.influences.weights, (std::vector<float>{0.25f, 0.75f, 1.0f, 0.25f, 0.75f, 1.0f}));
    EXPECT_EQ(mesh.influences.dual_quaternion_weights[7], 0.4f);
    EXPECT_EQ(mesh.morph_targets[0].vertices, (std::vector<std::uint32_t>{3, 4, 7}));
    EXPECT_EQ(mesh.morph_targets[0].normal_deltas[2], glm::vec3(0, 4, 0));
    EXPECT_EQ(mesh.frames.positions[6], glm::vec3(1.0f));
    EXPECT_EQ(mesh.frames.positions[8], glm::vec3(6.0f)); // the second frame begins
    EXPECT_EQ(mesh.frames.positions[15], glm::vec3(10.0f));
    EXPECT_EQ(mesh.frames.normals[14], glm::vec3(-7.0f));
}

TEST(CopyVertices, CopiesEverySetOfTextureCoordinates)
{
    Mesh mesh;
    mesh.positions.resize(2);
    mesh.more_uvs = {{}, {{1, 2}, {3, 4}}};
    append_copies(mesh, std::vector<std::uint32_t>{1});
    EXPECT_TRUE(mesh.more_uvs[0].empty());
    EXPECT_EQ(mesh.more_uvs[1], (Array<glm::vec2>{{1, 2}, {3, 4}, {3, 4}}));
}

} // namespace vitrine::scene
