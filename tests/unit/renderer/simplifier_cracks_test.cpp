// Simplified meshes have no gaps.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <span>

#include <gtest/gtest.h>

#include "tests/unit/renderer/round_meshes.hpp"
#include "vk_renderer/mesh/lod.hpp"

namespace vitrine::render {
namespace {

// No gap may open where parts meet, whether materials, textures, joints or separate vertices divide them. In
// a closed surface each edge between positions belongs to two triangles, or four.
std::size_t open_edges(const scene::Mesh& mesh, std::span<const std::uint32_t> indices)
{
    using VertexPlace = std::array<float, 3>;
    const auto place = [&](std::uint32_t v) {
        const auto& p = mesh.positions[v];
        return VertexPlace{p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};
    };
    std::map<std::pair<VertexPlace, VertexPlace>, int> edges;
    for (std::size_t i = 0; i < indices.size(); i += 3)
        for (std::size_t k = 0; k < 3; ++k) {
            const auto a = place(indices[i + k]), b = place(indices[i + (k + 1) % 3]);
            if (a != b) ++edges[std::minmax(a, b)];
        }
    return static_cast<std::size_t>(
        std::ranges::count_if(edges, [](const auto& e) { return e.second % 2 != 0; }));
}

// Splits the mesh into this many consecutive primitives.
void part(scene::Mesh& mesh, std::uint32_t count)
{
    const auto all = static_cast<std::uint32_t>(mesh.indices.size()), each = all / 3 / count * 3;
    mesh.primitives.resize(count);
    for (std::uint32_t p = 0; p < count; ++p) {
        mesh.primitives[p].first = p * each;
        mesh.primitives[p].count = p + 1 < count ? each : all - p * each;
    }
}

// Adds joints around the torus; each vertex follows the two adjacent ones.
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

// Adds this many texture patches with separate coordinates: vertices at the same position differ there.
void add_patches(scene::Mesh& mesh, std::uint32_t count)
{
    const std::size_t each = mesh.indices.size() / count;
    mesh.uv0.resize(mesh.positions.size());
    for (std::size_t i = 0; i < mesh.indices.size(); ++i) {
        const auto patch = i / each;
        const auto vertex = mesh.indices[i];
        const auto& p = mesh.positions[vertex];
        mesh.uv0[vertex] = glm::vec2(p.x + 10.0f * static_cast<float>(patch), p.y);
    }
}

void add_morph(scene::Mesh& mesh)
{
    scene::MorphTarget target;
    for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
        target.vertices.push_back(v);
        target.position_deltas.push_back(0.3f * mesh.positions[v] * mesh.positions[v].y);
    }
    mesh.morph_targets.push_back(std::move(target));
}

void expect_whole(scene::Mesh mesh, const char* how)
{
    const auto scene = test::scene_of(std::move(mesh));
    EXPECT_EQ(open_edges(scene.meshes[0], scene.meshes[0].indices), 0u);
    const auto coarse = build_lod(scene, 2'000);
    ASSERT_TRUE(coarse);
    EXPECT_LE(coarse->indices.size() / 3, 6'000u) << how;
    EXPECT_EQ(open_edges(scene.meshes[0], coarse->indices), 0u) << how;
    // Texture coordinates do not stretch from patch to patch either.
    const auto& uv = scene.meshes[0].uv0;
    for (std::size_t i = 0; !uv.empty() && i < coarse->indices.size(); i += 3)
        for (const std::size_t k : {1u, 2u})
            ASSERT_LT(std::abs(uv[coarse->indices[i]].x - uv[coarse->indices[i + k]].x), 5.0f) << how;
}

} // namespace

TEST(SimplifierCracks, NoneAppearAtSharedEdges)
{
    constexpr std::uint32_t side = 100; // 20 000 triangles
    for (const bool shared : {true, false}) {
        auto parted = test::torus(side, shared);
        part(parted, 24);
        expect_whole(std::move(parted), "materials");
        auto jointed = test::torus(side, shared);
        add_joints(jointed, 40);
        expect_whole(std::move(jointed), "joints");
        auto morphed = test::torus(side, shared);
        part(morphed, 3);
        add_morph(morphed);
        expect_whole(std::move(morphed), "morphed");
    }
    auto patched = test::torus(side, false);
    add_patches(patched, 16);
    expect_whole(std::move(patched), "patches");
    auto moving = test::torus(side, false);
    add_patches(moving, 16);
    add_morph(moving);
    expect_whole(std::move(moving), "patches that move");
}

} // namespace vitrine::render
