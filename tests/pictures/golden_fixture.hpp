#pragma once
// Pictures of a scene that are compared with golden images.

#include "tests/gpu/device.hpp"
#include "tests/pictures/golden.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::test {

inline constexpr std::uint32_t edge = 192;

inline render::View view_of(const char* name, render::LightingPreset light)
{
    return {.width = edge,
            .height = edge,
            .camera = render::find_named_view(name).value(),
            .light = light,
            .overlays = {}};
}

class GpuGoldens : public Gpu {
protected:
    // Coverage by the model alone in the same view, without ground and overlays.
    static Coverage model_in(const render::Frame& frame, const render::SharedScene& scene, render::View view,
                             render::ClipTime clip_time = {})
    {
        view.light = render::LightingPreset::reference;
        view.background = glm::vec4(0.0f);
        view.overlays = {};
        view.framing = frame.framing.framed;
        return coverage_of(picture(scene, view, clip_time));
    }

    static void expect_picture(const std::string& name, const render::SharedScene& scene,
                               const render::View& view, render::ClipTime clip_time = {})
    {
        const auto frame = picture(scene, view, clip_time);
        expect_golden(frame, model_in(frame, scene, view, clip_time), name, renderer().info().driver);
    }
};

} // namespace vitrine::test
