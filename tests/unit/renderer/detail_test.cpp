// Fewer triangles of the same vertices.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <span>

#include <gtest/gtest.h>

#include "vk_renderer/detail.hpp"

namespace vitrine::render {
namespace {

glm::vec3 on_sphere(std::uint32_t x, std::uint32_t y, std::uint32_t side)
{
    const float u = static_cast<float>(x) / static_cast<float>(side) * 2.0f * std::numbers::pi_v<float>;
    const float v = static_cast<float>(y) / static_cast<float>(side) * std::numbers::pi_v<float>;
    return {std::sin(v) * std::cos(u), std::cos(v), std::sin(v) * std::sin(u)};
}

// 2 side^2 triangles, smooth (shared vertices) or each with corners of its own.
scene::Mesh sphere(std::uint32_t side, bool shared)
{
    scene::Mesh mesh;
    const auto corner = [&](std::uint32_t x, std::uint32_t y) {
        mesh.positions.push_back(on_sphere(x, y, side));
        mesh.normals.push_back(mesh.positions.back());
        return static_cast<std::uint32_t>(mesh.positions.size() - 1);
    };
    if (shared)
        for (std::uint32_t y = 0; y <= side; ++y)
            for (std::uint32_t x = 0; x <= side; ++x)
                corner(x, y);
    const auto vertex = [&](std::uint32_t x, std::uint32_t y) {
        return shared ? y * (side + 1) + x : corner(x, y);
    };
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x)
            for (const auto& [dx, dy] : {std::pair(0u, 0u), {0u, 1u}, {1u, 0u}, {1u, 0u}, {0u, 1u}, {1u, 1u}})
                mesh.indices.push_back(vertex(x + dx, y + dy));
    mesh.primitives.resize(1);
    mesh.primitives[0].count = static_cast<std::uint32_t>(mesh.indices.size());
    return mesh;
}

scene::Scene scene_of(scene::Mesh mesh, std::size_t instances = 1)
{
    scene::Scene scene;
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.resize(instances);
    for (auto& node : scene.nodes)
        node.mesh = 0;
    return scene;
}

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

TEST(Detail, KeepsTheSurfaceWithATenthOfTheTriangles)
{
    for (const bool shared : {true, false}) {
        const auto scene = scene_of(sphere(100, shared)); // 20 000 triangles
        const auto coarse = coarsen(scene, 2'000);
        ASSERT_TRUE(coarse);
        const auto& mesh = scene.meshes[0];
        EXPECT_LE(coarse->indices.size() / 3, 4'000u) << shared;
        EXPECT_GE(coarse->indices.size() / 3, 500u) << shared;
        for (const auto index : coarse->indices)
            ASSERT_LT(index, mesh.positions.size());
        const double sphere_area = 4.0 * std::numbers::pi;
        EXPECT_NEAR(area(mesh, coarse->indices), sphere_area, 0.05 * sphere_area) << shared;
        ASSERT_EQ(coarse->primitives.size(), 1u);
        ASSERT_EQ(coarse->primitives[0].size(), 1u);
        EXPECT_EQ(coarse->primitives[0][0].single.count, coarse->indices.size());
    }
}

TEST(Detail, LeavesNoTriangleFoldedOver)
{
    for (const bool shared : {true, false}) {
        auto mesh = sphere(200, shared);
        for (std::size_t v = 0; v < mesh.positions.size(); ++v) { // nine waves round it, seven down
            const auto p = mesh.positions[v];
            const float u = std::atan2(p.z, p.x), w = std::acos(std::clamp(p.y, -1.0f, 1.0f));
            mesh.positions[v] = p * (1.0f + 0.08f * std::sin(9.0f * u) * std::sin(7.0f * w));
        }
        const auto scene = scene_of(std::move(mesh));
        const auto coarse = coarsen(scene, 5'000);
        ASSERT_TRUE(coarse);
        const auto& made = scene.meshes[0];
        // The sphere is wound inwards; at its poles are triangles without area.
        std::size_t outwards = 0;
        for (std::size_t i = 0; i < coarse->indices.size(); i += 3) {
            const auto* t = &coarse->indices[i];
            const auto a = made.positions[t[0]], b = made.positions[t[1]], c = made.positions[t[2]];
            const auto normal = made.normals[t[0]] + made.normals[t[1]] + made.normals[t[2]];
            outwards += glm::dot(glm::cross(b - a, c - a), normal) > 1e-7f ? 1 : 0;
        }
        EXPECT_EQ(outwards, 0u) << shared;
    }
}

TEST(Detail, AQuarterIsAskedForWithinReason)
{
    EXPECT_EQ(coarse_triangles_of(scene_of(sphere(100, true), 2)), 10'000u); // 40,000
    EXPECT_EQ(coarse_triangles_of(scene_of(sphere(20, true))), 5'000u);
    EXPECT_EQ(coarse_triangles_of(scene_of(sphere(200, true))), coarse_triangles); // 80,000
}

TEST(Detail, IsNoMatterForASmallSceneButCountsWhatIsDrawn)
{
    EXPECT_FALSE(coarsen(scene_of(sphere(20, true)), 300)); // 800 triangles
    EXPECT_TRUE(coarsen(scene_of(sphere(20, true), 2), 300));
    auto unused = scene_of(sphere(20, true), 2);
    unused.meshes.push_back(sphere(30, true));
    const auto coarse = coarsen(unused, 300);
    ASSERT_TRUE(coarse);
    EXPECT_TRUE(coarse->primitives.at(1).empty());
    EXPECT_FALSE(coarsen(scene::Scene{}, 300));
}

TEST(Detail, LeavesLinesAsTheyAreAndSmallPartsThere)
{
    auto mesh = sphere(60, true); // 7 200 triangles
    const auto whole = static_cast<std::uint32_t>(mesh.indices.size());
    const auto at = 30u * 61u; // on the equator
    const std::vector<std::uint32_t> small{at, at + 61, at + 4, at + 4, at + 61, at + 65};
    const std::vector<std::uint32_t> lines{5, 6, 7, 8};
    mesh.indices.insert(mesh.indices.end(), small.begin(), small.end());
    mesh.indices.insert(mesh.indices.end(), lines.begin(), lines.end());
    mesh.primitives.resize(3);
    mesh.primitives[1].first = whole;
    mesh.primitives[1].count = 6;
    mesh.primitives[2].first = whole + 6;
    mesh.primitives[2].count = 4;
    mesh.primitives[2].topology = scene::Topology::lines;
    const auto coarse = coarsen(scene_of(std::move(mesh)), 700);
    ASSERT_TRUE(coarse);
    const auto& runs = coarse->primitives.at(0);
    ASSERT_EQ(runs.size(), 3u);
    EXPECT_LT(runs[0].single.count, whole / 4);
    EXPECT_GT(runs[1].single.count, 0u);
    const auto first = coarse->indices.begin() + runs[2].single.first;
    EXPECT_EQ(std::vector(first, first + runs[2].single.count), lines);
}

// Where parts meet no slit may open, whatever parts them: materials, textures, joints, faces with vertices of
// their own. Of a closed surface each edge between places is one of two triangles, or of four.
std::size_t open_edges(const scene::Mesh& mesh, std::span<const std::uint32_t> indices)
{
    using Place = std::array<float, 3>;
    const auto place = [&](std::uint32_t v) {
        const auto& p = mesh.positions[v];
        return Place{p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};
    };
    std::map<std::pair<Place, Place>, int> edges;
    for (std::size_t i = 0; i < indices.size(); i += 3)
        for (std::size_t k = 0; k < 3; ++k) {
            const auto a = place(indices[i + k]), b = place(indices[i + (k + 1) % 3]);
            if (a != b) ++edges[std::minmax(a, b)];
        }
    return static_cast<std::size_t>(
        std::ranges::count_if(edges, [](const auto& e) { return e.second % 2 != 0; }));
}

// A torus: without poles and seams of places.
scene::Mesh torus(std::uint32_t side, bool shared)
{
    scene::Mesh mesh;
    const auto corner = [&](std::uint32_t x, std::uint32_t y) {
        const float step = 2.0f * std::numbers::pi_v<float> / static_cast<float>(side);
        const float u = static_cast<float>(x % side) * step, v = static_cast<float>(y % side) * step;
        const glm::vec3 out(std::cos(u) * std::cos(v), std::sin(v), std::sin(u) * std::cos(v));
        mesh.positions.push_back(glm::vec3(std::cos(u), 0, std::sin(u)) + 0.4f * out);
        mesh.normals.push_back(out);
        return static_cast<std::uint32_t>(mesh.positions.size() - 1);
    };
    for (std::uint32_t x = 0; shared && x < side; ++x)
        for (std::uint32_t y = 0; y < side; ++y)
            corner(x, y);
    const auto vertex = [&](std::uint32_t x, std::uint32_t y) {
        return shared ? x % side * side + y % side : corner(x, y);
    };
    for (std::uint32_t x = 0; x < side; ++x)
        for (std::uint32_t y = 0; y < side; ++y)
            for (const auto& [dx, dy] : {std::pair(0u, 0u), {0u, 1u}, {1u, 0u}, {1u, 0u}, {0u, 1u}, {1u, 1u}})
                mesh.indices.push_back(vertex(x + dx, y + dy));
    mesh.primitives.resize(1);
    mesh.primitives[0].count = static_cast<std::uint32_t>(mesh.indices.size());
    return mesh;
}

// As many primitives, side by side.
void part(scene::Mesh& mesh, std::uint32_t count)
{
    const auto all = static_cast<std::uint32_t>(mesh.indices.size()), each = all / 3 / count * 3;
    mesh.primitives.resize(count);
    for (std::uint32_t p = 0; p < count; ++p) {
        mesh.primitives[p].first = p * each;
        mesh.primitives[p].count = p + 1 < count ? each : all - p * each;
    }
}

// Along the torus, one after the other; with_weights: softly.
void add_joints(scene::Mesh& mesh, std::uint32_t count)
{
    auto& influences = mesh.influences;
    influences.first.push_back(0);
    for (const auto& p : mesh.positions) {
        const float turn = std::atan2(p.z, p.x) / (2.0f * std::numbers::pi_v<float>)+0.5f;
        const float at = turn * static_cast<float>(count);
        const auto joint = static_cast<std::uint32_t>(at) % count;
        const float share = at - std::floor(at);
        influences.joints.push_back(static_cast<std::uint16_t>(joint));
        influences.joints.push_back(static_cast<std::uint16_t>((joint + 1) % count));
        influences.weights.push_back(1.0f - share);
        influences.weights.push_back(share);
        influences.first.push_back(static_cast<std::uint32_t>(influences.joints.size()));
    }
}

TEST(Detail, OpensNoSlits)
{
    enum { materials, joints, textures, morphed };
    for (const bool shared : {true, false})
        for (const int how : {materials, joints, textures, morphed}) {
            auto mesh = torus(160, shared); // 51 200 triangles
            if (how == materials) part(mesh, 24);
            if (how == joints) add_joints(mesh, 40);
            for (std::size_t v = 0; how == textures && v < mesh.positions.size(); ++v) // in four patches
                mesh.uv0.emplace_back(mesh.positions[v].x > 0 ? 0.5f : 0.0f, mesh.positions[v].y);
            if (how == morphed) {
                part(mesh, 3);
                scene::MorphTarget target;
                for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
                    target.vertices.push_back(v);
                    target.position_deltas.push_back(0.3f * mesh.positions[v] * mesh.positions[v].y);
                }
                mesh.morph_targets.push_back(std::move(target));
            }
            const auto scene = scene_of(std::move(mesh));
            const auto coarse = coarsen(scene, 5'000);
            ASSERT_TRUE(coarse);
            EXPECT_LE(coarse->indices.size() / 3, 15'000u) << how << shared;
            EXPECT_EQ(open_edges(scene.meshes[0], coarse->indices), 0u) << how << shared;
        }
}

// Else fronts would be drawn into the backs that they do not meet any more.
TEST(Detail, KeepsWhatIsThereForBothSidesApart)
{
    auto mesh = sphere(60, true); // 7 200 triangles, of which two thirds are painted on both sides
    const auto vertices = static_cast<std::uint32_t>(mesh.positions.size());
    for (std::uint32_t v = 0; v < vertices; ++v) {
        mesh.positions.push_back(mesh.positions[v]);
        mesh.normals.push_back(-mesh.normals[v]);
    }
    const std::size_t row = 6 * 60, backed = mesh.indices.size() / 9 * 6;
    for (std::size_t i = row; i < backed; i += 3) // without the pole, whose triangles have no area
        for (const auto corner : {0u, 2u, 1u})
            mesh.indices.push_back(mesh.indices[i + corner] + vertices);
    mesh.primitives[0].count = static_cast<std::uint32_t>(mesh.indices.size());
    mesh.primitives[0].material = 0;
    auto scene = scene_of(std::move(mesh));
    scene.format = "glb";
    scene.materials.resize(1);
    for (const bool double_sided : {true, false}) {
        scene.materials[0].double_sided = double_sided;
        const auto coarse = coarsen(scene, 1'000);
        ASSERT_TRUE(coarse);
        const auto& runs = coarse->primitives.at(0).at(0);
        EXPECT_EQ(runs.doubled.count > 0, double_sided) << "what is culled needs no run of its own";
        const auto of_single = std::span(coarse->indices).subspan(runs.single.first, runs.single.count);
        EXPECT_EQ(std::ranges::all_of(of_single, [&](auto v) { return v < vertices; }), double_sided);
        std::size_t backs = 0;
        for (std::size_t i = 0; i < coarse->indices.size(); i += 3) {
            const auto is_back = [&](auto v) { return v >= vertices; };
            const auto count = std::ranges::count_if(std::span(coarse->indices).subspan(i, 3), is_back);
            ASSERT_TRUE(count == 0 || count == 3) << "a triangle of both sides";
            backs += count == 3 ? 1 : 0;
        }
        const auto count = static_cast<double>(coarse->indices.size()) / 3.0;
        EXPECT_NEAR(static_cast<double>(backs), 0.4 * count, 0.1 * count);
    }
}

TEST(Detail, SurvivesTrianglesWithoutArea)
{
    auto mesh = sphere(40, true);
    for (auto& position : mesh.positions)
        position = glm::vec3(1.0f);
    const auto coarse = coarsen(scene_of(std::move(mesh)), 300);
    ASSERT_TRUE(coarse);
    EXPECT_LE(coarse->indices.size(), 3u * 3'200);
}

} // namespace vitrine::render
