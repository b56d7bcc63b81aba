// The rectangles into which the resolve pass divides an image meet at every size.

#include <algorithm>
#include <string>

#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

constexpr std::uint32_t max_side = 1100;

class GpuSeams : public Gpu {
protected:
    // Fills the image's memory with a color that the compared images do not have: a pixel in no rectangle
    // keeps it.
    static void leave_traces(const render::SharedScene& scene, std::uint32_t width, std::uint32_t height)
    {
        picture(scene, {.width = width,
                        .height = height,
                        .light = render::LightingPreset::reference,
                        .background = glm::vec4(1.0f, 0.0f, 1.0f, 1.0f)});
    }
};

render::View view_at(std::uint32_t width, std::uint32_t height)
{
    render::View view{.width = width, .height = height};
    view.camera.yaw = 7.0f * static_cast<float>(width % 51); // another rectangle in each image
    view.camera.pitch = static_cast<float>(height % 30);
    view.camera.orthographic = width % 4 == 3;
    return view;
}

// Renderers for one image resolve it in one rectangle of fragments. Widths and heights from 1 to 1,100: the
// height is another permutation of these numbers (487 has no common factor with 1,100). Not heavy: a step
// of 91.
TEST_F(GpuSeams, AreNotSeenAtAnySize)
{
    render::Renderer one_piece(
        tested({.validation = true, .single_use = true, .resolve_path = render::ResolvePath::fragment}));
    const auto scene = share(tube(24, 16, 4, 4));
    const std::uint32_t step = runs_heavy_tests() ? 1 : 91;
    int failures = 0;
    for (std::uint32_t width = 1; width <= max_side && failures < 5; width += step) {
        const auto height = width * 487 % max_side + 1;
        const render::ClipTime clip_time{0, 0.3};
        const auto view = view_at(width, height);
        const auto reference = one_piece.render(scene, view, {&clip_time, 1}).at(0);
        leave_traces(scene, width, height);
        const auto frame = picture(scene, view, clip_time);
        const int different = different_pixels(frame, reference);
        failures += different > 0 ? 1 : 0;
        EXPECT_EQ(different, 0) << width << " x " << height;
        if (different > 0) keep(frame, "seams-" + std::to_string(width) + "x" + std::to_string(height));
    }
}

} // namespace
} // namespace vitrine::test
