// Which meshes hide their back faces.

#include <array>
#include <utility>

#include <gtest/gtest.h>

#include "vk_renderer/mesh/closed_mesh.hpp"

namespace vitrine::render {
namespace {

void add_triangle(scene::Mesh& mesh, const std::array<glm::vec3, 3>& corners)
{
    for (const auto& corner : corners) { // split vertices, as at a seam
        mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
        mesh.positions.push_back(corner);
        mesh.normals.emplace_back(0.0f, 1.0f, 0.0f);
    }
}

// A tetrahedron of edge 2 at `at` with outward faces. faces: how many of the four are added.
void add_body(scene::Mesh& mesh, glm::vec3 at, int faces = 4, bool outward = true)
{
    const glm::vec3 p[4] = {glm::vec3(1, 1, 1) + at, glm::vec3(1, -1, -1) + at, glm::vec3(-1, 1, -1) + at,
                            glm::vec3(-1, -1, 1) + at};
    constexpr int corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    for (int f = 0; f < faces; ++f) {
        const auto& c = corners[f];
        add_triangle(mesh,
                     outward ? std::array{p[c[0]], p[c[1]], p[c[2]]} : std::array{p[c[0]], p[c[2]], p[c[1]]});
    }
}

bool closed(scene::Mesh& mesh)
{
    scene::Primitive all;
    all.count = static_cast<std::uint32_t>(mesh.indices.size());
    mesh.primitives = {all};
    return is_closed(mesh);
}

TEST(ClosedMesh, AcceptsABodyWithSplitVertices)
{
    scene::Mesh mesh;
    add_body(mesh, {0, 0, 0});
    EXPECT_TRUE(closed(mesh));
    add_body(mesh, {1e3f, 5, 0});
    EXPECT_TRUE(closed(mesh));
}

TEST(ClosedMesh, RejectsAMissingFace)
{
    scene::Mesh mesh;
    add_body(mesh, {0, 0, 0});
    add_body(mesh, {9, 0, 0}, 3);
    EXPECT_FALSE(closed(mesh));
}

TEST(ClosedMesh, RejectsAnInvertedBody)
{
    scene::Mesh mesh;
    add_body(mesh, {0, 0, 0});
    add_body(mesh, {9, 0, 0}, 4, false);
    EXPECT_FALSE(closed(mesh));
}

TEST(ClosedMesh, RejectsATwoSidedSheet)
{
    scene::Mesh mesh;
    add_triangle(mesh, {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}});
    add_triangle(mesh, {{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}});
    EXPECT_FALSE(closed(mesh));
}

TEST(ClosedMesh, RejectsAReversedFace)
{
    scene::Mesh mesh;
    add_body(mesh, {0, 0, 0});
    std::swap(mesh.indices[1], mesh.indices[2]);
    EXPECT_FALSE(closed(mesh));
}

TEST(ClosedMesh, RejectsASeamThatOpensWhenDeformed)
{
    scene::Mesh whole;
    add_body(whole, {0, 0, 0});
    const auto vertices = static_cast<std::uint32_t>(whole.positions.size());

    auto skinned = whole;
    for (std::uint32_t v = 0; v <= vertices; ++v)
        skinned.influences.first.push_back(v);
    skinned.influences.joints.assign(vertices, 0);
    skinned.influences.weights.assign(vertices, 1.0f);
    EXPECT_TRUE(closed(skinned));
    skinned.influences.joints[0] = 1;
    EXPECT_FALSE(closed(skinned));

    auto framed = whole;
    framed.frames.count = 2;
    framed.frames.positions = whole.positions;
    framed.frames.positions.insert(framed.frames.positions.end(), whole.positions.begin(),
                                   whole.positions.end());
    EXPECT_TRUE(closed(framed));
    framed.frames.positions.back().x += 0.1f;
    EXPECT_FALSE(closed(framed));

    auto morphed = whole;
    morphed.morph_targets.resize(1);
    morphed.morph_targets[0].vertices = {0};
    morphed.morph_targets[0].position_deltas = {{0.0f, 0.5f, 0.0f}};
    EXPECT_FALSE(closed(morphed));
}

TEST(ClosedMesh, RejectsPartlyDrawnMeshes)
{
    scene::Mesh mesh;
    add_body(mesh, {0, 0, 0});
    scene::Primitive part;
    part.count = 9;
    mesh.primitives = {part};
    EXPECT_FALSE(is_closed(mesh));
    EXPECT_FALSE(is_closed(scene::Mesh{}));
}

} // namespace
} // namespace vitrine::render
