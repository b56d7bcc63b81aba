// Level of detail: fewer triangles over the same vertices.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include <gtest/gtest.h>

#include "tests/unit/renderer/round_meshes.hpp"
#include "vk_renderer/mesh/lod.hpp"

namespace vitrine::render {
namespace {

using test::scene_of;
using test::sphere;

double area(const scene::Mesh& mesh, std::span<const std::uint32_t> indices)
{
    double sum = 0.0;
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
        const auto a = mesh.positions[indices[i]], b = mesh.positions[indices[i + 1]],
                   c = mesh.positions[indices[i + 2]];
        sum += 0.5 * glm::length(glm::cross(b - a, c - a));
    }
    return sum;
}

} // namespace

TEST(Lod, KeepsTheSurfaceWithATenthOfTheTriangles)
{
    for (const bool shared : {true, false}) {
        const auto scene = scene_of(sphere(100, shared)); // 20 000 triangles
        const auto lod = build_lod(scene, 2'000);
        ASSERT_TRUE(lod);
        const auto& mesh = scene.meshes[0];
        EXPECT_LE(lod->indices.size() / 3, 4'000u) << shared;
        EXPECT_GE(lod->indices.size() / 3, 500u) << shared;
        for (const auto index : lod->indices)
            ASSERT_LT(index, mesh.positions.size());
        const double sphere_area = 4.0 * std::numbers::pi;
        EXPECT_NEAR(area(mesh, lod->indices), sphere_area, 0.05 * sphere_area) << shared;
        ASSERT_EQ(lod->primitives.size(), 1u);
        ASSERT_EQ(lod->primitives[0].size(), 1u);
        EXPECT_EQ(lod->primitives[0][0].single.count, lod->indices.size());
    }
}

TEST(Lod, HasNoFlippedTriangles)
{
    for (const auto& [shared, flat] : {std::pair(true, false), {false, false}, {true, true}}) {
        auto mesh = sphere(200, shared);
        for (std::size_t v = 0; v < mesh.positions.size();
             ++v) { // nine waves around it, seven from top to bottom
            const auto p = mesh.positions[v];
            const float u = std::atan2(p.z, p.x), w = std::acos(std::clamp(p.y, -1.0f, 1.0f));
            mesh.positions[v] = p * (1.0f + 0.08f * std::sin(9.0f * u) * std::sin(7.0f * w));
        }
        const auto normals = mesh.normals;
        if (flat) mesh.normals.clear();
        const auto scene = scene_of(std::move(mesh));
        const auto lod = build_lod(scene, 5'000);
        ASSERT_TRUE(lod);
        const auto& made = scene.meshes[0];
        // The sphere has inward winding; at its poles are degenerate triangles.
        std::size_t outwards = 0;
        for (std::size_t i = 0; i < lod->indices.size(); i += 3) {
            const auto* t = &lod->indices[i];
            const auto a = made.positions[t[0]], b = made.positions[t[1]], c = made.positions[t[2]];
            const auto normal = normals[t[0]] + normals[t[1]] + normals[t[2]];
            outwards += glm::dot(glm::cross(b - a, c - a), normal) > 1e-7f ? 1 : 0;
        }
        // Without normals the sides of steep waves decide, to which the sphere's normals are perpendicular.
        EXPECT_LE(outwards, flat ? 4u : 0u) << shared;
    }
}

TEST(Lod, TargetsAQuarterWithinLimits)
{
    EXPECT_EQ(lod_triangle_count(scene_of(sphere(100, true), 2)), 10'000u); // 40,000
    EXPECT_EQ(lod_triangle_count(scene_of(sphere(20, true))), 5'000u);
    EXPECT_EQ(lod_triangle_count(scene_of(sphere(200, true))), max_lod_triangles); // 80,000
}

TEST(Lod, IsNullForSmallScenesAndCountsInstances)
{
    EXPECT_FALSE(build_lod(scene_of(sphere(20, true)), 300)); // 800 triangles
    EXPECT_TRUE(build_lod(scene_of(sphere(20, true), 2), 300));
    auto unused = scene_of(sphere(20, true), 2);
    unused.meshes.push_back(sphere(30, true));
    const auto lod = build_lod(unused, 300);
    ASSERT_TRUE(lod);
    EXPECT_TRUE(lod->primitives.at(1).empty());
    EXPECT_FALSE(build_lod(scene::Scene{}, 300));
}

TEST(Lod, KeepsLinesAndSmallParts)
{
    auto mesh = sphere(60, true); // 7 200 triangles
    const auto index_count = static_cast<std::uint32_t>(mesh.indices.size());
    const auto at = 30u * 61u; // on the equator
    const std::vector<std::uint32_t> small{at, at + 61, at + 4, at + 4, at + 61, at + 65};
    const std::vector<std::uint32_t> lines{5, 6, 7, 8};
    mesh.indices.insert(mesh.indices.end(), small.begin(), small.end());
    mesh.indices.insert(mesh.indices.end(), lines.begin(), lines.end());
    mesh.primitives.resize(3);
    mesh.primitives[1].first = index_count;
    mesh.primitives[1].count = 6;
    mesh.primitives[2].first = index_count + 6;
    mesh.primitives[2].count = 4;
    mesh.primitives[2].topology = scene::Topology::lines;
    const auto lod = build_lod(scene_of(std::move(mesh)), 700);
    ASSERT_TRUE(lod);
    const auto& runs = lod->primitives.at(0);
    ASSERT_EQ(runs.size(), 3u);
    EXPECT_LT(runs[0].single.count, index_count / 4);
    EXPECT_GT(runs[1].single.count, 0u);
    const auto first = lod->indices.begin() + runs[2].single.first;
    EXPECT_EQ(std::vector(first, first + runs[2].single.count), lines);
}

// Otherwise front faces would intersect back faces that no longer coincide with them.
TEST(Lod, SeparatesBackToBackTriangles)
{
    auto mesh = sphere(60, true); // 7 200 triangles, two thirds of which are modeled back to back
    const auto vertices = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::uint32_t v = 0; v < vertices; ++v) {
        mesh.positions.push_back(mesh.positions[v]);
        mesh.normals.push_back(-mesh.normals[v]);
    }
    const std::size_t row = 6 * 60, backed = mesh.indices.size() / 9 * 6;
    for (std::size_t i = row; i < backed; i += 3) // without the pole, whose triangles are degenerate
        for (const auto corner : {0u, 2u, 1u})
            mesh.indices.push_back(mesh.indices[i + corner] + vertices);
    mesh.primitives[0].count = static_cast<std::uint32_t>(mesh.indices.size());
    mesh.primitives[0].material = 0;
    auto scene = scene_of(std::move(mesh));
    scene.format = "glb";
    scene.materials.resize(1);
    for (const bool double_sided : {true, false}) {
        scene.materials[0].double_sided = double_sided;
        const auto lod = build_lod(scene, 1'000);
        ASSERT_TRUE(lod);
        const auto& runs = lod->primitives.at(0).at(0);
        EXPECT_EQ(runs.back_to_back.count > 0, double_sided) << "culled triangles need no separate run";
        const auto of_single = std::span(lod->indices).subspan(runs.single.first, runs.single.count);
        EXPECT_EQ(std::ranges::all_of(of_single, [&](auto v) { return v < vertices; }), double_sided);
        std::size_t backs = 0;
        for (std::size_t i = 0; i < lod->indices.size(); i += 3) {
            const auto is_back = [&](auto v) { return v >= vertices; };
            const auto count = std::ranges::count_if(std::span(lod->indices).subspan(i, 3), is_back);
            ASSERT_TRUE(count == 0 || count == 3) << "a two-sided triangle";
            backs += count == 3 ? 1 : 0;
        }
        const auto count = static_cast<double>(lod->indices.size()) / 3.0;
        EXPECT_NEAR(static_cast<double>(backs), 0.4 * count, 0.1 * count);
    }
}

TEST(Lod, HandlesDegenerateTriangles)
{
    auto mesh = sphere(40, true);
    for (auto& position : mesh.positions)
        position = glm::vec3(1.0f);
    const auto lod = build_lod(scene_of(std::move(mesh)), 300);
    ASSERT_TRUE(lod);
    EXPECT_LE(lod->indices.size(), 3u * 3'200);
}

} // namespace vitrine::render
