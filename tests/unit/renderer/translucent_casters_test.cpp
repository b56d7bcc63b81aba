// Which triangles block light, and where.

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "loaders/scene/validation/validate.hpp"
#include "vk_renderer/scene/shadow_casters.hpp"
#include "vk_renderer/textures/opacity_mask.hpp"

namespace vitrine::render {
namespace {

using Coverage = OpacityMask::Coverage;

template <class Alpha>
scene::Image image_of(std::uint32_t width, std::uint32_t height, Alpha alpha)
{
    scene::Image image{.name = "mask", .width = width, .height = height, .pixels = {}};
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            image.pixels.insert(image.pixels.end(), 3, 255);
            image.pixels.push_back(static_cast<std::uint8_t>(alpha(x, y)));
        }
    return image;
}

int left_half(std::uint32_t x, std::uint32_t)
{
    return x < 64 ? 255 : 0;
}

TEST(OpacityMask, AveragesImageTexels)
{
    const auto image = image_of(256, 128, [](std::uint32_t x, std::uint32_t) { return x % 4 * 60; });
    EXPECT_EQ(OpacityMask(image, 0).texels().front(), 90);
    EXPECT_EQ(OpacityMask(image, 120).texels().front(), 128); // two of four are visible
    const OpacityMask small(image_of(2, 1, [](std::uint32_t x, std::uint32_t) { return x == 0 ? 200 : 10; }),
                            0);
    EXPECT_EQ(small.texels()[31], 200);
    EXPECT_EQ(small.texels()[32], 10);
    EXPECT_EQ(small.texels()[std::size_t{63} * 64], 200);
}

TEST(OpacityMask, HandlesEveryWrapMode)
{
    const OpacityMask mask(image_of(128, 128, left_half), 128);
    const auto part = [&](float low, float high, scene::Wrap wrap) {
        scene::Texture texture;
        texture.wrap_s = wrap;
        return mask.coverage_over({low, 0.2f}, {high, 0.4f}, texture);
    };
    using enum scene::Wrap;
    EXPECT_EQ(part(0.1f, 0.4f, repeat), Coverage::all);
    EXPECT_EQ(part(0.6f, 0.9f, repeat), Coverage::none);
    EXPECT_EQ(part(0.4f, 0.6f, repeat), Coverage::some);
    EXPECT_EQ(part(-2.9f, -2.6f, repeat), Coverage::all);
    EXPECT_EQ(part(0.9f, 1.1f, repeat), Coverage::some);
    EXPECT_EQ(part(0.0f, 100.0f, repeat), Coverage::some);
    EXPECT_EQ(part(1.1f, 1.4f, mirror), Coverage::none);
    EXPECT_EQ(part(1.6f, 1.9f, mirror), Coverage::all);
    EXPECT_EQ(part(-0.4f, -0.1f, mirror), Coverage::all);
    EXPECT_EQ(part(2.1f, 2.4f, mirror), Coverage::all);
    EXPECT_EQ(part(1.5f, 7.0f, clamp), Coverage::none);
    EXPECT_EQ(part(-7.0f, 0.1f, clamp), Coverage::all);
    EXPECT_EQ(part(0.0f, NAN, repeat), Coverage::some);
}

TEST(OpacityMask, AveragesRectangles)
{
    std::mt19937 random(7);
    const auto image = image_of(
        64, 64, [&](std::uint32_t x, std::uint32_t y) { return (x / 9 + y / 7) % 3 == 0 ? 0 : 255; });
    const OpacityMask mask(image, 128);
    for (int i = 0; i < 2000; ++i) {
        const std::size_t x = random() % 60, y = random() % 60, w = random() % 4 + 1, h = random() % 4 + 1;
        std::size_t coverage = 0;
        for (auto v = y; v < y + h; ++v)
            for (auto u = x; u < x + w; ++u)
                coverage += mask.texels()[v * 64 + u] > 0 ? 1 : 0;
        const auto corner = [](std::size_t u, std::size_t v, float inwards) {
            return (glm::vec2(u, v) + inwards) / 64.0f;
        };
        EXPECT_EQ(mask.coverage_over(corner(x, y, 0.1f), corner(x + w, y + h, -0.1f), {}),
                  coverage == 0       ? Coverage::none
                  : coverage == w * h ? Coverage::all
                                      : Coverage::some);
    }
}

// A square that shows the whole image.
scene::Scene square(scene::Image image, scene::AlphaMode mode)
{
    scene::Scene scene;
    scene::Mesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
    mesh.normals.assign(4, {0.0f, 1.0f, 0.0f});
    mesh.uv0 = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    mesh.indices = {0, 2, 1, 0, 3, 2};
    mesh.primitives = {{.count = 6, .material = 0}};
    scene::Material material;
    material.alpha_mode = mode;
    material.base_color_texture.image = 0;
    scene.materials.push_back(material);
    scene.images.push_back(std::move(image));
    scene.meshes.push_back(std::move(mesh));
    scene.nodes.resize(1);
    scene.nodes[0].mesh = 0;
    return scene;
}

Casters casters_of(const scene::Scene& scene)
{
    EXPECT_TRUE(scene::validate(scene));
    return find_casters(scene, pack(scene));
}

TEST(TranslucentCasters, BlockTheFractionThatIsNotTransmitted)
{
    auto glass =
        square(image_of(4, 4, [](std::uint32_t, std::uint32_t) { return 0; }), scene::AlphaMode::opaque);
    auto& material = glass.materials[0];
    material.extensions.transmission = 1.0f;
    EXPECT_TRUE(casters_of(glass).translucent.empty())
        << "all light passes, for any alpha of an opaque surface";
    material.base_color = {0.2f, 0.6f, 0.1f, 1.0f};
    const auto green = casters_of(glass).translucent;
    ASSERT_EQ(green.size(), 2u);
    EXPECT_FLOAT_EQ(green[0].opacity, 0.4f);
    glass.images.push_back(image_of(2, 1, [](std::uint32_t, std::uint32_t) { return 255; }));
    glass.images[1].pixels[0] = 51; // red channel: a fifth of the light passes there, all of it elsewhere
    material.extensions.transmission_texture.image = 1;
    EXPECT_FLOAT_EQ(casters_of(glass).translucent.at(0).opacity, 1.0f - 0.6f * 0.6f);
    material.extensions.transmission_texture.image = scene::none;
    material.metallic = 1.0f;
    EXPECT_EQ(casters_of(glass).runs.size(), 1u) << "no light goes through metal";
}

TEST(TranslucentCasters, ApplyTheAlphaOfTheNode)
{
    auto scene =
        square(image_of(4, 4, [](std::uint32_t, std::uint32_t) { return 255; }), scene::AlphaMode::blend);
    EXPECT_TRUE(casters_of(scene).translucent.empty());
    scene.nodes[0].color.w = 0.5f;
    const auto translucent = casters_of(scene).translucent;
    ASSERT_EQ(translucent.size(), 2u);
    EXPECT_FLOAT_EQ(translucent[0].opacity, 0.5f);
}

TEST(TranslucentCasters, ExcludeOpaqueAndInvisibleTriangles)
{
    const auto gray = [](int alpha) {
        return image_of(4, 4, [=](std::uint32_t, std::uint32_t) { return alpha; });
    };
    const auto expect = [](const scene::Scene& scene, std::size_t runs, std::size_t translucent) {
        const auto casters = casters_of(scene);
        EXPECT_EQ(casters.runs.size(), runs);
        EXPECT_EQ(casters.translucent.size(), translucent);
        EXPECT_EQ(casters.translucent_runs.size(), translucent == 0 ? 0u : 1u);
        EXPECT_EQ(casters.opacity_masks.size(), translucent == 0 ? 0u : 64u * 64u);
    };
    const auto half = image_of(128, 128, left_half);
    expect(square(half, scene::AlphaMode::opaque), 1, 0);
    expect(square(half, scene::AlphaMode::mask), 0, 2);
    expect(square(half, scene::AlphaMode::blend), 0, 2);
    expect(square(gray(200), scene::AlphaMode::mask), 1, 0);
    expect(square(gray(100), scene::AlphaMode::mask), 0, 0);
    expect(square(gray(255), scene::AlphaMode::blend), 1, 0);
    expect(square(gray(100), scene::AlphaMode::blend), 0, 2);
    expect(square(gray(0), scene::AlphaMode::blend), 0, 0);
    auto glass = square(gray(255), scene::AlphaMode::blend);
    glass.materials[0].base_color_texture.image = scene::none;
    glass.materials[0].base_color.w = 0.3f;
    expect(glass, 0, 2);
    EXPECT_FLOAT_EQ(casters_of(glass).translucent[0].opacity, 0.3f);
    glass.meshes[0].colors.assign(4, {1.0f, 1.0f, 1.0f, 0.5f});
    EXPECT_FLOAT_EQ(casters_of(glass).translucent[0].opacity, 0.15f);
    glass.materials[0].alpha_mode = scene::AlphaMode::mask;
    expect(glass, 0, 0);
    glass.materials[0].base_color.w = 1.0f;
    expect(glass, 1, 0);
}

TEST(TranslucentCasters, ShareTheMaskOfAnImage)
{
    auto scene = square(image_of(128, 128, left_half), scene::AlphaMode::mask);
    scene.materials.push_back(scene.materials[0]);
    scene.meshes[0].primitives = {{.count = 3, .material = 0}, {.first = 3, .count = 3, .material = 1}};
    EXPECT_EQ(casters_of(scene).opacity_masks.size(), 64u * 64u);
    scene.materials[1].alpha_mode = scene::AlphaMode::blend;
    const auto casters = casters_of(scene);
    ASSERT_EQ(casters.translucent.size(), 2u);
    EXPECT_EQ(casters.opacity_masks.size(), 2 * 64u * 64u);
    EXPECT_NE(casters.translucent[0].corners.w, casters.translucent[1].corners.w);
}

TEST(TranslucentCasters, UseTheUvSetOfTheMaterial)
{
    auto scene = square(image_of(128, 128, left_half), scene::AlphaMode::mask);
    auto& mesh = scene.meshes[0];
    mesh.uv1 = mesh.uv0;
    mesh.uv0.clear();
    auto& texture = scene.materials[0].base_color_texture;
    texture.uv_set = 1;
    texture.scale = {3.0f, 0.5f};
    texture.offset = {0.25f, 0.0f};
    texture.wrap_s = scene::Wrap::mirror;
    texture.wrap_t = scene::Wrap::clamp;
    const auto translucent = casters_of(scene).translucent;
    ASSERT_EQ(translucent.size(), 2u);
    EXPECT_EQ(translucent[0].corners, glm::uvec4(0, 2, 1, 0));
    EXPECT_EQ(translucent[0].uv01, glm::vec4(0.25f, 0.0f, 3.25f, 0.5f));
    EXPECT_EQ(translucent[0].uv2, glm::vec2(3.25f, 0.0f));
    EXPECT_EQ(translucent[0].wraps, 2u | 1u << 2);
    mesh.more_uvs = {mesh.uv1};
    mesh.uv1.assign(4, glm::vec2(0.0f));
    texture.uv_set = 2;
    EXPECT_EQ(casters_of(scene).translucent.at(0).uv01, translucent[0].uv01);
    texture.scale = {0.2f, 1.0f};
    texture.offset = {0.1f, 0.0f};
    EXPECT_TRUE(casters_of(scene).translucent.empty()); // all UVs are in the left half
    EXPECT_EQ(casters_of(scene).runs.size(), 1u);
}

// Columns of fine quads, every other one visible: no vertex between two visible ones may cast.
TEST(Casters, IncludeOnlyVisiblePartsOfFineMaskedMeshes)
{
    constexpr std::uint32_t cells = 128;
    auto scene =
        square(image_of(cells, 1, [](std::uint32_t x, std::uint32_t) { return x % 16 < 8 ? 255 : 0; }),
               scene::AlphaMode::mask);
    auto& mesh = scene.meshes[0];
    mesh = {};
    for (std::uint32_t z = 0; z <= cells; ++z)
        for (std::uint32_t x = 0; x <= cells; ++x) {
            const auto at = glm::vec2(x, z) / float(cells);
            mesh.positions.emplace_back(at.x, 0.0f, at.y);
            mesh.normals.emplace_back(0.0f, 1.0f, 0.0f);
            mesh.uv0.push_back(at);
            const auto a = z * (cells + 1) + x;
            if (x < cells && z < cells) mesh.indices.insert(mesh.indices.end(), {a, a + cells + 1, a + 1});
        }
    mesh.primitives = {{.count = static_cast<std::uint32_t>(mesh.indices.size()), .material = 0}};
    const auto casters = casters_of(scene);
    ASSERT_EQ(casters.runs.size(), 1u);
    EXPECT_EQ(casters.runs[0].corners, 1u);
    EXPECT_EQ(casters.runs[0].count, casters.indices.size());
    for (const auto vertex : casters.indices)
        EXPECT_LE(vertex % (cells + 1) % 16, 8u);
    for (const auto& translucent : casters.translucent)
        EXPECT_EQ(translucent.corners.x, translucent.corners.z); // points
}

TEST(Casters, IncludeLinesThatBlockHalfOfTheLight)
{
    auto scene = square(image_of(4, 4, left_half), scene::AlphaMode::blend);
    scene.meshes[0].primitives[0].topology = scene::Topology::lines;
    scene.materials[0].base_color.w = 0.4f;
    EXPECT_TRUE(casters_of(scene).runs.empty());
    scene.materials[0].base_color.w = 0.5f;
    EXPECT_EQ(casters_of(scene).runs.size(), 1u);
}

TEST(Casters, ExcludeFineDegenerateTriangles)
{
    auto scene = square(image_of(4, 4, left_half), scene::AlphaMode::opaque);
    auto& mesh = scene.meshes[0];
    mesh.positions.insert(mesh.positions.end(),
                          {{0.5f, 1.0f, 0.5f}, {0.501f, 1.0f, 0.5f}, {0.502f, 1.0f, 0.5f}});
    mesh.normals.resize(7, {0.0f, 1.0f, 0.0f});
    mesh.uv0.resize(7);
    mesh.indices.insert(mesh.indices.end(), {4, 5, 6});
    mesh.primitives[0].count = 9;
    EXPECT_EQ(casters_of(scene).runs.size(), 1u);
    mesh.positions[5].z += 0.001f;
    EXPECT_EQ(casters_of(scene).runs.size(), 2u); // three separate vertices
}

} // namespace
} // namespace vitrine::render
