#include "loaders/scene/geometry/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "loaders/scene/geometry/triangle_measure.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

// Corner of a cube whose three faces have one, one and two triangles. With angle weighting the split has no
// effect.
TEST(Normals, AreWeightedByAngleNotByTriangleCount)
{
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
    mesh.indices = {0, 2, 4, 0, 4, 1, /* z = 0, facing -z */ 0, 1, 3, /* facing -y */ 0,
                    3, 2 /* facing -x */};
    test::add_whole_primitive(mesh);
    compute_normals(mesh);
    const float third = -std::sqrt(1.0f / 3.0f);
    EXPECT_LT(test::difference(mesh.normals[0], {third, third, third}), 1e-6);
    EXPECT_LT(test::difference(mesh.normals[4], {0, 0, -1}), 1e-6);
}

TEST(Normals, IgnoreZeroAreaAndHandleUnusedVertices)
{
    Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {5, 5, 5}};
    mesh.indices = {0, 1, 2, 0, 0, 1, 9, 1, 2};
    test::add_whole_primitive(mesh);
    compute_normals(mesh);
    for (const glm::vec3& normal : mesh.normals)
        EXPECT_EQ(normal, glm::vec3(0, 1, 0));
}

TEST(TriangleMeasure, AnglesMatchTheLibrary)
{
    for (int step = 1; step < 20'000; ++step) {
        const double angle = step * std::numbers::pi / 20'000;
        EXPECT_NEAR(fast_atan2(3e12 * std::sin(angle), 3e12 * std::cos(angle)), angle, 1e-7);
    }
    EXPECT_NEAR(fast_atan2(1e-300, 1.0), 0.0, 1e-7);
    EXPECT_NEAR(fast_atan2(1e-300, -1.0), std::numbers::pi, 1e-7);
}

TEST(TriangleMeasure, HandlesRightAndDegenerateTriangles)
{
    const TriangleMeasure right = measure_triangle({0, 0, 2}, {3e30, 0, 2}, {3e30, std::sqrt(3.0) * 1e30, 2});
    EXPECT_EQ(right.normal, glm::dvec3(0, 0, 1));
    EXPECT_NEAR(right.angles[0], std::numbers::pi / 6, 1e-7);
    EXPECT_NEAR(right.angles[1], std::numbers::pi / 2, 1e-7);
    EXPECT_NEAR(right.angles[2], std::numbers::pi / 3, 2e-7);
    const TriangleMeasure none = measure_triangle({0, 0, 0}, {1, 2, 3}, {2, 4, 6});
    EXPECT_EQ(none.normal, glm::dvec3(0.0));
    EXPECT_EQ(none.angles, (std::array{0.0, 0.0, 0.0}));
}

TEST(Normals, GroupsKeepASeamSmooth)
{
    Mesh mesh; // two triangles of a roof that share an edge only by position
    mesh.positions = {{0, 0, 0}, {0, 0, 1}, {1, -1, 0}, {0, 0, 0}, {0, 0, 1}, {-1, -1, 0}};
    mesh.indices = {0, 1, 2, 4, 3, 5};
    test::add_whole_primitive(mesh);
    const std::vector<std::uint32_t> groups{7, 4'000'000'000u, 2, 7, 4'000'000'000u, 5};
    compute_normals(mesh, groups);
    EXPECT_LT(test::difference(mesh.normals[0], {0, 1, 0}), 1e-6);
    EXPECT_EQ(mesh.normals[0], mesh.normals[3]);
    EXPECT_EQ(mesh.normals[1], mesh.normals[4]);
    EXPECT_LT(test::difference(mesh.normals[5], glm::normalize(glm::vec3(-1, 1, 0))), 1e-6);
}

TEST(Normals, WithoutAGroupAreKept)
{
    Mesh mesh; // the roof again, with a wall that has given normals
    mesh.positions = {{0, 0, 0}, {0, 0, 1}, {1, -1, 0}, {0, 0, 0}, {0, 0, 1}, {-1, -1, 0}, {1, -9, 0}};
    mesh.indices = {0, 1, 2, 4, 3, 5, 2, 6, 5};
    test::add_whole_primitive(mesh);
    compute_normals(mesh);
    const auto alone = mesh.normals;
    compute_normals(mesh, std::vector<std::uint32_t>{1, 0, none, 1, 0, none, none});
    for (const std::size_t v : {2u, 5u, 6u})
        EXPECT_EQ(mesh.normals[v], alone[v]);
    for (const std::size_t v : {0u, 1u, 3u, 4u})
        EXPECT_LT(test::difference(mesh.normals[v], {0, 1, 0}), 1e-6);
    compute_normals(mesh, std::vector<std::uint32_t>(7, none));
    EXPECT_EQ(mesh.normals[2], alone[2]);
}

