// Material layers on a surface.

#include <algorithm>
#include <cmath>

#include "loaders/scene/material_textures.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

using render::View;

int brightest(const render::Frame& frame)
{
    int most = 0;
    for (std::uint32_t x = 36; x < 92; ++x)
        most = std::max<int>(most, pixel(frame, x, 64).g);
    return most;
}

int darkest(const render::Frame& frame)
{
    int least = 255;
    for (std::uint32_t x = 36; x < 92; ++x)
        least = std::min<int>(least, pixel(frame, x, 64).g);
    return least;
}

TEST_F(GpuMaterialExtensions, ShowsALightReflectionInAClearcoat)
{
    auto material = rough_material(glm::vec3(0.1f));
    const auto bare = picture(share(bent_square(material)), front_view());
    material.extensions.clearcoat = 1.0f;
    const auto coated = picture(share(bent_square(material)), front_view());
    material.extensions.clearcoat_roughness = 1.0f;
    const auto dull = picture(share(bent_square(material)), front_view());
    EXPECT_GT(brightest(coated), brightest(bare) + 25);
    EXPECT_GT(brightest(coated) - darkest(coated), brightest(dull) - darkest(dull) + 15);
}

TEST_F(GpuMaterialExtensions, SpecularWeightAndColorScaleReflections)
{
    auto material = rough_material(glm::vec3(0.02f));
    material.roughness = 0.2f;
    const auto plain = picture(share(bent_square(material)), front_view());
    material.extensions.specular = 0.0f;
    EXPECT_LT(brightest(picture(share(bent_square(material)), front_view())), brightest(plain) - 15);
    material.extensions.specular = 1.0f;
    material.extensions.ior = 2.4f;
    EXPECT_GT(brightest(picture(share(bent_square(material)), front_view())), brightest(plain) + 15);
    material.extensions.specular_color = {1.0f, 0.0f, 0.0f};
    const auto red = picture(share(square(material)), front_view());
    EXPECT_GT(pixel(red, 64, 64).r, pixel(red, 64, 64).g + 15);
    // As for a metal: no light enters the surface.
    auto legacy = rough_material(glm::vec3(1.0f, 1.0f, 1.0f));
    legacy.extensions.ior = 0.0f;
    legacy.extensions.specular_color = {1.0f, 0.7f, 0.2f};
    auto metal = rough_material({1.0f, 0.7f, 0.2f});
    metal.metallic = 1.0f;
    const auto of_legacy = pixel(picture(share(square(legacy)), front_view()), 64, 64);
    const auto of_metal = pixel(picture(share(square(metal)), front_view()), 64, 64);
    EXPECT_NEAR(of_legacy.r, of_metal.r, 6);
    EXPECT_NEAR(of_legacy.b, of_metal.b, 6);
}

// As a loader leaves a map that cannot be decoded.
TEST_F(GpuMaterialExtensions, DrawsMapsWithoutPixelsAsNone)
{
    for (const float transmission : {0.0f, 0.5f}) {
        auto material = rough_material({0.5f, 0.4f, 0.3f});
        material.metallic = 0.25f;
        material.emissive = {0.1f, 0.0f, 0.1f};
        material.extensions.specular = 0.75f;
        material.extensions.clearcoat = 0.5f;
        material.extensions.clearcoat_roughness = 0.25f;
        material.extensions.sheen = {0.0f, 0.5f, 0.0f};
        material.extensions.sheen_roughness = 0.5f;
        material.extensions.transmission = transmission;
        const auto without = picture(share(bent_square(material)), front_view());
        for (std::size_t i = 0; i < scene::textures_of(material).size(); ++i) {
            auto scene = bent_square(material);
            scene::textures_of(scene.materials.at(0))[i]->image =
                static_cast<std::uint32_t>(scene.images.size());
            scene.images.push_back({.name = "gone", .width = 0, .height = 0, .pixels = {}});
            EXPECT_EQ(picture(share(std::move(scene)), front_view()).pixels, without.pixels)
                << "texture " << i << ", transmission " << transmission;
        }
    }
}

// Sheen is brightest at grazing angles.
TEST_F(GpuMaterialExtensions, BrightensSheenAtGrazingAngles)
{
    const auto tilted = [&](float yaw, const scene::Material& material) {
        auto scene = square(material);
        const float a = glm::radians(yaw);
        scene.meshes[0].normals.assign(4, {std::sin(a), 0.0f, std::cos(a)});
        return int{pixel(picture(share(std::move(scene)), front_view()), 64, 64).r};
    };
    auto cloth = rough_material(glm::vec3(0.02f));
    const int head_on = tilted(0.0f, cloth), grazing = tilted(-75.0f, cloth);
    cloth.extensions.sheen = glm::vec3(1.0f);
    cloth.extensions.sheen_roughness = 0.4f;
    EXPECT_GT(tilted(-75.0f, cloth), grazing + 30);
    EXPECT_LT(tilted(0.0f, cloth), head_on + 25);
}

