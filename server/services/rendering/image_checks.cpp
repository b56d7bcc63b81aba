#include "server/services/rendering/image_checks.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/scene/motion/pose.hpp"
#include "server/services/rendering/image_service.hpp"
#include "vk_renderer/base/scene_instances.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::server {

Result<void> check_clip(const scene::Scene& scene, std::uint32_t clip)
{
    if (clip == scene::none || clip < scene.clips.size()) return {};
    return reject_parameter(
        "clip", fmt::format("there is no clip {}; the number of clips is {}", clip, scene.clips.size()));
}

Result<void> check_layers(const scene::Scene& scene, const scene::SharedLayers& layers)
{
    if (!layers || scene::layers_fit(scene, *layers)) return {};
    return reject_parameter("layer", "the clips of the asset have changed");
}

Result<void> check_joints(const scene::Scene& scene, const render::Overlays& overlays)
{
    const auto joint = render::find_unknown_joint(scene, overlays);
    if (joint.empty()) return {};
    return reject_parameter("overlay", fmt::format("there is no joint '{}'", joint));
}

Result<void> check_instances(const scene::Scene& scene, const render::View& view)
{
    const auto fault = render::find_instances_fault(view, scene);
    if (fault) return reject_parameter(view.crowd > 1 ? "crowd" : "ghosts", *fault);
    return {};
}

Result<void> check_drawn(const scene::Scene& scene)
{
    if (scene::draws_anything(scene)) return {};
    return make_error(Errc::unprocessable, "nothing_to_show", "the asset has no visible mesh to draw");
}

Result<void> check_visible(const scene::Scene& scene)
{
    if (!renders_blank(scene)) return {};
    return make_error(Errc::unprocessable, "nothing_to_show", "an image would show nothing of the model");
}

bool renders_blank(const scene::Scene& scene)
{
    return std::ranges::find(scene.warnings, "nothing_to_show", &scene::Warning::code) !=
           scene.warnings.end();
}

} // namespace vitrine::server
