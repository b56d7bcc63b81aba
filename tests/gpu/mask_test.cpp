// Masked surfaces seen from a distance, and the shadows of translucent surfaces.

#include <cmath>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

using render::View;

class GpuMasks : public Gpu {};

template <class Alpha>
std::uint32_t add_image(scene::Scene& scene, std::uint32_t edge, Alpha alpha)
{
    scene::Image image{.name = "mask", .width = edge, .height = edge, .pixels = {}};
    for (std::uint32_t y = 0; y < edge; ++y)
        for (std::uint32_t x = 0; x < edge; ++x)
            for (const int channel : {40, 140, 40, static_cast<int>(alpha(x, y))})
                image.pixels.push_back(static_cast<std::uint8_t>(channel));
    scene.images.push_back(std::move(image));
    return static_cast<std::uint32_t>(scene.images.size() - 1);
}

// Adds a square of side 1 in the plane z that repeats the image `times` times along each side.
void add_square(scene::Scene& scene, float z, std::uint32_t image, float times,
                scene::AlphaMode mode = scene::AlphaMode::mask)
{
    add_quad(scene, z, 1.0f, glm::vec4(1.0f), mode);
    scene.materials.back().base_color_texture.image = image;
    scene.meshes.back().uv0 = {{0.0f, times}, {times, times}, {times, 0.0f}, {0.0f, 0.0f}};
}

View from_the_front(std::uint32_t edge)
{
    View view{.width = edge, .height = edge};
    view.camera.orthographic = true;
    view.light = render::LightingPreset::reference;
    view.background = glm::vec4(0.0f);
    return view;
}

// Fraction of a rectangle of the image that is covered.
double covered(const render::Frame& frame, std::uint32_t left, std::uint32_t top, std::uint32_t right,
               std::uint32_t bottom)
{
    double sum = 0.0;
    for (auto y = top; y < bottom; ++y)
        for (auto x = left; x < right; ++x)
            sum += pixel(frame, x, y).a / 255.0;
    return sum / ((right - left) * (bottom - top));
}

double covered_middle(const render::Frame& frame)
{
    const auto low = frame.width * 3 / 8, high = frame.width * 5 / 8;
    return covered(frame, low, low, high, high);
}

TEST_F(GpuMasks, KeepsCoverageOfAQuarterAtADistance)
{
    for (const float times : {1.0f, 3.0f, 12.0f}) {
        scene::Scene scene;
        const auto stripes =
            add_image(scene, 256, [](std::uint32_t x, std::uint32_t) { return x % 8 < 2 ? 255 : 0; });
        add_square(scene, 0.0f, stripes, times);
        const auto shared = share(std::move(scene));
        for (const std::uint32_t edge : {64u, 128u, 512u}) {
            const auto frame = picture(shared, from_the_front(edge));
            keep(frame, "mask_" + std::to_string(static_cast<int>(times)) + "_" + std::to_string(edge));
            EXPECT_NEAR(covered_middle(frame), 0.25, 0.07) << times << " times on " << edge << " pixels";
        }
    }
}

// One image used by a material that shows three quarters of it, one that shows a quarter, and a blended one.
TEST_F(GpuMasks, SharesAnImageBetweenDifferentCutoffs)
{
    scene::Scene scene;
    const auto steps =
        add_image(scene, 256, [](std::uint32_t x, std::uint32_t y) { return (x % 2 + y % 2 * 2) * 64 + 32; });
    for (const float x : {-1.0f, 0.0f, 1.0f}) {
        add_square(scene, 0.0f, steps, 4.0f, x > 0.5f ? scene::AlphaMode::blend : scene::AlphaMode::mask);
        scene.nodes.back().local.translation = {x * 1.5f, 0.0f, 0.0f};
        scene.materials.back().alpha_cutoff = x < 0.0f ? 0.25f : 0.75f;
    }
    const auto frame = picture(share(std::move(scene)), from_the_front(128));
    keep(frame, "mask_cutoffs");
    // The bounding sphere of 4 x 1 with a margin of 5 %: 1 is 30 pixels.
    EXPECT_NEAR(covered(frame, 12, 56, 28, 72), 0.75, 0.07);
    EXPECT_NEAR(covered(frame, 56, 56, 72, 72), 0.25, 0.07);
    EXPECT_NEAR(covered(frame, 100, 56, 116, 72), 0.5, 0.02);
}

