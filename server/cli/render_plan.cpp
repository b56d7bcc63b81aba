#include "server/cli/render_plan.hpp"

#include <fmt/format.h>

#include "loaders/scene/lookup.hpp"
#include "loaders/scene/preview/representative_pose.hpp"
#include "server/cli/scene_file.hpp"
#include "vk_renderer/base/scene_instances.hpp"
#include "vk_renderer/camera/best_view.hpp"

namespace vitrine::cli {
namespace {

using Failure = std::unexpected<std::string>;

// Returns the pose that the arguments select; by default the representative pose, or the static pose when
// renderers are compared.
std::expected<render::ClipTime, std::string>
choose_clip_time(const scene::Scene& scene, const RenderArguments& arguments, render::LightingPreset light)
{
    const auto& pose = arguments.pose;
    const bool has_no_pose_options =
        !pose.clip && !pose.time && !pose.file_time && !pose.frame && pose.animation.empty();
    if (has_no_pose_options && light == render::LightingPreset::studio) {
        const auto representative = scene::find_representative_pose(scene);
        return render::ClipTime{representative.clip, representative.time};
    }
    const auto chosen = choose_pose(scene, pose, other_file_loader(arguments.loading));
    if (!chosen) return Failure(chosen.error());
    return render::ClipTime{chosen->clip, chosen->time, chosen->layers};
}

server::FrameSequencePlan plan_animation(const render::SharedScene& scene, const render::View& view,
                                         const render::ClipTime& motion, std::uint32_t count)
{
    const bool searches = view.camera.automatic && !motion.layers;
    const double time = searches ? scene::find_representative_pose(*scene, motion.clip).time : 0.0;
    return server::plan_clip(scene, view, {motion.clip, time, motion.layers}, count);
}

} // namespace

std::expected<server::FrameSequencePlan, std::string>
plan_frames(const render::SharedScene& scene, const render::View& view, const RenderArguments& arguments)
{
    const auto& joint = view.overlays.joint;
    if (!joint.empty() && !scene::find_joint(*scene, joint))
        return Failure(fmt::format("there is no joint '{}'", joint));
    if (const auto fault = render::find_instances_fault(view, *scene)) return Failure(*fault);
    const auto clip_time = choose_clip_time(*scene, arguments, view.light);
    if (!clip_time) return Failure(clip_time.error());
    if (arguments.turntable > 0) return server::plan_orbit(scene, view, *clip_time, arguments.turntable);
    if (arguments.frames == 0)
        return server::FrameSequencePlan{
            .frame_requests = {{scene, render::with_best_view(*scene, view, *clip_time), *clip_time}}};
    const bool chosen = arguments.pose.clip || clip_time->layers;
    const auto motion =
        chosen ? *clip_time : render::ClipTime{scene::find_representative_motion(*scene).clip};
    if (!motion.is_static() && (!motion.layers || render::duration_of(*scene, motion) > 0.0))
        return plan_animation(scene, view, motion, arguments.frames);
    return Failure(
        "--frames requires an animated clip, and the file has none; use --turntable to rotate the model");
}

} // namespace vitrine::cli