// The same sum by brute force, with dense and sparse group numbers.
TEST(Normals, MatchABruteForceSum)
{
    std::mt19937 random(6);
    std::uniform_real_distribution<float> any(-1.0f, 1.0f);
    Mesh mesh;
    for (int v = 0; v < 50; ++v)
        mesh.positions.push_back(glm::vec3(any(random), any(random), any(random)) * 1e3f);
    for (int i = 0; i < 300; ++i)
        mesh.indices.push_back(static_cast<std::uint32_t>(random() % 50));
    test::add_whole_primitive(mesh);
    std::vector<glm::dvec3> sums(10, glm::dvec3(0.0));
    for (std::size_t i = 0; i < 300; i += 3) {
        for (std::size_t c = 0; c < 3; ++c) {
            const auto corner = [&](std::size_t k) {
                return glm::dvec3(mesh.positions[mesh.indices[i + (c + k) % 3]]);
            };
            const glm::dvec3 a = corner(1) - corner(0), b = corner(2) - corner(0);
            const double size = glm::length(glm::cross(a, b));
            if (size == 0.0) continue;
            const double cosine = glm::dot(a, b) / glm::length(a) / glm::length(b);
            sums[mesh.indices[i + c] % 10] +=
                glm::cross(a, b) / size * std::acos(std::clamp(cosine, -1.0, 1.0));
        }
    }
    for (const std::uint32_t spread : {1u, 400'000'000u}) {
        std::vector<std::uint32_t> groups;
        for (std::uint32_t v = 0; v < 50; ++v)
            groups.push_back(v % 10 * spread);
        compute_normals(mesh, groups);
        for (std::size_t v = 0; v < 50; ++v)
            EXPECT_LT(test::difference(mesh.normals[v], glm::vec3(glm::normalize(sums[v % 10]))), 1e-5);
    }
}

TEST(Winding, FlipsOnlyTriangles)
{
    Mesh mesh;
    mesh.positions.resize(5);
    mesh.indices = {0, 1, 2, 2, 3, 4, 0, 1};
    mesh.primitives = {{Topology::triangles, 0, 6, none}, {Topology::lines, 6, 2, none}};
    flip_winding(mesh);
    EXPECT_EQ(mesh.indices, (std::vector<std::uint32_t>{0, 2, 1, 2, 4, 3, 0, 1}));
}

Scene scene_of_parents(const std::vector<std::uint32_t>& parents)
{
    Scene scene;
    for (std::size_t i = 0; i < parents.size(); ++i) {
        Node node;
        node.name = std::to_string(i);
        node.parent = parents[i];
        scene.nodes.push_back(node);
    }
    return scene;
}

TEST(SortNodes, IsDepthFirstWithChildrenInOrder)
{
    Scene scene = scene_of_parents({3, 3, none, none, 2, 1, 2});
    scene.skins.push_back({.name = "", .joints = {5, 0}, .inverse_bind = {}});
    scene.clips.emplace_back().channels.push_back({.node = 6, .times = {}, .values = {}});
    scene.vrm = {.first_person = {{.node = 0}}, .expressions = {{.weights = {{.node = 5}}}}};
    ASSERT_TRUE(sort_nodes(scene));
    std::string order;
    for (const Node& node : scene.nodes)
        order += node.name;
    EXPECT_EQ(order, "2463015");
    EXPECT_EQ(scene.nodes[6].parent, 5u);
    EXPECT_EQ(scene.nodes[4].parent, 3u);
    EXPECT_EQ(scene.skins[0].joints, (std::vector<std::uint32_t>{6, 4}));
    EXPECT_EQ(scene.clips[0].channels[0].node, 2u);
    EXPECT_EQ(scene.vrm->first_person[0].node, 4u);
    EXPECT_EQ(scene.vrm->expressions[0].weights[0].node, 6u);
}

TEST(SortNodes, RejectsCyclesAndMissingParents)
{
    Scene cycle = scene_of_parents({none, 2, 1});
    Scene self = scene_of_parents({0});
    Scene missing = scene_of_parents({none, 7});
    EXPECT_FALSE(sort_nodes(cycle));
    EXPECT_FALSE(sort_nodes(self));
    EXPECT_FALSE(sort_nodes(missing));
    EXPECT_EQ(cycle.nodes[1].name, "1"); // unchanged
}

TEST(SortNodes, DoesNotRecurseOnALongChain)
{
    std::vector<std::uint32_t> parents(300'000);
    for (std::uint32_t i = 0; i < parents.size(); ++i)
        parents[i] = i + 1;
    parents.back() = none;
    Scene scene = scene_of_parents(parents);
    ASSERT_TRUE(sort_nodes(scene));
    EXPECT_EQ(scene.nodes[0].name, "299999");
    EXPECT_EQ(scene.nodes[299'999].parent, 299'998u);
}

} // namespace
} // namespace vitrine::scene
