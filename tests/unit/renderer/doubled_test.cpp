// Which triangles a mesh has once for each side.

#include <gtest/gtest.h>

#include "vk_renderer/scene/doubled.hpp"

namespace vitrine::render {
namespace {

using Numbers = std::vector<std::uint32_t>;

const glm::vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0), d(1, 1, 0);

// With vertices of its own.
void add(scene::Mesh& mesh, glm::vec3 p, glm::vec3 q, glm::vec3 r)
{
    for (const auto& corner : {p, q, r}) {
        mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
        mesh.positions.push_back(corner);
        mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
    }
}

Numbers doubled(scene::Mesh mesh)
{
    scene::Primitive all;
    all.count = static_cast<std::uint32_t>(mesh.indices.size());
    mesh.primitives = {all};
    return doubled_triangles(mesh);
}

// Of one influence a vertex.
void bind(scene::Mesh& mesh, std::initializer_list<std::uint16_t> joints)
{
    mesh.influences.joints = joints;
    mesh.influences.weights.assign(mesh.positions.size(), 1.0f);
    for (std::uint32_t v = 0; v <= mesh.positions.size(); ++v)
        mesh.influences.first.push_back(v);
}

TEST(Doubled, WhateverTheCornerThatComesFirst)
{
    scene::Mesh mesh;
    add(mesh, a, b, c);
    add(mesh, b, d, c); // alone
    add(mesh, c, b, a);
    EXPECT_EQ(doubled(mesh), (Numbers{0, 6}));
    mesh.positions[7] = a; // c a b: the same way round
    mesh.positions[8] = b;
    EXPECT_EQ(doubled(mesh), Numbers{});
    mesh.positions[6] = b; // b a c
    mesh.positions[8] = c;
    EXPECT_EQ(doubled(mesh), (Numbers{0, 6}));
}

TEST(Doubled, NotByAnotherPoint)
{
    scene::Mesh mesh;
    add(mesh, a, b, c);
    add(mesh, c, b, a);
    mesh.positions[3].y = std::nextafter(1.0f, 2.0f);
    EXPECT_EQ(doubled(mesh), Numbers{});
}

TEST(Doubled, ATwinOfTwoBelongsToBoth)
{
    scene::Mesh mesh;
    add(mesh, a, b, c);
    add(mesh, a, b, c);
    EXPECT_EQ(doubled(mesh), Numbers{});
    add(mesh, a, c, b);
    EXPECT_EQ(doubled(mesh), (Numbers{0, 3, 6}));
}

TEST(Doubled, TrianglesWithoutASurfaceHaveNoSides)
{
    scene::Mesh mesh;
    add(mesh, a, a, b);
    add(mesh, b, a, a);
    EXPECT_EQ(doubled(mesh), Numbers{});
}

TEST(Doubled, AcrossPrimitivesButNotAsLines)
{
    scene::Mesh mesh;
    add(mesh, a, b, c);
    add(mesh, c, b, a);
    mesh.primitives = {{.count = 3, .material = 0}, {.first = 3, .count = 3, .material = 1}};
    EXPECT_EQ(doubled_triangles(mesh), (Numbers{0, 3}));
    mesh.primitives[1].topology = scene::Topology::lines;
    EXPECT_EQ(doubled_triangles(mesh), Numbers{});
}

TEST(Doubled, OnlyWhereBothMoveAlike)
{
    scene::Mesh mesh;
    add(mesh, a, b, c);
    add(mesh, c, b, a);
    auto skinned = mesh;
    bind(skinned, {0, 1, 2, 2, 1, 0});
    EXPECT_EQ(doubled(skinned), (Numbers{0, 3}));
    skinned.influences.joints[5] = 1;
    EXPECT_EQ(doubled(skinned), Numbers{});
    auto& target = mesh.morph_targets.emplace_back();
    target.vertices = {1, 4};
    target.position_deltas = {d, d};
    EXPECT_EQ(doubled(mesh), (Numbers{0, 3}));
    mesh.morph_targets[0].position_deltas[1] = b;
    EXPECT_EQ(doubled(mesh), Numbers{});
}

TEST(Doubled, EveryOneOfMany)
{
    scene::Mesh mesh;
    Numbers expected;
    for (int i = 0; i < 5000; ++i) {
        const glm::vec3 at(static_cast<float>(i), 0.0f, 0.0f);
        add(mesh, a + at, b + at, c + at);
        if (i % 3 != 0) continue;
        expected.push_back(static_cast<std::uint32_t>(mesh.indices.size()) - 3);
        expected.push_back(static_cast<std::uint32_t>(mesh.indices.size()));
        add(mesh, b + at, a + at, c + at);
    }
    EXPECT_EQ(doubled(mesh), expected);
}

} // namespace
} // namespace vitrine::render