// Extreme layer parameters render like the nearest ordinary ones.
TEST_F(GpuMaterialExtensions, RendersExtremeParameters)
{
    auto plain = glass_material();
    auto wild = plain;
    wild.extensions.attenuation_distance = 1e-40f; // of a thin wall, which absorbs nothing
    wild.extensions.attenuation_color = glm::vec3(0.0f);
    for (const float background : {0.0f, 1.0f}) {
        auto view = front_view();
        view.background = glm::vec4(background);
        const auto expected = picture(share(square(plain)), view);
        EXPECT_EQ(different_pixels(picture(share(square(wild)), view), expected), 0);
        auto scaled = square(wild);
        for (auto& position : scaled.meshes[0].positions)
            position *= 1e-13f;
        scaled.nodes[0].local.scale = glm::vec3(1e13f);
        EXPECT_NEAR(pixel(picture(share(std::move(scaled)), view), 64, 64).g, pixel(expected, 64, 64).g, 2);
    }
    plain.extensions.ior = 1e30f;
    wild = plain;
    wild.extensions.ior = 3e38f;
    wild.extensions.specular_color = glm::vec3(1e6f);
    EXPECT_EQ(different_pixels(picture(share(square(wild)), front_view()),
                               picture(share(square(plain)), front_view())),
              0);
}

scene::Material coated()
{
    auto material = rough_material({0.7f, 0.1f, 0.1f});
    material.extensions.clearcoat = 1.0f;
    return material;
}

// A turntable in one process: push constants of other passes precede the third image.
TEST_F(GpuMaterialExtensions, RendersAllImagesOfABatchAlike)
{
    render::Renderer few(tested({.validation = true, .single_use = true}));
    const std::vector<render::ClipTime> clip_times(7);
    const auto frames = few.render(share(square(coated())), front_view(), clip_times);
    ASSERT_EQ(frames.size(), clip_times.size());
    EXPECT_GT(pixel(frames[0], 64, 64).r, pixel(frames[0], 64, 64).g + 40);
    for (const auto& frame : frames)
        EXPECT_EQ(frame.pixels, frames[0].pixels);
}

TEST_F(GpuMaterialExtensions, ShowsABlendedClearcoatBehindGlass)
{
    auto scene = square(glass_material());
    auto behind = coated();
    behind.alpha_mode = scene::AlphaMode::blend;
    add_quad(scene, -0.5f, 0.5f, glm::vec4(1.0f));
    scene.materials[1] = behind;
    const auto seen = pixel(picture(share(std::move(scene)), front_view()), 64, 64);
    EXPECT_GT(seen.r, seen.g + 40);
}

// Lines have no layers; triangles of the same material drawn after them do.
TEST_F(GpuMaterialExtensions, IsUnaffectedByLinesOfTheMaterial)
{
    for (const auto mode : {scene::AlphaMode::opaque, scene::AlphaMode::blend}) {
        auto material = glass_material({0.2f, 0.9f, 0.2f});
        material.alpha_mode = mode;
        auto scene = square(material);
        const auto alone = picture(share(scene), front_view());
        auto& mesh = scene.meshes[0];
        const auto first = static_cast<std::uint32_t>(mesh.indices.size());
        mesh.indices.insert(mesh.indices.end(), {0, 1});
        mesh.primitives.insert(
            mesh.primitives.begin(),
            {.topology = scene::Topology::lines, .first = first, .count = 2, .material = 0});
        const auto both = picture(share(std::move(scene)), front_view());
        EXPECT_EQ(pixel(both, 64, 64).r, pixel(alone, 64, 64).r);
        EXPECT_EQ(pixel(both, 64, 64).g, pixel(alone, 64, 64).g);
    }
}

TEST_F(GpuMaterialExtensions, AppliesTheirTextures)
{
    const auto with = [&](auto change) {
        auto scene = square(rough_material(glm::vec3(0.1f)));
        scene.meshes[0].uv0 = {{0.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, 0.0f}, {0.0f, 0.0f}};
        scene.images.push_back(
            {.name = "half", .width = 2, .height = 1, .pixels = {0, 0, 0, 0, 255, 255, 255, 255}});
        scene::Texture texture;
        texture.image = 0;
        texture.nearest = true;
        change(scene.materials[0], texture);
        auto view = front_view();
        view.background = glm::vec4(0.0f, 0.0f, 0.0f, 1.0f);
        return picture(share(std::move(scene)), view);
    };
    const auto glassy = with([](scene::Material& material, const scene::Texture& texture) {
        material.base_color = glm::vec4(1.0f);
        material.extensions.transmission = 1.0f;
        material.extensions.transmission_texture = texture;
    });
    EXPECT_GT(std::abs(pixel(glassy, 48, 64).r - pixel(glassy, 80, 64).r), 100);
    const auto coated = with([](scene::Material& material, const scene::Texture& texture) {
        material.extensions.sheen = glm::vec3(1.0f);
        material.extensions.sheen_roughness = 1.0f;
        material.extensions.sheen_texture = texture;
    });
    EXPECT_GT(pixel(coated, 80, 64).r, pixel(coated, 48, 64).r + 10);
    const auto specular = with([](scene::Material& material, const scene::Texture& texture) {
        material.extensions.ior = 0.0f;
        material.extensions.specular_texture = texture;
    });
    EXPECT_GT(pixel(specular, 80, 64).r, pixel(specular, 48, 64).r + 10);
}

// The reference lighting uses only base colors.
TEST_F(GpuMaterialExtensions, AreIgnoredInTheReferenceLighting)
{
    View view = reference_view();
    auto material = rough_material({0.4f, 0.5f, 0.6f});
    const auto plain = picture(share(square(material)), view);
    material.extensions = odd_extensions(scene::none, scene::none);
    auto layered = square(material);
    EXPECT_EQ(different_pixels(plain, picture(share(std::move(layered)), view)), 0);
}

} // namespace
} // namespace vitrine::test
