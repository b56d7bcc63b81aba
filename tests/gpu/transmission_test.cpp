// Transmission through a surface.

#include <cmath>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

using render::View;

TEST_F(GpuMaterialExtensions, TintsTheBackgroundOfGlass)
{
    auto scene = square(glass_material({0.2f, 1.0f, 0.2f}));
    add_quad(scene, -0.5f, 0.5f, {0.3f, 0.3f, 0.3f, 1.0f});
    const auto shared = share(scene);
    const auto view = front_view();
    const auto through = picture(shared, view);
    keep(through, "green_glass");
    scene.materials[0] = glass_material();
    const auto clear = picture(share(scene), view);
    scene.materials[0] = rough_material({0.2f, 1.0f, 0.2f});
    const auto opaque = picture(share(scene), view);
    // In front of the square, and beside it in front of the backdrop.
    for (const std::uint32_t x : {64u, 38u}) {
        SCOPED_TRACE(x);
        EXPECT_LT(pixel(through, x, 64).r, pixel(clear, x, 64).r - 40);
        EXPECT_NEAR(pixel(through, x, 64).g, pixel(clear, x, 64).g, 8);
    }
    EXPECT_LT(pixel(clear, 64, 64).r, pixel(clear, 38, 64).r - 30) << "the square behind is visible";
    EXPECT_EQ(pixel(opaque, 64, 64).g, pixel(opaque, 38, 64).g) << "and not through opaque surfaces";
    EXPECT_EQ(pixel(through, 64, 64).a, 255);
}

TEST_F(GpuMaterialExtensions, AbsorbsLightByThickness)
{
    auto thin = glass_material();
    auto thick = glass_material();
    thick.extensions.thickness = 1.0f;
    thick.extensions.attenuation_distance = 0.5f;
    thick.extensions.attenuation_color = {1.0f, 0.5f, 0.5f};
    const auto clear = pixel(picture(share(square(thin)), front_view()), 64, 64);
    const auto red = pixel(picture(share(square(thick)), front_view()), 64, 64);
    EXPECT_NEAR(red.r, clear.r, 2);
    EXPECT_LT(red.g, clear.g - 50);
    // Half the size and thickness, in a node that doubles both.
    auto scaled = square(thick);
    for (auto& position : scaled.meshes[0].positions)
        position *= 0.5f;
    scaled.materials[0].extensions.thickness = 0.5f;
    scaled.nodes[0].local.scale = glm::vec3(2.0f);
    EXPECT_NEAR(pixel(picture(share(std::move(scaled)), front_view()), 64, 64).g, red.g, 2);
}

// The texture determines which part is metal.
TEST_F(GpuMaterialExtensions, ReadsMetallicOfGlassFromTheTexture)
{
    auto material = glass_material();
    auto scene = square(material);
    add_quad(scene, -0.5f, 0.5f, {0.8f, 0.05f, 0.05f, 1.0f});
    const auto clear = pixel(picture(share(scene), front_view()), 64, 64);
    scene.images.push_back({.name = "none", .width = 1, .height = 1, .pixels = {0, 255, 0, 255}});
    scene.materials[0].metallic = 1.0f;
    scene.materials[0].metallic_roughness_texture.image = 0;
    const auto textured = pixel(picture(share(std::move(scene)), front_view()), 64, 64);
    EXPECT_GT(clear.r, clear.g + 40);
    EXPECT_NEAR(textured.r, clear.r, 3);
    EXPECT_NEAR(textured.g, clear.g, 3);
}

// A ring with more triangles than the sort limit and an opaque transmission texture: the far side must not be
// drawn over the near side.
TEST_F(GpuMaterialExtensions, WritesDepthWhereATextureIsOpaque)
{
    scene::Scene scene;
    scene::Mesh mesh;
    constexpr std::uint32_t around = 260, across = 65;
    for (std::uint32_t i = 0; i <= around; ++i)
        for (std::uint32_t k = 0; k <= across; ++k) {
            const float a = 6.2831853f * static_cast<float>(i) / around,
                        b = 6.2831853f * static_cast<float>(k) / across;
            const glm::vec3 out(std::cos(a) * std::cos(b), std::sin(b), std::sin(a) * std::cos(b));
            mesh.positions.push_back(glm::vec3(std::cos(a), 0.0f, std::sin(a)) + 0.4f * out);
            mesh.normals.push_back(out);
            mesh.uv0.emplace_back(0.0f, 0.0f);
        }
    for (std::uint32_t i = 0; i < around; ++i)
        for (std::uint32_t k = 0; k < across; ++k) {
            const auto at = i * (across + 1) + k, next = at + across + 1;
            for (const auto v : {at, at + 1, next, next, at + 1, next + 1})
                mesh.indices.push_back(v);
        }
    mesh.primitives.push_back({.count = static_cast<std::uint32_t>(mesh.indices.size()), .material = 0});
    scene.materials.push_back(rough_material({0.6f, 0.3f, 0.1f}));
    scene.materials[0].double_sided = true;
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    scene.images.push_back({.name = "opaque", .width = 1, .height = 1, .pixels = {0, 0, 0, 255}});
    View view{.width = 128, .height = 128};
    view.camera.pitch = 20.0f;
    const auto opaque = picture(share(scene), view);
    scene.materials[0].extensions.transmission = 1.0f;
    scene.materials[0].extensions.transmission_texture.image = 0;
    const auto textured = picture(share(std::move(scene)), view);
    keep(textured, "opaque_by_texture");
    EXPECT_LT(different_pixels(opaque, textured), 128 * 128 / 50) << "in ring and in shadow";
}

// Without a background, the image is as transparent as the glass.
TEST_F(GpuMaterialExtensions, IsTransparentOnATransparentBackground)
{
    auto view = front_view();
    view.background = glm::vec4(0.0f);
    const auto clear = pixel(picture(share(square(glass_material())), view), 64, 64);
    const auto green = pixel(picture(share(square(glass_material({0.1f, 0.9f, 0.1f}))), view), 64, 64);
    EXPECT_LT(clear.a, 60);
    EXPECT_GT(green.a, clear.a + 60);
    EXPECT_GT(green.g, green.r + 60);
}

} // namespace
} // namespace vitrine::test
