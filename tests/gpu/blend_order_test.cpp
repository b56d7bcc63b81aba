// Blended surfaces are independent of the order of their triangles.

#include <algorithm>
#include <cmath>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

using render::View;

TEST_F(GpuLight, IsIndependentOfTriangleOrderInABlendedBody)
{
    auto scene = tube(20, 24, 2, 2);
    scene.materials.resize(1);
    scene.materials[0].base_color = {0.9f, 0.3f, 0.1f, 0.6f};
    scene.materials[0].alpha_mode = scene::AlphaMode::blend;
    for (auto& primitive : scene.meshes[0].primitives)
        primitive.material = 0;
    auto turned = scene;
    auto& indices = turned.meshes[0].indices;
    for (std::size_t i = 0; i + 3 <= indices.size() / 2; i += 3)
        std::swap_ranges(indices.begin() + static_cast<std::ptrdiff_t>(i),
                         indices.begin() + static_cast<std::ptrdiff_t>(i + 3),
                         indices.end() - static_cast<std::ptrdiff_t>(i + 3));
    View view{.width = 128, .height = 128};
    view.camera.yaw = 20.0f;
    const auto one = picture(share(std::move(scene)), view);
    const auto other = picture(share(std::move(turned)), view);
    int different = 0;
    for (std::size_t i = 0; i < one.pixels.size(); ++i)
        different += std::abs(one.pixels[i] - other.pixels[i]) > 4 ? 1 : 0;
    EXPECT_LT(different, 40);
}

// A bowl whose lines of sight cross four layers of one connected surface.
TEST_F(GpuLight, IsIndependentOfTriangleOrderInAConcaveBlendedSurface)
{
    auto scene = tube(24, 32, 2, 2);
    auto& mesh = scene.meshes[0];
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) { // folds the upper half into the lower one
        auto& at = mesh.positions[v];
        if (at.y > 0.5f) at = {0.6f * at.x, 1.0f - at.y, 0.6f * at.z};
        mesh.colors.emplace_back(glm::normalize(glm::abs(at) + 0.01f), 1.0f);
    }
    scene.materials.resize(1);
    scene.materials[0].base_color = {1.0f, 1.0f, 1.0f, 0.6f};
    scene.materials[0].alpha_mode = scene::AlphaMode::blend;
    scene.materials[0].double_sided = true;
    mesh.primitives[0].material = 0;
    const View view{.width = 128, .height = 128, .camera = {.yaw = 20.0f, .pitch = 40.0f}};
    const auto expected = picture(share(scene), view);
    keep(expected, "blended_bowl");
    auto& indices = mesh.indices;
    for (int turn = 0; turn < 3; ++turn) {
        std::ranges::rotate(indices, indices.begin() + static_cast<std::ptrdiff_t>(indices.size() / 9 * 3));
        EXPECT_LT(different_pixels(expected, picture(share(scene), view)), 20) << turn;
    }
}

// Three panes connected by a strip of triangles, the nearest first in the file.
TEST_F(GpuLight, RendersConnectedPanesLikeSeparateOnes)
{
    scene::Scene alone, joined;
    for (const float z : {0.4f, 0.0f, -0.4f})
        for (auto* scene : {&alone, &joined}) {
            const glm::vec4 color(0.5f + z, 0.3f, 0.5f - z, 0.6f);
            add_quad(*scene, z, 1.0f, color, scene::AlphaMode::blend);
            scene->meshes.back().colors.assign(4, color);
            scene->materials.back().base_color = glm::vec4(1.0f);
        }
    auto& mesh = joined.meshes[0];
    for (std::uint32_t pane = 1; pane < 3; ++pane) {
        const auto& other = joined.meshes[pane];
        const auto first = 4 * pane;
        mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
        mesh.normals.insert(mesh.normals.end(), other.normals.begin(), other.normals.end());
        mesh.colors.insert(mesh.colors.end(), other.colors.begin(), other.colors.end());
        for (const auto i :
             {first - 4, first - 4, first, first, first + 1, first + 2, first, first + 2, first + 3})
            mesh.indices.push_back(i);
    }
    mesh.primitives[0].count = static_cast<std::uint32_t>(mesh.indices.size());
    joined.nodes.resize(1);
    const View view{.width = 96, .height = 96, .camera = {.yaw = 25.0f, .pitch = 20.0f}};
    const auto expected = picture(share(std::move(alone)), view);
    const auto frame = picture(share(std::move(joined)), view);
    EXPECT_LE(different_pixels(frame, expected), 8);
}

} // namespace
} // namespace vitrine::test
