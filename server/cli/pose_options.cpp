#include "server/cli/pose_options.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <CLI/Option.hpp>
#include <fmt/format.h>

#include "loaders/base/model_formats.hpp"
#include "loaders/scene/humanoid/retarget.hpp"
#include "loaders/scene/layers/frame_range.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/frame_rate.hpp"
#include "loaders/scene/skinning/skinning.hpp"

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
    add_motion_options(app, arguments);
    auto* time = app.add_option("--time", arguments.time,
                                "Seconds from the clip's start; without --clip, of the first clip");
    auto* file_time = app.add_option("--file-time", arguments.file_time, "Seconds on the file's timeline");
    auto* frame = app.add_option("--frame", arguments.frame,
                                 "Frame, from 0, of the clip; without --clip, of the file's timeline");
    frame->check(check_frame);
    time->excludes(file_time)->excludes(frame)->check(check_finite);
    file_time->excludes(frame)->check(check_finite);
    add_word_option(
        app, "--skinning", arguments.skinning, scene::skinning_words,
        "linear, dual_quaternion or blended (by the weights of the file) instead of the file's method");
    app.add_flag("--no-extrapolation", arguments.no_extrapolation,
                 "Clamp curves to their end values outside their keys");
    add_variant_option(app, arguments.variant);
}

void add_motion_options(CLI::App& app, PoseArguments& arguments)
{
    app.add_option("--clip", arguments.clip,
                   "Clip: name, id (c0), index or part of the name; none: the static pose; frames:A-B or "
                   "frames:all: frames of the file (MD2); FILE:NAME: a clip of another file");
    auto& animation = arguments.animation;
    app.add_option(
        "--layer", animation.layers,
        "CLIP[@SECONDS][*WEIGHT][~JOINT][!add[=CLIP[@SECONDS]]]: a clip blended over the pose so far, or its "
        "change from its start or another clip added; may be repeated");
    app.add_option("--turn", animation.turns,
                   "JOINT:x,y,z: degrees about the joint's own axes, after all layers; may be repeated");
    app.add_option("--move", animation.moves, "JOINT:x,y,z: meters; may be repeated");
    app.add_option("--scale", animation.scales, "JOINT:x,y,z: factors; may be repeated");
    app.add_option("--reach", animation.reaches,
                   "JOINT:x,y,z[~x,y,z]: the joint and the two above it reach for a point of the scene, "
                   "bent to the side of a second one; may be repeated");
    app.add_option("--attach", arguments.attachments,
                   "FILE@JOINT[:x,y,z[,rx,ry,rz]]: another model at a joint or tag, at an offset in meters, "
                   "turned by degrees; may be repeated");
    for (const auto* name : {"--layer", "--turn", "--move", "--scale", "--reach", "--attach"})
        app.get_option(name)->allow_extra_args(false);
}

void add_variant_option(CLI::App& app, std::optional<std::string>& variant)
{
    app.add_option("--variant,--skin", variant, "Material variant or skin: name or index");
}

void add_look_options(CLI::App& app, scene::LookTexts& look)
{
    app.add_option("--lod", look.lod, "Level of detail of the file; 0 is the most detailed one");
    app.add_option("--hide", look.hide, "NODE[,NODE...]: nodes, by name or number, left out with all below");
    app.add_option("--only", look.only, "NODE[,NODE...]: everything else is left out");
    app.add_option("--surface", look.surface, "clay: one matt material instead of all")
        ->check(CLI::IsMember({"clay"}));
}

std::expected<std::uint32_t, std::string> select_clip(const scene::Scene& scene, std::string_view text)
{
    if (const auto clip = scene::find_clip(scene, text, scene::ClipLookup::lenient)) return *clip;
    if (text.empty()) return std::unexpected("--clip requires a name, an id, an index or part of a name");
    return std::unexpected(scene::no_clip_message(scene, text));
}

namespace {

using Found = std::expected<scene::FoundClip, std::string>;

// Returns the end of the file's name in "FILE:NAME"; npos if there is no such file.
std::size_t end_of_file_name(std::string_view text)
{
    std::error_code ignored;
    for (auto colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1))
        if (std::filesystem::exists(text.substr(0, colon), ignored)) return colon;
    return std::string_view::npos;
}

