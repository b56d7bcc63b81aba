// What light and materials must do to a picture.

#include <algorithm>
#include <cmath>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/scene/casters.hpp"

namespace vitrine::test {
namespace {

using render::Light;
using render::View;

class GpuLight : public Gpu {};

// A horizontal square of side 1 at height `y`, of cells x cells quads.
scene::Scene slab(std::uint32_t cells, float y, glm::vec4 colour,
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
    material.base_colour = colour;
    material.alpha_mode = mode;
    scene.materials.push_back(std::move(material));
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    return scene;
}

View from_above()
{
    View view{.width = 128, .height = 128};
    view.camera.pitch = 89.0f;
    view.camera.orthographic = true;
    view.framing = scene::Aabb{{-1.0f, 0.0f, -1.0f}, {1.0f, 1.0f, 1.0f}};
    return view;
}

double darkness(const render::Frame& with, const render::Frame& without, std::uint32_t x, std::uint32_t y)
{
    return pixel(without, x, y).r - pixel(with, x, y).r;
}

// The slab at height 0.6 throws its shadow away from the key light, which stands at yaw -42, pitch 50.
TEST_F(GpuLight, FineAndCoarseMeshesThrowTheSameShadow)
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
    // Right of and above the slab in the picture, where the light of the left front does not reach.
    EXPECT_GT(darkness(coarse, bare, 64 + 31, 64 - 27), 25.0);
    EXPECT_LT(darkness(coarse, bare, 64 - 40, 64 + 40), 4.0);
}

TEST_F(GpuLight, FineMeshesCastByTheirVertices)
{
    for (const std::uint32_t cells : {2u, 100u}) {
        const auto scene = slab(cells, 0.0f, glm::vec4(1.0f));
        const auto casters = render::find_casters(scene, render::pack(scene));
        ASSERT_EQ(casters.runs.size(), 1u);
        EXPECT_EQ(casters.runs[0].corners, cells == 2 ? 3u : 0u);
        EXPECT_EQ(casters.runs[0].count, cells == 2 ? 8u : 101u * 101u);
        EXPECT_EQ(casters.indices.size(), cells == 2 ? 24u : 0u);
    }
    const auto glass = slab(2, 0.0f, {1.0f, 1.0f, 1.0f, 0.3f}, scene::AlphaMode::blend);
    EXPECT_TRUE(render::find_casters(glass, render::pack(glass)).runs.empty());
}

} // namespace
} // namespace vitrine::test
