// Effects of lighting and materials on an image.

#include <algorithm>
#include <array>
#include <cmath>

#include "loaders/scene/skinning/skinner.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::test {
namespace {

using render::View;

// Two texels, left and right.
std::uint32_t add_image(scene::Scene& scene, std::array<std::uint8_t, 8> texels)
{
    scene::Image image;
    image.width = 2;
    image.height = 1;
    image.pixels.assign(texels.begin(), texels.end());
    scene.images.push_back(std::move(image));
    return static_cast<std::uint32_t>(scene.images.size() - 1);
}

scene::Texture texture_of(std::uint32_t image)
{
    scene::Texture texture;
    texture.image = image;
    texture.nearest = true;
    return texture;
}

// Colors at the centers of the left and right half of the square in studio lighting.
struct Halves {
    Rgba left, right;
};

Halves halves(const render::Frame& frame)
{
    return {pixel(frame, 48, 64), pixel(frame, 80, 64)};
}

constexpr std::array<std::uint8_t, 8> dark_and_bright{0, 0, 0, 255, 255, 255, 255, 255};

TEST_F(GpuLight, AppliesOcclusionAndEmissiveTextures)
{
    scene::Material material;
    material.base_color = {0.5f, 0.5f, 0.5f, 1.0f};
    auto occluded = square(material);
    occluded.materials[0].occlusion_texture = texture_of(add_image(occluded, dark_and_bright));
    const auto dim = halves(picture(share(std::move(occluded)), front_view()));
    EXPECT_LT(dim.left.r, dim.right.r - 25);
    EXPECT_GT(dim.right.r, 120);
    material.emissive = {0.0f, 0.6f, 0.0f};
    auto glowing = square(material);
    glowing.materials[0].emissive_texture = texture_of(add_image(glowing, dark_and_bright));
    const auto glow = halves(picture(share(std::move(glowing)), front_view()));
    EXPECT_NEAR(glow.left.r, glow.left.g, 3);
    EXPECT_GT(glow.right.g, glow.left.g + 30);
}

TEST_F(GpuLight, HasNoDiffuseLightOnMetal)
{
    scene::Material material;
    material.base_color = {0.9f, 0.1f, 0.1f, 1.0f};
    material.metallic = material.roughness = 1.0f;
    auto scene = square(material); // green channel: roughness, blue: metallic
    scene.materials[0].metallic_roughness_texture =
        texture_of(add_image(scene, {0, 255, 0, 255, 0, 255, 255, 255}));
    const auto seen = halves(picture(share(std::move(scene)), front_view()));
    EXPECT_GT(seen.left.r, seen.right.r + 20) << "dielectric left, metal right";
    EXPECT_GT(seen.left.g, seen.right.g);
}

// Shows the key light at its center.
scene::Scene bent_metal(float roughness)
{
    scene::Material metal;
    metal.metallic = 1.0f;
    metal.roughness = roughness;
    metal.base_color = {0.6f, 0.6f, 0.6f, 1.0f};
    return bent_square(metal);
}

// Largest difference between adjacent pixels in the square's middle row.
int steepest_change(const render::Frame& frame)
{
    int most = 0;
    for (std::uint32_t x = 33; x < 95; ++x)
        most = std::max(most, std::abs(pixel(frame, x, 64).r - pixel(frame, x - 1, 64).r));
    return most;
}

TEST_F(GpuLight, ShowsSoftboxEdgesOnPolishedMetal)
{
    const int polished = steepest_change(picture(share(bent_metal(0.0f)), front_view()));
    const int satin = steepest_change(picture(share(bent_metal(0.4f)), front_view()));
    EXPECT_GT(polished, 18);
    EXPECT_LT(satin, 9);
}

TEST_F(GpuLight, AppliesNormalMaps)
{
    scene::Material material;
    material.base_color = {0.5f, 0.5f, 0.5f, 1.0f};
    auto scene = square(material); // tilted left, toward the key light, and right
    scene.materials[0].normal_texture = texture_of(add_image(scene, {38, 128, 218, 255, 218, 128, 218, 255}));
    const auto seen = halves(picture(share(scene), front_view()));
    EXPECT_GT(seen.left.r, seen.right.r + 25);
    // Constant UVs define no tangent: the surface is as flat as without the map.
    for (auto& uv : scene.meshes[0].uv0)
        uv = {0.3f, 0.7f};
    const auto still = picture(share(std::move(scene)), front_view());
    const auto flat = picture(share(square(material)), front_view());
    for (std::uint32_t y = 40; y < 88; ++y)
        for (std::uint32_t x = 40; x < 88; ++x)
            ASSERT_NEAR(pixel(still, x, y).r, pixel(flat, x, y).r, 2) << x << ' ' << y;
}

// A bending tube, and a static mesh with the same shape as skinned by the reference.
scene::Scene stiffened(const scene::Scene& scene, render::ClipTime clip_time)
{
    scene::Pose pose;
    scene::sample_pose(scene, clip_time.clip, clip_time.time, pose);
    scene::Skinner skinner(scene);
    const auto& skinned = skinner.skin(pose)[0];
    auto stiff = scene;
    stiff.meshes[0].positions = skinned.positions;
    stiff.meshes[0].normals = skinned.normals;
    stiff.meshes[0].tangents = skinned.tangents;
    stiff.meshes[0].influences = {};
    stiff.nodes.assign(1, {});
    stiff.nodes[0].mesh = 0;
    stiff.skins.clear();
    stiff.clips.clear();
    return stiff;
}

TEST_F(GpuLight, DeformsNormalMapsWithTheSurface)
{
    auto scene = tube(24, 16, 4, 4);
    add_normal_map(scene, 16);
    const render::ClipTime bent{0, 1.0};
    View view{.width = 128, .height = 128};
    view.framing = scene::Aabb{{-0.6f, 0.0f, -0.6f}, {0.6f, 1.0f, 0.6f}};
    auto stiff = stiffened(scene, bent);
    const auto frame = picture(share(scene), view, bent);
    keep(frame, "bent_normal_map");
    EXPECT_LE(different_pixels(frame, picture(share(stiff), view)), 16);
    stiff.meshes[0].tangents = scene.meshes[0].tangents;
    EXPECT_GE(different_pixels(frame, picture(share(stiff), view)), 200) << "tangents of the bind pose";
}

// From behind, the relief is seen from its inner side: slopes that rose to the left fall to the right.
TEST_F(GpuLight, NegatesAllAxesOfNormalMapsOnBackFaces)
{
    scene::Material material;
    material.base_color = {0.5f, 0.5f, 0.5f, 1.0f};
    material.double_sided = true;
    auto scene = square(material);
    auto& mesh = scene.meshes[0];
    mesh.tangents.assign(mesh.positions.size(), {1.0f, 0.0f, 0.0f, 1.0f});
    scene.materials[0].normal_texture = texture_of(add_image(scene, {38, 128, 218, 255, 218, 128, 218, 255}));
    auto view = front_view();
    const auto front = halves(picture(share(scene), view));
    view.camera.yaw = 180.0f;
    const auto back = halves(picture(share(std::move(scene)), view));
    // From behind, the left half of the image is the right half of the square, whose normal is (0.7, 0, 0.7)
    // and is negated for the back face, so that it points to the image's right.
    EXPECT_GT(std::abs(front.left.r - front.right.r), 25);
    EXPECT_GT(std::abs(back.left.r - back.right.r), 25);
    EXPECT_EQ(front.left.r > front.right.r, back.left.r < back.right.r);
}

TEST_F(GpuLight, AppliesUvTransformsAndVertexColors)
{
    scene::Material material;
    material.unlit = true;
    auto scene = square(material);
    auto texture = texture_of(add_image(scene, {255, 0, 0, 255, 0, 0, 255, 255}));
    texture.offset.x = 0.5f; // swaps the halves
    scene.materials[0].base_color_texture = texture;
    const auto moved = halves(picture(share(scene), front_view()));
    EXPECT_GT(moved.left.b, 250);
    EXPECT_GT(moved.right.r, 250);
    scene.meshes[0].colors.assign(4, {0.5f, 1.0f, 0.2158605f, 1.0f});
    const auto tinted = halves(picture(share(std::move(scene)), front_view()));
    EXPECT_NEAR(tinted.left.b, 128, 2);
    EXPECT_NEAR(tinted.right.r, 188, 2);
}

TEST_F(GpuLight, KeepsColorsOfUnlitSurfaces)
{
    scene::Material material;
    material.base_color = {0.2158605f, 0.0f, 1.0f, 1.0f};
    material.unlit = true;
    const auto seen = pixel(picture(share(square(material)), front_view()), 64, 64);
    EXPECT_NEAR(seen.r, 128, 1);
    EXPECT_EQ(seen.b, 255);
}

TEST_F(GpuLight, ShowsAlphaEqualToTheCutoff)
{
    scene::Material material;
    material.alpha_mode = scene::AlphaMode::mask;
    auto scene = square(material);
    scene.meshes[0].colors = {{1, 1, 1, 0.5f}, {1, 1, 1, 0.5f}, {1, 1, 1, 0.5f}, {1, 1, 1, 0.5f}};
    auto view = front_view();
    view.background = glm::vec4(0.0f);
    view.camera.orthographic = false;
    view.camera.yaw = 31.0f;
    const auto frame = picture(share(std::move(scene)), view);
    for (std::uint32_t y = 48; y < 80; ++y)
        for (std::uint32_t x = 48; x < 80; ++x)
            ASSERT_EQ(pixel(frame, x, y).a, 255) << x << ' ' << y;
}

TEST_F(GpuLight, KeepsShadingOfWhiteSurfaces)
{
    auto cube = textured_cube();
    cube.materials.clear();
    cube.images.clear();
    for (auto& primitive : cube.meshes[0].primitives)
        primitive.material = scene::none;
    View view{.width = 128, .height = 128};
    view.camera.yaw = 35.0f;
    view.camera.pitch = 30.0f;
    const auto frame = picture(share(std::move(cube)), view);
    keep(frame, "white_cube");
    const int top = pixel(frame, 64, 40).r, left = pixel(frame, 50, 75).r, right = pixel(frame, 82, 75).r;
    EXPECT_GT(top, left + 8);
    EXPECT_GT(left, right + 8);
    EXPECT_LT(top, 252);
}

TEST_F(GpuLight, ShowsWhiteLinesAgainstTheBackdrop)
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, glm::vec4(1.0f));
    scene.meshes[0].indices = {0, 2};
    scene.meshes[0].primitives[0].count = 2;
    scene.meshes[0].primitives[0].topology = scene::Topology::lines;
    const auto frame = picture(share(std::move(scene)), front_view());
    EXPECT_LT(pixel(frame, 64, 63).r, pixel(frame, 64, 40).r - 40);
}

} // namespace
} // namespace vitrine::test
