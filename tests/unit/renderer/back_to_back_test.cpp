// Finds the triangles that a mesh contains once per side.

#include <gtest/gtest.h>

#include "vk_renderer/mesh/back_to_back.hpp"

namespace vitrine::render {
namespace {

using Numbers = std::vector<std::uint32_t>;

const glm::vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0), d(1, 1, 0);

// With separate vertices.
void add(scene::Mesh& mesh, glm::vec3 p, glm::vec3 q, glm::vec3 r)
{
    for (const auto& corner : {p, q, r}) {
        mesh.indices.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
        mesh.positions.push_back(corner);
        mesh.normals.emplace_back(0.0f, 0.0f, 1.0f);
    }
}

Numbers back_to_back(scene::Mesh mesh)
{
    scene::Primitive all;
    all.count = static_cast<std::uint32_t>(mesh.indices.size());
    mesh.primitives = {all};
    return back_to_back_triangles(mesh);
}

// One influence per vertex.
void bind(scene::Mesh& mesh, std::initializer_list<std::uint16_t> joints)
{
    mesh.influences.joints = joints;
    mesh.influences.weights.assign(mesh.positions.size(), 1.0f);
    for (std::uint32_t v = 0; v <= mesh.positions.size(); ++v)
        mesh.influences.first.push_back(v);
}

TEST(BackToBack, AcceptsEveryFirstCorner)
{
    scene::Mesh mesh;
    add(mesh, a, b, c);
    add(mesh, b, d, c); // no twin
    add(mesh, c, b, a);
    EXPECT_EQ(back_to_back(mesh), (Numbers{0, 6}));
    mesh.positions[7] = a; // c a b: the same winding
    mesh.positions[8] = b;
    EXPECT_EQ(back_to_back(mesh), Numbers{});
    mesh.positions[6] = b; // b a c
    mesh.positions[8] = c;
    EXPECT_EQ(back_to_back(mesh), (Numbers{0, 6}));
}

TEST(BackToBack, RejectsADifferentCorner)
{
    scene::Mesh mesh;
    add(mesh, a, b, c);
    add(mesh, c, b, a);
    mesh.positions[3].y = std::nextafter(1.0f, 2.0f);
    EXPECT_EQ(back_to_back(mesh), Numbers{});
}

TEST(BackToBack, MatchesOneTwinOfTwoTriangles)
{
    scene::Mesh mesh;
    add(mesh, a, b, c);
    add(mesh, a, b, c);
    EXPECT_EQ(back_to_back(mesh), Numbers{});
    add(mesh, a, c, b);
    EXPECT_EQ(back_to_back(mesh), (Numbers{0, 3, 6}));
}

TEST(BackToBack, IgnoresDegenerateTriangles)
{
    scene::Mesh mesh;
    add(mesh, a, a, b);
    add(mesh, b, a, a);
    EXPECT_EQ(back_to_back(mesh), Numbers{});
}

TEST(BackToBack, MatchesAcrossPrimitivesButNotLines)
{
    scene::Mesh mesh;
    add(mesh, a, b, c);
    add(mesh, c, b, a);
    mesh.primitives = {{.count = 3, .material = 0}, {.first = 3, .count = 3, .material = 1}};
    EXPECT_EQ(back_to_back_triangles(mesh), (Numbers{0, 3}));
    mesh.primitives[1].topology = scene::Topology::lines;
    EXPECT_EQ(back_to_back_triangles(mesh), Numbers{});
}

TEST(BackToBack, RequiresEqualDeformation)
{
    scene::Mesh mesh;
    add(mesh, a, b, c);
    add(mesh, c, b, a);
    auto skinned = mesh;
    bind(skinned, {0, 1, 2, 2, 1, 0});
    EXPECT_EQ(back_to_back(skinned), (Numbers{0, 3}));
    skinned.influences.joints[5] = 1;
    EXPECT_EQ(back_to_back(skinned), Numbers{});
    auto& target = mesh.morph_targets.emplace_back();
    target.vertices = {1, 4};
    target.position_deltas = {d, d};
    EXPECT_EQ(back_to_back(mesh), (Numbers{0, 3}));
    mesh.morph_targets[0].position_deltas[1] = b;
    EXPECT_EQ(back_to_back(mesh), Numbers{});
}

// Two adjacent quads, a b d c and its neighbor to the right, each two-sided.
scene::Mesh two_quads_with_backs(bool other_diagonal, bool same_way_round = false)
{
    const glm::vec3 right(1, 0, 0), e = b + right, f = d + right;
    scene::Mesh mesh;
    add(mesh, a, b, d);
    add(mesh, a, d, c);
    add(mesh, d, b, a);
    add(mesh, c, d, a);
    add(mesh, b, e, f);
    add(mesh, b, f, d);
    if (!other_diagonal) {
        add(mesh, f, e, b);
        add(mesh, d, f, b);
    } else if (!same_way_round) {
        add(mesh, d, e, b);
        add(mesh, d, f, e);
    } else {
        add(mesh, b, e, d);
        add(mesh, e, f, d);
    }
    return mesh;
}

TEST(BackToBack, MatchesQuadsSplitAlongEitherDiagonal)
{
    const Numbers all{0, 3, 6, 9, 12, 15, 18, 21};
    EXPECT_EQ(back_to_back(two_quads_with_backs(false)), all);
    EXPECT_EQ(back_to_back(two_quads_with_backs(true)), all);
    const Numbers first{0, 3, 6, 9};
    EXPECT_EQ(back_to_back(two_quads_with_backs(true, true)), first); // one side twice
    auto bent = two_quads_with_backs(true);
    for (const std::size_t corner : {18u, 21u})
        bent.positions[corner].z = 0.5f; // the corner of the back is elsewhere
    EXPECT_EQ(back_to_back(bent), first);
    auto half = two_quads_with_backs(true);
    half.indices.resize(21);
    EXPECT_EQ(back_to_back(half), first);
}

TEST(BackToBack, MatchesQuadsWithoutTwinTriangles)
{
    auto mesh = two_quads_with_backs(true);
    mesh.indices.erase(mesh.indices.begin(), mesh.indices.begin() + 12);
    EXPECT_EQ(back_to_back(mesh), (Numbers{0, 3, 6, 9}));
}

TEST(BackToBack, MatchesQuadsOfALargeMesh)
{
    scene::Mesh mesh;
    for (int i = 0; i < 10'000; ++i) {
        const glm::vec3 at(0.0f, 0.0f, static_cast<float>(i));
        add(mesh, a + at, b + at, d + at);
        add(mesh, a + at, d + at, c + at);
        add(mesh, c + at, b + at, a + at);
        add(mesh, c + at, d + at, b + at);
    }
    EXPECT_EQ(back_to_back(mesh).size(), 40'000u);
}

// In a mesh with few two-sided triangles, quads are not searched.
TEST(BackToBack, SkipsQuadsOfAMostlySingleMesh)
{
    auto mesh = two_quads_with_backs(true);
    for (int i = 0; i < 40; ++i) {
        const glm::vec3 away(0.0f, 9.0f, static_cast<float>(i));
        add(mesh, a + away, b + away, c + away);
    }
    EXPECT_EQ(back_to_back(mesh), (Numbers{0, 3, 6, 9}));
}

// Its faces also form two quads, folded along opposite edges.
TEST(BackToBack, RejectsATetrahedron)
{
    scene::Mesh mesh;
    const glm::vec3 top(0, 0, 1), away(0, 9, 0);
    add(mesh, a, c, b);
    add(mesh, a, b, top);
    add(mesh, b, c, top);
    add(mesh, c, a, top);
    for (const float x : {0.0f, 5.0f, 10.0f, 15.0f}) {
        const glm::vec3 at = away + glm::vec3(x, 0, 0);
        add(mesh, a + at, b + at, c + at);
        add(mesh, c + at, b + at, a + at);
    }
    EXPECT_EQ(back_to_back(mesh), (Numbers{12, 15, 18, 21, 24, 27, 30, 33}));
}

TEST(BackToBack, SkipsEdgesOfManyTriangles)
{
    auto mesh = two_quads_with_backs(true);
    for (int i = 0; i < 400; ++i) { // a book along b f, and enough twins elsewhere
        const glm::vec3 page(2.0f, 1.0f, static_cast<float>(i)), away(0.0f, 9.0f, static_cast<float>(i));
        add(mesh, b, d + glm::vec3(1, 0, 0), page);
        add(mesh, a + away, b + away, c + away);
        add(mesh, c + away, b + away, a + away);
    }
    EXPECT_EQ(back_to_back(mesh).size(), 804u);
}

TEST(BackToBack, FindsAllOfMany)
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
    EXPECT_EQ(back_to_back(mesh), expected);
}

} // namespace
} // namespace vitrine::render
