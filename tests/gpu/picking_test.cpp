// Picking of surfaces and joints.

#include <map>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

using render::View;

TEST_F(GpuOverlay, PicksVisibleSurfaces)
{
    scene::Scene scene;
    add_quad(scene, 0.5f, 0.4f, {0.0f, 0.0f, 1.0f, 1.0f});
    add_quad(scene, 0.0f, 1.0f, {1.0f, 0.0f, 0.0f, 1.0f});
    const auto shared = share(std::move(scene));
    for (const bool flat : {false, true}) {
        auto view = front_view();
        view.camera.orthographic = flat;
        view.camera.yaw = 10.0f;
        view.light = render::LightingPreset::reference;
        const auto frame = picture(shared, view);
        for (std::uint32_t y = 4; y < 128; y += 8)
            for (std::uint32_t x = 4; x < 128; x += 8) {
                const auto p = pixel(frame, x, y);
                const auto hit = renderer().pick(shared, view, {}, x, y);
                if (p.r > 250 && p.g > 250) EXPECT_FALSE(hit) << x << ' ' << y;
                if (p.b > 150 && p.r == 0) {
                    ASSERT_TRUE(hit) << x << ' ' << y;
                    EXPECT_EQ(hit->node, 0u);
                    EXPECT_NEAR(hit->position.z, 0.5f, 1e-5f);
                }
                if (p.r > 150 && p.g == 0 && p.b == 0) {
                    ASSERT_TRUE(hit) << x << ' ' << y;
                    EXPECT_EQ(hit->node, 1u);
                    EXPECT_LT(hit->triangle, 2u);
                    EXPECT_GT(hit->normal.z, 0.99f);
                }
            }
    }
    EXPECT_THROW(renderer().pick(shared, front_view(), {}, 128, 0), render::RenderError);
}

// Single- or double-sided, with or without a material, mirrored or not, from the front and from behind.
TEST_F(GpuOverlay, DoesNotPickCulledFaces)
{
    for (int combination = 0; combination < 16; ++combination) {
        const bool gltf = combination & 1, plain = combination & 2, mirrored = combination & 4;
        scene::Scene scene;
        add_quad(scene, 0.0f, 1.0f, {1.0f, 0.0f, 0.0f, 1.0f});
        scene.format = gltf ? "glb" : "obj";
        scene.materials[0].double_sided = false;
        if (plain) scene.meshes[0].primitives[0].material = scene::none;
        if (mirrored) scene.nodes[0].local.scale.x = -1.0f;
        auto view = front_view();
        view.light = render::LightingPreset::reference;
        view.background = glm::vec4(0.0f);
        if (combination & 8) view.camera.yaw += 180.0f;
        const auto shared = share(std::move(scene));
        const bool shown = pixel(picture(shared, view), 64, 64).a == 255;
        EXPECT_EQ(shown, !gltf || !(combination & 8)) << combination;
        EXPECT_EQ(renderer().pick(shared, view, {}, 64, 64).has_value(), shown) << combination;
    }
}

TEST_F(GpuOverlay, PicksJointsAtTheClipTime)
{
    const auto shared = share(tube(40, 16, 6, 3));
    View view{.width = 200, .height = 200};
    view.background = glm::vec4(0.0f);
    const render::ClipTime clip_time{0, 0.7};
    const auto frame = picture(shared, view, clip_time);
    std::map<std::uint32_t, int> joints;
    int wrong = 0;
    for (std::uint32_t y = 2; y < 200; y += 5)
        for (std::uint32_t x = 2; x < 200; x += 5) {
            const auto hit = renderer().pick(shared, view, clip_time, x, y);
            const int alpha = pixel(frame, x, y).a;
            // The shadow has alpha too, but never 255.
            if (hit.has_value() ? alpha < 100 : alpha == 255) ++wrong;
            if (!hit) continue;
            ++joints[hit->joint];
            EXPECT_GT(hit->weight, 0.2f);
        }
    EXPECT_EQ(wrong, 0);
    EXPECT_GE(joints.size(), 4u);
    EXPECT_FALSE(joints.contains(scene::none));
}

TEST_F(GpuOverlay, PicksThroughHoles)
{
    scene::Material leaf;
    leaf.alpha_mode = scene::AlphaMode::mask;
    auto scene = square(leaf);
    scene::Image image;
    image.width = 2;
    image.height = 1;
    image.pixels = {255, 255, 255, 0, 255, 255, 255, 255};
    scene.images.push_back(std::move(image));
    scene.materials[0].base_color_texture.image = 0;
    scene.materials[0].base_color_texture.nearest = true;
    const auto shared = share(std::move(scene));
    EXPECT_FALSE(renderer().pick(shared, front_view(), {}, 50, 64));
    EXPECT_TRUE(renderer().pick(shared, front_view(), {}, 78, 64));
}

} // namespace
} // namespace vitrine::test
