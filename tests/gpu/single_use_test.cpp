// Options::single_use does not change the images.
#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"

namespace vitrine::test {
namespace {

using render::LightingPreset;
using render::View;
using GpuSingleUse = Gpu;

std::vector<View> views()
{
    View studio{.width = 160, .height = 120};
    View transparent = studio;
    transparent.background = glm::vec4(0.0f);
    View colored = studio;
    colored.background = glm::vec4(0.2f, 0.4f, 0.1f, 1.0f);
    View reference = studio;
    reference.light = LightingPreset::reference;
    View lines = studio; // they extend beyond the model's box
    lines.overlays.normals = true;
    lines.overlays.bounds = true;
    View orthographic = studio;
    orthographic.camera = {.yaw = -60.0f, .pitch = 5.0f};
    orthographic.camera.orthographic = true;
    return {studio, transparent, colored, reference, lines, orthographic};
}

TEST_F(GpuSingleUse, EqualsOrdinaryRenderers)
{
    render::Renderer few(tested({.validation = true, .single_use = true}));
    const auto scene = share(tube(24, 16, 4, 4));
    for (const auto& view : views()) {
        const render::ClipTime clip_time{0, 0.3};
        const auto frame = few.render(scene, view, {&clip_time, 1}).at(0);
        EXPECT_EQ(frame.pixels, picture(scene, view, clip_time).pixels);
        EXPECT_EQ(frame.bounds.empty(), !view.overlays.bounds) << "computed only where they are drawn";
    }
}

TEST_F(GpuSingleUse, DrawsAPreparedSceneAsAnyOther)
{
    render::Renderer few(tested({.validation = true, .single_use = true}));
    const auto scene = share(tube(24, 16, 4, 4));
    for (int i = 0; i < 2; ++i) // the second time it is on the device already
        few.upload(scene, render::prepare(*scene));
    const auto view = views().front();
    const render::ClipTime clip_time{0, 0.3};
    EXPECT_EQ(few.render(scene, view, {&clip_time, 1}).at(0).pixels, picture(scene, view, clip_time).pixels);
    const auto empty = share(scene::Scene{});
    EXPECT_THROW(render::prepare(*empty), render::RenderError);
}

} // namespace
} // namespace vitrine::test