// A horizontal square of side 1 at height 0.6.
scene::Scene slab(scene::AlphaMode mode, float alpha)
{
    scene::Scene scene;
    add_quad(scene, 0.0f, 1.0f, {1.0f, 1.0f, 1.0f, alpha}, mode);
    auto& mesh = scene.meshes[0];
    mesh.positions = {{-0.5f, 0.6f, 0.5f}, {0.5f, 0.6f, 0.5f}, {0.5f, 0.6f, -0.5f}, {-0.5f, 0.6f, -0.5f}};
    mesh.normals.assign(4, {0.0f, 1.0f, 0.0f});
    mesh.uv0 = {{0.0f, 1.0f}, {1.0f, 1.0f}, {1.0f, 0.0f}, {0.0f, 0.0f}};
    return scene;
}

// Difference in darkness of the two images around a pixel.
double darkness(const render::Frame& with, const render::Frame& without, std::uint32_t x, std::uint32_t y)
{
    double sum = 0.0;
    for (auto v = y - 2; v <= y + 2; ++v)
        for (auto u = x - 2; u <= x + 2; ++u)
            sum += pixel(without, u, v).g - pixel(with, u, v).g;
    return sum / 25.0;
}

// The key light is at the left front: the shadow extends to the right and up, with its upper right corner far
// from the slab.
TEST_F(GpuMasks, CastsTheShadowOfARoundMask)
{
    auto round = slab(scene::AlphaMode::mask, 1.0f);
    round.materials[0].base_color_texture.image = add_image(round, 64, [](std::uint32_t x, std::uint32_t y) {
        return std::hypot(x - 31.5, y - 31.5) < 32.0 ? 255 : 0;
    });
    const auto shared = share(std::move(round));
    const auto bare = picture(share(slab(scene::AlphaMode::blend, 0.05f)), from_above());
    const auto opaque = picture(share(slab(scene::AlphaMode::mask, 1.0f)), from_above());
    const auto masked = picture(shared, from_above());
    keep(opaque, "shadow_of_a_square");
    keep(masked, "shadow_of_a_disc");
    const auto corner = darkness(opaque, bare, 94, 33);
    const auto edge = darkness(opaque, bare, 92, 50);
    EXPECT_GT(corner, 8.0);
    EXPECT_LT(darkness(masked, bare, 94, 33), 0.45 * corner);
    EXPECT_GT(darkness(masked, bare, 92, 50), 0.7 * edge);
    EXPECT_EQ(picture(shared, from_above()).pixels, masked.pixels);
}

TEST_F(GpuMasks, CastsAPartialShadowOfGlass)
{
    const auto bare = picture(share(slab(scene::AlphaMode::blend, 0.05f)), from_above());
    const auto opaque_darkness =
        darkness(picture(share(slab(scene::AlphaMode::blend, 1.0f)), from_above()), bare, 95, 37);
    ASSERT_GT(opaque_darkness, 20.0);
    for (const float alpha : {0.25f, 0.5f, 0.75f}) {
        const auto glass = picture(share(slab(scene::AlphaMode::blend, alpha)), from_above());
        keep(glass, "shadow_of_glass_" + std::to_string(alpha));
        EXPECT_NEAR(darkness(glass, bare, 95, 37) / opaque_darkness, alpha, 0.12) << alpha;
    }
}

TEST_F(GpuMasks, CastsNoShadowOfDegenerateTriangles)
{
    const auto plain = slab(scene::AlphaMode::opaque, 1.0f);
    auto scene = plain;
    auto& mesh = scene.meshes[0];
    mesh.positions.insert(mesh.positions.end(),
                          {{-0.9f, 0.1f, 0.8f}, {0.0f, 0.1f, 0.8f}, {0.9f, 0.1f, 0.8f}});
    mesh.normals.resize(7, {0.0f, 1.0f, 0.0f});
    mesh.uv0.resize(7);
    mesh.indices.insert(mesh.indices.end(), {4, 5, 6, 4, 6, 6});
    mesh.primitives[0].count = 12;
    const auto drawn = picture(share(scene), from_above());
    EXPECT_EQ(drawn.pixels, picture(share(plain), from_above()).pixels);
    mesh.positions[5].z = 0.7f;
    EXPECT_GT(darkness(picture(share(scene), from_above()), drawn, 64, 64 + 29), 2.0);
}

} // namespace
} // namespace vitrine::test
