#include "server/cli/pose_options.hpp"

#include <algorithm>
#include <cmath>

#include <CLI/Option.hpp>
#include <fmt/format.h>

#include "loaders/base/model_formats.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/frame_rate.hpp"

namespace vitrine::cli {
namespace {

double clamp_to_clip(const scene::Clip& clip, double time)
{
    return std::clamp(time, 0.0, clip.duration);
}

double time_in(const scene::Scene& scene, const scene::Clip& clip, const PoseArguments& arguments)
{
    if (arguments.time) return clamp_to_clip(clip, *arguments.time);
    if (arguments.file_time) return *arguments.file_time - clip.start_time;
    if (!arguments.frame) return 0.0;
    const double at = *arguments.frame / scene::frame_rate_or_default(clip);
    return scene::snap_to_key(scene, clip, arguments.clip ? clamp_to_clip(clip, at) : at - clip.start_time);
}

// Returns the clip that contains the time, where the clips are sections of one timeline: COLLADA documents
// and whole-mesh frames (MD2) have one. A closed loop ends before the next section begins.
std::uint32_t clip_on_time_line(const scene::Scene& scene, const PoseArguments& arguments)
{
    constexpr double time_tolerance = 1e-6; // seconds
    const bool framed =
        std::ranges::any_of(scene.meshes, [](const auto& mesh) { return mesh.frames.count > 0; });
    const bool one_line = framed || scene_traits(scene.format).one_timeline;
    for (std::uint32_t i = 0; i < scene.clips.size() && one_line && !arguments.time; ++i) {
        const double time = time_in(scene, scene.clips[i], arguments);
        const double end = scene.clips[i].duration +
                           (scene::is_closed_loop(scene.clips[i]) ? -time_tolerance : time_tolerance);
        if (time >= -time_tolerance && time <= end) return i;
    }
    return 0;
}

std::string check_frame(const std::string& text)
{
    std::uint32_t value = 0;
    if (CLI::detail::lexical_cast(text, value)) return {};
    return fmt::format("{} is not a frame: frames are whole numbers from 0", text);
}

std::string check_finite(const std::string& text)
{
    double value = 0.0;
    if (CLI::detail::lexical_cast(text, value) && std::isfinite(value)) return {};
    return "not a finite number: " + text;
}

} // namespace

void add_pose_options(CLI::App& app, PoseArguments& arguments)
{
    app.add_option("--clip", arguments.clip,
                   "Clip: name, id (c0), index or part of the name; none: the static pose");
    auto* time = app.add_option("--time", arguments.time,
                                "Seconds from the clip's start; without --clip, of the first clip");
    auto* file_time = app.add_option("--file-time", arguments.file_time, "Seconds on the file's timeline");
    auto* frame = app.add_option("--frame", arguments.frame,
                                 "Frame, from 0, of the clip; without --clip, of the file's timeline");
    frame->check(check_frame);
    time->excludes(file_time)->excludes(frame)->check(check_finite);
    file_time->excludes(frame)->check(check_finite);
    app.add_flag("--no-extrapolation", arguments.no_extrapolation,
                 "Clamp curves to their end values outside their keys");
    add_variant_option(app, arguments.variant);
}

void add_variant_option(CLI::App& app, std::optional<std::string>& variant)
{
    app.add_option("--variant", variant, "Material variant: name or index");
}

std::expected<std::uint32_t, std::string> select_clip(const scene::Scene& scene, std::string_view text)
{
    if (const auto clip = scene::find_clip(scene, text, scene::ClipLookup::lenient)) return *clip;
    if (text.empty()) return std::unexpected("--clip requires a name, an id, an index or part of a name");
    return std::unexpected(scene::no_clip_message(scene, text));
}

std::expected<ChosenPose, std::string> choose_pose(const scene::Scene& scene, const PoseArguments& arguments)
{
    const bool timed = arguments.time || arguments.file_time || arguments.frame;
    if (!arguments.clip && (!timed || scene.clips.empty())) return ChosenPose{};
    ChosenPose chosen;
    if (arguments.clip) {
        const auto clip = select_clip(scene, *arguments.clip);
        if (!clip && *arguments.clip == scene::static_pose_word) return ChosenPose{};
        if (!clip) return std::unexpected(clip.error());
        chosen.clip = *clip;
    } else {
        chosen.clip = clip_on_time_line(scene, arguments);
    }
    const auto& clip = scene.clips[chosen.clip];
    chosen.time = time_in(scene, clip, arguments);
    if (arguments.no_extrapolation) chosen.outside = ExtrapolationPolicy::clamped;
    return chosen;
}

void evaluate(const scene::Scene& scene, const ChosenPose& chosen, scene::Pose& pose)
{
    scene::sample_curves(scene, chosen.clip, chosen.time, chosen.outside, pose);
}

} // namespace vitrine::cli
