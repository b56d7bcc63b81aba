// Properties of the studio lighting for any model: from every side, and with occlusion maps.

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

class GpuStudio : public Gpu {};

render::View facing(float yaw = 0.0f, float pitch = 0.0f)
{
    render::View view{.width = 128, .height = 128};
    view.camera.yaw = yaw;
    view.camera.pitch = pitch;
    view.camera.orthographic = true;
    return view;
}

scene::Scene gray_square()
{
    scene::Material material;
    material.base_color = {0.5f, 0.5f, 0.5f, 1.0f};
    material.roughness = 0.9f;
    material.metallic = 0.0f;
    return square(material);
}

// Facing down, toward a camera that looks up.
scene::Scene gray_ceiling()
{
    auto scene = gray_square();
    auto& mesh = scene.meshes[0];
    mesh.positions = {{-0.5f, 0, 0.5f}, {-0.5f, 0, -0.5f}, {0.5f, 0, -0.5f}, {0.5f, 0, 0.5f}};
    mesh.normals.assign(4, {0.0f, -1.0f, 0.0f});
    return scene;
}

TEST_F(GpuStudio, LightsViewsFromBelowLikeFrontViews)
{
    const auto before = pixel(picture(share(gray_square()), facing()), 64, 64);
    const auto below = pixel(picture(share(gray_ceiling()), facing(0.0f, -90.0f)), 64, 64);
    EXPECT_GT(before.g, 120);
    EXPECT_NEAR(below.g, before.g, 12);
    const auto turned = pixel(picture(share(gray_ceiling()), facing(130.0f, -80.0f)), 64, 64);
    EXPECT_NEAR(turned.g, before.g, 25);
}

// glTF 2.0: occlusion affects only indirect light.
TEST_F(GpuStudio, AppliesOcclusionOnlyToIndirectLight)
{
    for (const float metallic : {0.0f, 1.0f}) {
        auto scene = gray_square();
        scene.materials[0].metallic = metallic;
        scene.materials[0].roughness = 0.5f;
        const auto open = pixel(picture(share(scene), facing()), 64, 64);
        scene.images.push_back({.name = "none", .width = 1, .height = 1, .pixels = {0, 255, 255, 255}});
        scene.materials[0].occlusion_texture.image = 0;
        const auto closed = pixel(picture(share(scene), facing()), 64, 64);
        EXPECT_GT(closed.g, open.g / 3) << metallic;
        EXPECT_LT(closed.g, open.g - 15) << metallic;
    }
}

} // namespace
} // namespace vitrine::test
