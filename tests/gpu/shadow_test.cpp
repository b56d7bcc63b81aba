// Which parts of a model cast a ground shadow.

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/scene/shadow_casters.hpp"

namespace vitrine::test {
namespace {

using render::View;
using GpuShadow = Gpu;

// A horizontal square of side 1 at height `y`, of cells x cells quads.
scene::Scene slab(std::uint32_t cells, float y, glm::vec4 color,
                  scene::AlphaMode mode = scene::AlphaMode::opaque)
{
    scene::Scene scene;
    scene::Mesh mesh;
    const auto at = [&](std::uint32_t i) { return static_cast<float>(i) / static_cast<float>(cells) - 0.5f; };
    for (std::uint32_t z = 0; z <= cells; ++z)
        for (std::uint32_t x = 0; x <= cells; ++x) {
            mesh.positions.emplace_back(at(x), y, at(z));
            mesh.normals.emplace_back(0.0f, 1.0f, 0.0f);
        }
    for (std::uint32_t z = 0; z < cells; ++z)
        for (std::uint32_t x = 0; x < cells; ++x) {
            const auto a = z * (cells + 1) + x;
            for (const auto i : {a, a + cells + 1, a + 1, a + 1, a + cells + 1, a + cells + 2})
                mesh.indices.push_back(i);
        }
    mesh.primitives.push_back({.count = static_cast<std::uint32_t>(mesh.indices.size()), .material = 0});
    scene::Material material;
    material.base_color = color;
    material.alpha_mode = mode;
    scene.materials.push_back(std::move(material));
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    return scene;
}

double darkness(const render::Frame& with, const render::Frame& without, std::uint32_t x, std::uint32_t y)
{
    return pixel(without, x, y).r - pixel(with, x, y).r;
}

// The slab at height 0.6 casts its shadow away from the key light at yaw -42, pitch 50.
TEST_F(GpuShadow, IsEqualForFineAndCoarseMeshes)
{
    const auto bare =
        picture(share(slab(1, 0.6f, {1.0f, 1.0f, 1.0f, 0.1f}, scene::AlphaMode::blend)), from_above());
    const auto coarse = picture(share(slab(1, 0.6f, glm::vec4(1.0f))), from_above());
    const auto fine = picture(share(slab(100, 0.6f, glm::vec4(1.0f))), from_above());
    keep(coarse, "shadow_coarse");
    keep(fine, "shadow_fine");
    double worst = 0.0;
    for (std::uint32_t y = 0; y < 128; ++y)
        for (std::uint32_t x = 0; x < 128; ++x)
            worst = std::max(worst, std::abs(darkness(coarse, fine, x, y)));
    EXPECT_LT(worst, 14.0);
    // Right of and above the slab in the image, where light from the left front does not reach.
    EXPECT_GT(darkness(coarse, bare, 64 + 31, 64 - 27), 25.0);
    EXPECT_LT(darkness(coarse, bare, 64 - 40, 64 + 40), 4.0);
}

// A high slab over a low one: the shadow of the low one is harder, whichever is drawn first.
TEST_F(GpuShadow, IsThatOfTheLowestCasterInAnyOrder)
{
    for (const std::uint32_t cells : {1u, 100u}) {
        const auto low = slab(cells, 0.1f, glm::vec4(1.0f));
        const auto stack = [&](bool low_first) {
            auto scene = low;
            auto& mesh = scene.meshes[0];
            const auto vertices = static_cast<std::uint32_t>(mesh.positions.size());
            const auto count = mesh.indices.size();
            for (std::uint32_t v = 0; v < vertices; ++v) {
                // Beside the low slab, so that the light projects it onto the same part of the floor.
                mesh.positions.push_back(mesh.positions[v] + glm::vec3(-0.35f, 0.5f, 0.4f));
                mesh.normals.push_back(mesh.normals[v]);
            }
            for (std::size_t i = 0; i < count; ++i)
                mesh.indices.push_back(mesh.indices[i] + vertices);
            if (!low_first)
                std::ranges::rotate(mesh.indices, mesh.indices.begin() + static_cast<std::ptrdiff_t>(count));
            mesh.primitives[0].count = static_cast<std::uint32_t>(mesh.indices.size());
            return picture(share(std::move(scene)), from_above());
        };
        const auto first = stack(true), last = stack(false);
        keep(first, "shadow_of_two_slabs");
        EXPECT_EQ(different_pixels(first, last), 0) << cells;
        EXPECT_GT(different_pixels(first, picture(share(low), from_above())), 100) << cells;
    }
}

// A ceiling that faces down, seen from above: it is not visible.
TEST_F(GpuShadow, ExcludesCulledFaces)
{
    for (const auto mode : {scene::AlphaMode::opaque, scene::AlphaMode::blend}) {
        scene::Scene scene;
        scene.format = "glb";
        add_quad(scene, 0.0f, 1.0f, {0.4f, 0.4f, 0.4f, 0.5f}, mode);
        scene.nodes[0].local.rotation = glm::angleAxis(glm::radians(90.0f), glm::vec3(1.0f, 0.0f, 0.0f));
        scene.nodes[0].local.translation.y = 0.4f;
        auto away = scene;
        away.meshes[0].primitives[0].count = 0; // only the framing remains
        away.nodes.push_back(away.nodes[0]);
        away.meshes.push_back(scene.meshes[0]);
        away.meshes[1].positions.assign(4, glm::vec3(0.0f));
        away.nodes[1].mesh = 1;
        const auto floor = picture(share(std::move(away)), from_above());
        scene.materials[0].double_sided = true;
        EXPECT_GT(different_pixels(picture(share(scene), from_above()), floor), 1000);
        scene.materials[0].double_sided = false;
        EXPECT_EQ(different_pixels(picture(share(scene), from_above()), floor), 0);
        scene.nodes[0].local.scale.z = -1.0f; // its front now faces up
        EXPECT_GT(different_pixels(picture(share(scene), from_above()), floor), 1000);
    }
}

// A room of 2 x 1 x 2 meters without a ceiling whose faces point inward; the last `open` walls are left out.
scene::Scene room(std::size_t open)
{
    using Quad = std::array<glm::vec3, 4>;
    constexpr std::array<Quad, 5> sides{Quad{{{-1, 0, 1}, {1, 0, 1}, {1, 0, -1}, {-1, 0, -1}}},   // floor
                                        Quad{{{-1, 0, -1}, {1, 0, -1}, {1, 1, -1}, {-1, 1, -1}}}, // back
                                        Quad{{{-1, 0, 1}, {-1, 0, -1}, {-1, 1, -1}, {-1, 1, 1}}}, // left
                                        Quad{{{1, 0, -1}, {1, 0, 1}, {1, 1, 1}, {1, 1, -1}}},     // right
                                        Quad{{{1, 0, 1}, {-1, 0, 1}, {-1, 1, 1}, {1, 1, 1}}}};    // front
    scene::Scene scene;
    scene.format = "glb";
    scene::Mesh mesh;
    for (const auto& side : sides) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.insert(mesh.positions.end(), side.begin(), side.end());
        mesh.normals.insert(mesh.normals.end(), 4,
                            glm::normalize(glm::cross(side[1] - side[0], side[3] - side[0])));
        for (const std::uint32_t i : {0u, 1u, 2u, 0u, 2u, 3u})
            mesh.indices.push_back(first + i);
    }
    mesh.primitives.push_back({.count = static_cast<std::uint32_t>(mesh.indices.size() - 6 * open)});
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    return scene;
}

TEST_F(GpuShadow, ExcludesCulledWallsOfARoom)
{
    View view{.width = 128, .height = 128, .framing = scene::Aabb{{-2, 0, -2}, {2, 1, 2}}};
    view.camera.pitch = 25.0f;
    for (const bool orthographic : {false, true})
        for (const float width : {1.0f, -1.0f}) { // mirrored
            view.camera.orthographic = orthographic;
            view.camera.yaw = 30.0f * width;
            const auto draw = [&](scene::Scene scene) {
                scene.nodes[0].local.scale.x = width;
                return picture(share(std::move(scene)), view);
            };
            const auto whole = draw(room(0)), seen = draw(room(2));
            keep(whole, width > 0.0f ? "shadow_of_a_room" : "shadow_of_a_mirrored_room");
            EXPECT_EQ(different_pixels(whole, seen), 0) << orthographic << width;
            EXPECT_GT(different_pixels(whole, draw(room(4))), 500) << "the other walls are visible";
            auto solid = room(0);
            solid.materials.resize(1);
            solid.materials[0].double_sided = true;
            solid.meshes[0].primitives[0].material = 0;
            EXPECT_GT(different_pixels(whole, draw(std::move(solid))), 500);
        }
}

TEST_F(GpuShadow, CastsFineMeshesByTheirVertices)
{
    for (const std::uint32_t cells : {2u, 100u}) {
        const auto scene = slab(cells, 0.0f, glm::vec4(1.0f));
        const auto casters = render::find_casters(scene, render::pack(scene));
        ASSERT_EQ(casters.runs.size(), 1u);
        EXPECT_EQ(casters.runs[0].corners, cells == 2 ? 3u : 0u);
        EXPECT_EQ(casters.runs[0].count, cells == 2 ? 8u : 101u * 101u);
        EXPECT_EQ(casters.indices.size(), cells == 2 ? 24u : 0u);
    }
    const auto glass = slab(2, 0.0f, {1.0f, 1.0f, 1.0f, 0.1f}, scene::AlphaMode::blend);
    EXPECT_TRUE(render::find_casters(glass, render::pack(glass)).runs.empty());
}

} // namespace
} // namespace vitrine::test
