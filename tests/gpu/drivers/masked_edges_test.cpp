// Masked surfaces with normal maps: texture derivatives at the edges of what is masked.

#include <cmath>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

class GpuMaskedEdges : public Gpu {};

constexpr std::uint32_t texels = 64;

// Waves along both axes.
scene::Image waves()
{
    scene::Image image{.name = "waves", .width = texels, .height = texels, .pixels = {}};
    for (std::uint32_t i = 0; i < texels * texels; ++i) {
        const float x = 0.3f * std::sin(0.4f * static_cast<float>(i % texels));
        const float y = 0.3f * std::cos(0.3f * static_cast<float>(i / texels));
        const glm::vec3 normal = glm::normalize(glm::vec3(x, y, 1.0f));
        for (int channel = 0; channel < 3; ++channel)
            image.pixels.push_back(static_cast<std::uint8_t>(std::lround(127.5f * (normal[channel] + 1.0f))));
        image.pixels.push_back(255);
    }
    return image;
}

// Discs of alpha 255 in alpha 0, or alpha 255 everywhere; one color, so that only normals vary.
scene::Image discs(bool masked)
{
    scene::Image image{.name = "discs", .width = texels, .height = texels, .pixels = {}};
    for (std::uint32_t i = 0; i < texels * texels; ++i) {
        const float x = static_cast<float>(i % texels % 16) - 7.5f,
                    y = static_cast<float>(i / texels % 16) - 7.5f;
        const bool shown = !masked || x * x + y * y < 36.0f;
        for (const int channel : {180, 160, 140, shown ? 255 : 0})
            image.pixels.push_back(static_cast<std::uint8_t>(channel));
    }
    return image;
}

// Without tangents: the shader makes them from derivatives of the position and the UVs.
scene::Scene surface(bool masked)
{
    scene::Material material;
    material.alpha_mode = scene::AlphaMode::mask;
    material.base_color_texture.image = 0;
    material.normal_texture.image = 1;
    auto scene = square(material);
    scene.images = {discs(masked), waves()};
    return scene;
}

// What is left of the surface looks as it does in the uncut one, up to its edges: helper invocations of cut
// fragments still take part in derivatives.
TEST_F(GpuMaskedEdges, AreShadedAsTheUncutSurface)
{
    const auto cut = share(surface(true)), whole = share(surface(false));
    for (const std::uint32_t side : {64u, 150u, 333u})
        for (const auto light : {render::LightingPreset::reference, render::LightingPreset::studio}) {
            render::View view = reference_view(side);
            view.light = light;
            view.background = glm::vec4(0.0f);
            view.camera.yaw = 20.0f;
            const auto edges = picture(cut, view), reference = picture(whole, view);
            keep(edges, "masked_edges_" + std::to_string(side));
            int shown = 0, edge = 0, wrong = 0;
            for (std::uint32_t y = 0; y < side; ++y)
                for (std::uint32_t x = 0; x < side; ++x) {
                    const auto p = pixel(edges, x, y), q = pixel(reference, x, y);
                    if (q.a != 255) continue; // of the square's own outline
                    shown += p.a == 255 ? 1 : 0;
                    edge += p.a > 0 && p.a < 255 ? 1 : 0;
                    // The color of a pixel that is covered in part is that of its covered samples; in the
                    // studio also of the shadow behind it.
                    const bool compared =
                        p.a == 255 || (p.a >= 64 && light != render::LightingPreset::studio);
                    if (compared && !is(p, q.r, q.g, q.b, p.a == 255 ? 6 : 24)) ++wrong;
                }
            EXPECT_GT(shown, 100);
            EXPECT_GT(edge, 30);
            EXPECT_EQ(wrong, 0) << (light == render::LightingPreset::studio ? "studio" : "reference")
                                << " at " << side << " pixels, of " << shown << " whole and " << edge;
        }
}

} // namespace
} // namespace vitrine::test
