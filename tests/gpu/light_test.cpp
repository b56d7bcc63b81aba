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

class GpuLight : public Gpu {};

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

View facing()
{
    View view{.width = 128, .height = 128};
    view.camera.orthographic = true;
    return view;
}

constexpr std::array<std::uint8_t, 8> dark_and_bright{0, 0, 0, 255, 255, 255, 255, 255};

TEST_F(GpuLight, AppliesOcclusionAndEmissiveTextures)
{
    scene::Material material;
    material.base_color = {0.5f, 0.5f, 0.5f, 1.0f};
    auto occluded = square(material);
    occluded.materials[0].occlusion_texture = texture_of(add_image(occluded, dark_and_bright));
    const auto dim = halves(picture(share(std::move(occluded)), facing()));
    EXPECT_LT(dim.left.r, dim.right.r - 25);
    EXPECT_GT(dim.right.r, 120);
    material.emissive = {0.0f, 0.6f, 0.0f};
    auto glowing = square(material);
    glowing.materials[0].emissive_texture = texture_of(add_image(glowing, dark_and_bright));
    const auto glow = halves(picture(share(std::move(glowing)), facing()));
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
    const auto seen = halves(picture(share(std::move(scene)), facing()));
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
    auto scene = square(metal);
    for (std::size_t i = 0; i < 4; ++i) {
        const float yaw = glm::radians(scene.meshes[0].positions[i].x < 0.0f ? -60.0f : 20.0f);
        scene.meshes[0].normals[i] = glm::normalize(glm::vec3(std::sin(yaw), 0.5f, std::cos(yaw)));
    }
    return scene;
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
    const int polished = steepest_change(picture(share(bent_metal(0.0f)), facing()));
    const int satin = steepest_change(picture(share(bent_metal(0.4f)), facing()));
    EXPECT_GT(polished, 18);
    EXPECT_LT(satin, 9);
}

TEST_F(GpuLight, AppliesNormalMaps)
{
    scene::Material material;
    material.base_color = {0.5f, 0.5f, 0.5f, 1.0f};
    auto scene = square(material); // tilted left, toward the key light, and right
    scene.materials[0].normal_texture = texture_of(add_image(scene, {38, 128, 218, 255, 218, 128, 218, 255}));
    const auto seen = halves(picture(share(scene), facing()));
    EXPECT_GT(seen.left.r, seen.right.r + 25);
    // Constant UVs define no tangent: the surface is as flat as without the map.
    for (auto& uv : scene.meshes[0].uv0)
        uv = {0.3f, 0.7f};
    const auto still = picture(share(std::move(scene)), facing());
    const auto flat = picture(share(square(material)), facing());
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
    auto view = facing();
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
    const auto moved = halves(picture(share(scene), facing()));
    EXPECT_GT(moved.left.b, 250);
    EXPECT_GT(moved.right.r, 250);
    scene.meshes[0].colors.assign(4, {0.5f, 1.0f, 0.2158605f, 1.0f});
    const auto tinted = halves(picture(share(std::move(scene)), facing()));
    EXPECT_NEAR(tinted.left.b, 128, 2);
    EXPECT_NEAR(tinted.right.r, 188, 2);
}

TEST_F(GpuLight, KeepsColorsOfUnlitSurfaces)
{
    scene::Material material;
    material.base_color = {0.2158605f, 0.0f, 1.0f, 1.0f};
    material.unlit = true;
    const auto seen = pixel(picture(share(square(material)), facing()), 64, 64);
    EXPECT_NEAR(seen.r, 128, 1);
    EXPECT_EQ(seen.b, 255);
}

TEST_F(GpuLight, ShowsAlphaEqualToTheCutoff)
{
    scene::Material material;
    material.alpha_mode = scene::AlphaMode::mask;
    auto scene = square(material);
    scene.meshes[0].colors = {{1, 1, 1, 0.5f}, {1, 1, 1, 0.5f}, {1, 1, 1, 0.5f}, {1, 1, 1, 0.5f}};
    auto view = facing();
    view.background = glm::vec4(0.0f);
    view.camera.orthographic = false;
    view.camera.yaw = 31.0f;
    const auto frame = picture(share(std::move(scene)), view);
    for (std::uint32_t y = 48; y < 80; ++y)
        for (std::uint32_t x = 48; x < 80; ++x)
            ASSERT_EQ(pixel(frame, x, y).a, 255) << x << ' ' << y;
}

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
    const auto frame = picture(share(std::move(scene)), facing());
    EXPECT_LT(pixel(frame, 64, 63).r, pixel(frame, 64, 40).r - 40);
}

} // namespace
} // namespace vitrine::test
