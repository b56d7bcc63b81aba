// Repeating textures at grazing angles.

#include <algorithm>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

class GpuTextureTiling : public Gpu {};

// A floor of 8 x 8 m with an image of black and white stripes that lead away from the viewer, 32 per image.
scene::Scene floor_of_stripes(float times)
{
    scene::Image image{.name = "stripes", .width = 256, .height = 256, .pixels = {}};
    for (std::uint32_t i = 0; i < 256 * 256; ++i)
        for (const int channel : {0, 1, 2, 3})
            image.pixels.push_back(i / 4 % 2 == 0 || channel == 3 ? 255 : 0);
    scene::Material material;
    material.base_color_texture.image = 0;
    auto scene = square(material);
    scene.images.push_back(std::move(image));
    auto& mesh = scene.meshes[0];
    mesh.positions = {{-4, 0, 4}, {4, 0, 4}, {4, 0, -4}, {-4, 0, -4}};
    mesh.normals.assign(4, {0.0f, 1.0f, 0.0f});
    mesh.uv0 = {{0.0f, times}, {times, times}, {times, 0.0f}, {0.0f, 0.0f}};
    return scene;
}

// Contrast of white and black in the middle row of the image.
int contrast(const render::Frame& frame)
{
    int least = 255, most = 0;
    for (auto x = frame.width / 2 - 40; x < frame.width / 2 + 40; ++x) {
        const int seen = pixel(frame, x, frame.height / 2).g;
        least = std::min(least, seen);
        most = std::max(most, seen);
    }
    return most - least;
}

// Half a meter of stripes is 12 pixels wide and one high: isotropic filtering would turn it gray.
TEST_F(GpuTextureTiling, KeepsStripesSharpAtGrazingAngles)
{
    render::View view = reference_view(512);
    view.camera.pitch = 6.0f;
    const auto frame = picture(share(floor_of_stripes(2.0f)), view);
    keep(frame, "tiled_floor");
    EXPECT_GT(contrast(frame), 60);
}

// A disc seen from its edge, whose image repeats thousands of times: a pixel's footprint contains the image
// as often. Without a limit of the footprint the software driver takes minutes, and the device counts as
// lost.
TEST_F(GpuTextureTiling, BoundsTheWorkOfASurfaceSeenFromItsEdge)
{
    auto scene = floor_of_stripes(2000.0f);
    auto& mesh = scene.meshes[0];
    mesh.positions = {{-4, 0, 4}, {4, 0, 4}, {4, 0.01f, -4}, {-4, 0.01f, -4}};
    for (const float pitch : {0.0f, 0.03f, 0.1f, 1.0f}) {
        render::View view = reference_view(1024);
        view.camera.pitch = pitch;
        const auto frame = picture(share(scene), view);
        // Stripes average to 0.5; the reference light adds the factor 0.3 + 0.7 sin(1 degree).
        const int gray = pixel(frame, 512, 512).g;
        if (pixel(frame, 512, 512).a == 255 && pitch == 1.0f) EXPECT_NEAR(gray, 110, 8);
    }
}

} // namespace
} // namespace vitrine::test