Found find_clip_of_file(const scene::Scene& scene, std::string_view text, std::size_t colon,
                        const LoadOtherFile& load_other)
{
    const std::string file(text.substr(0, colon));
    const auto name = text.substr(colon + 1);
    const auto other = load_other(file);
    if (!other) return std::unexpected(other.error());
    if (other->clips.empty()) return std::unexpected(fmt::format("{} has no clips", file));
    const auto clip =
        name.empty() ? std::expected<std::uint32_t, std::string>(0u) : select_clip(*other, name);
    if (!clip) return std::unexpected(fmt::format("{}: {}", file, clip.error()));
    auto bound = scene::fit_clip(scene, *other, *clip);
    if (!bound)
        return std::unexpected(
            fmt::format("the clip '{}' of {} moves no joint whose name or role a joint of this model has",
                        other->clips[*clip].name, file));
    return scene::FoundClip{.bound_clip = std::make_shared<const scene::Clip>(std::move(*bound)),
                            .key = std::string(text)};
}

Found find_any_clip(const scene::Scene& scene, std::string_view text, const LoadOtherFile& load_other)
{
    const auto own = select_clip(scene, text);
    if (own) return scene::FoundClip{.clip = *own};
    if (auto range = scene::find_frame_range(scene, text)) return std::move(*range);
    const auto colon = load_other ? end_of_file_name(text) : std::string_view::npos;
    if (colon == std::string_view::npos) return std::unexpected(own.error());
    return find_clip_of_file(scene, text, colon, load_other);
}

// The base of the layers: --clip, if it is given and not the static pose.
Found find_base(const scene::Scene& scene, const PoseArguments& arguments, const LoadOtherFile& load_other)
{
    if (!arguments.clip) return scene::FoundClip{};
    auto found = find_any_clip(scene, *arguments.clip, load_other);
    if (!found && *arguments.clip == scene::static_pose_word) return scene::FoundClip{};
    return found;
}

std::expected<ChosenPose, std::string> choose_layers(const scene::Scene& scene,
                                                     const PoseArguments& arguments,
                                                     const scene::FoundClip& base,
                                                     const LoadOtherFile& load_other)
{
    const auto layers = scene::make_layers(scene, base, arguments.animation, [&](std::string_view text) {
        return find_any_clip(scene, text, load_other);
    });
    if (!layers)
        return std::unexpected(fmt::format("--{}: {}", layers.error().parameter, layers.error().message));
    ChosenPose chosen{.clip = base.clip, .layers = *layers};
    const bool has_base = base.clip != scene::none || base.bound_clip;
    if (!has_base && (arguments.file_time || arguments.frame))
        return std::unexpected("--file-time and --frame need --clip beside layers and turned joints");
    chosen.time = has_base ? time_in(scene, scene::clip_of(scene, (*layers)->layers.front()), arguments)
                           : std::max(arguments.time.value_or(0.0), 0.0);
    return chosen;
}

} // namespace

std::expected<ChosenPose, std::string> choose_pose(const scene::Scene& scene, const PoseArguments& arguments,
                                                   const LoadOtherFile& load_other)
{
    const auto base = find_base(scene, arguments, load_other);
    if (!base) return std::unexpected(base.error());
    if (base->bound_clip || !arguments.animation.empty())
        return choose_layers(scene, arguments, *base, load_other);
    const bool timed = arguments.time || arguments.file_time || arguments.frame;
    if (!arguments.clip && (!timed || scene.clips.empty())) return ChosenPose{};
    ChosenPose chosen;
    if (arguments.clip) {
        if (base->clip == scene::none) return ChosenPose{};
        chosen.clip = base->clip;
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
    if (chosen.layers) return scene::sample_layers(scene, *chosen.layers, chosen.time, pose);
    scene::sample_curves(scene, chosen.clip, chosen.time, chosen.outside, pose);
}

} // namespace vitrine::cli
