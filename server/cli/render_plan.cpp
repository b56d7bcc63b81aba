#include "server/cli/render_plan.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include <CLI/Error.hpp>
#include <fmt/format.h>

#include "loaders/base/parse_whole.hpp"
#include "loaders/scene/layers/bake_motion.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/preview/representative_pose.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "server/cli/scene_file.hpp"
#include "vk_renderer/base/scene_instances.hpp"
#include "vk_renderer/camera/best_view.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::cli {
namespace {

using Failure = std::unexpected<std::string>;

// Returns the pose that the arguments select; by default the representative pose, or the static pose when
// renderers are compared.
std::expected<render::ClipTime, std::string> choose_clip_time(const scene::Scene& scene,
                                                              const PoseArguments& pose,
                                                              const worker::ClientOptions& loading,
                                                              render::LightingPreset light)
{
    const bool has_no_pose_options =
        !pose.clip && !pose.time && !pose.file_time && !pose.frame && pose.animation.empty();
    if (has_no_pose_options && light == render::LightingPreset::studio) {
        const auto representative = scene::select_representative_pose(scene);
        return render::ClipTime{representative.clip, representative.time};
    }
    const auto chosen = choose_pose(scene, pose, other_file_loader(loading));
    if (!chosen) return Failure(chosen.error());
    return render::ClipTime{chosen->clip, chosen->time, chosen->layers};
}

server::FrameSequencePlan plan_animation(const render::SharedScene& scene, const render::View& view,
                                         const render::ClipTime& motion, std::uint32_t count)
{
    const bool searches = view.camera.automatic && !motion.layers;
    const double time = searches ? scene::select_representative_pose(*scene, motion.clip).time : 0.0;
    return server::plan_clip(scene, view, {motion.clip, time, motion.layers}, count);
}

// The frames of a motion; `chosen`: what --frames shows.
std::expected<server::FrameSequencePlan, std::string>
plan_motion(const render::SharedScene& scene, const render::View& view, const RenderArguments& arguments,
            const render::ClipTime& clip_time, const render::ClipTime& chosen)
{
    if (arguments.turntable > 0) return server::plan_orbit(scene, view, clip_time, arguments.turntable);
    if (arguments.frames == 0)
        return server::FrameSequencePlan{
            .frame_requests = {{scene, render::with_best_view(*scene, view, clip_time), clip_time}}};
    if (!chosen.is_static() && (!chosen.layers || render::duration_of(*scene, chosen) > 0.0))
        return plan_animation(scene, view, chosen, arguments.frames);
    return Failure(
        "--frames requires an animated clip, and the file has none; use --turntable to rotate the model");
}

std::expected<void, std::string> check_joints(const scene::Scene& scene, const render::Overlays& overlays)
{
    const auto joint = render::find_unknown_joint(scene, overlays);
    if (joint.empty()) return {};
    return Failure(fmt::format("there is no joint '{}'", joint));
}

} // namespace

std::expected<server::FrameSequencePlan, std::string>
plan_frames(const render::SharedScene& scene, const render::View& view, const RenderArguments& arguments)
{
    if (const auto fault = render::find_instances_fault(view, *scene)) return Failure(*fault);
    if (const auto found = check_joints(*scene, view.overlays); !found) return Failure(found.error());
    const auto clip_time = choose_clip_time(*scene, arguments.pose, arguments.loading, view.light);
    if (!clip_time) return Failure(clip_time.error());
    const bool chosen = arguments.pose.clip || clip_time->layers;
    return plan_motion(scene, view, arguments, *clip_time,
                       chosen || arguments.frames == 0
                           ? *clip_time
                           : render::ClipTime{scene::select_representative_motion(*scene).clip});
}

void add_scale_options(CLI::App& app, scene::LineupScale& scale)
{
    const auto check_length = [](const std::string& text) {
        double meters = 0.0;
        const bool is_length = CLI::detail::lexical_cast(text, meters) && meters >= 1e-6 && meters <= 1e6;
        return is_length ? std::string() : fmt::format("'{}' is not a number from 1e-6 to 1e6", text);
    };
    app.add_option("--unit", scale.unit,
                   "Of several files: meters per unit of the file, instead of its own; by default those of "
                   "MD2, MD3 and MD5 files are inches")
        ->check(check_length);
    app.add_option("--height", scale.height, "Of several files: meters that the model is tall")
        ->check(check_length);
}

namespace {

struct ModelArguments {
    PoseArguments pose;
    scene::LineupScale scale;
};

// The options of one of several files: those of all, and its own ("N.OPTION=VALUE") over them.
std::expected<ModelArguments, std::string> arguments_of(const RenderArguments& arguments, std::size_t model)
{
    ModelArguments result{arguments.pose, arguments.scale};
    auto& [pose, scale] = result;
    CLI::App options;
    options.set_help_flag();
    add_pose_options(options, pose);
    add_look_options(options, pose.look);
    add_scale_options(options, scale);
    const auto prefix = std::to_string(model) + ".";
    std::vector<std::string> own; // CLI11 takes them from the end
    for (const std::string& text : arguments.models)
        if (text.starts_with(prefix)) own.insert(own.begin(), "--" + text.substr(prefix.size()));
    const bool has_time = std::ranges::any_of(own, [](const std::string& option) {
        return option.starts_with("--time") || option.starts_with("--f");
    });
    if (has_time) pose.time = pose.file_time = std::nullopt, pose.frame = std::nullopt;
    try {
        options.parse(std::move(own));
    } catch (const CLI::ParseError& error) {
        return Failure(fmt::format("--model {}: {}", model, error.what()));
    }
    if (arguments.sizes == scene::LineupSizes::equal && (scale.unit || scale.height))
        return Failure("--unit and --height are only taken with --sizes actual");
    return result;
}

std::expected<void, std::string> check_models(const RenderArguments& arguments)
{
    for (const std::string& text : arguments.models) {
        const auto model = parse_whole<std::size_t>(std::string_view(text).substr(0, text.find('.')));
        if (!model || *model >= arguments.files.size() || !text.contains('='))
            return Failure(fmt::format("--model '{}': must be N.OPTION=VALUE, N from 0 to {}", text,
                                       arguments.files.size() - 1));
    }
    if (arguments.files.size() > scene::max_lineup)
        return Failure(fmt::format("more than {} files are drawn", scene::max_lineup));
    return {};
}

struct LoadedModel {
    scene::LineupModel model;
    scene::LineupMotion motion;
};

// Plays `clip` of the scene. With --time alone, or without a time, all files share the time of the image.
std::expected<LoadedModel, std::string> pose_model(scene::Scene scene, std::string name,
                                                   const RenderArguments& arguments,
                                                   const PoseArguments& pose, render::LightingPreset light)
{
    auto chosen = choose_clip_time(scene, pose, arguments.loading, light);
    if (!chosen) return Failure(chosen.error());
    if (chosen->layers) {
        if (auto baked = scene::bake_motion(scene, *chosen->layers); !baked) return Failure(baked.error());
        chosen->clip = scene.clips.empty() ? scene::none : 0;
    }
    LoadedModel loaded{.model = {.name = std::move(name), .clip = chosen->clip}, .motion = {}};
    if (chosen->clip != scene::none) {
        loaded.motion.duration = scene.clips[chosen->clip].duration;
        const bool shares_time = pose.time == arguments.pose.time && !pose.file_time && !pose.frame &&
                                 (pose.time || pose.clip || !pose.animation.empty());
        const bool plays = arguments.frames > 0 && !pose.time && !pose.file_time && !pose.frame;
        if (!shares_time && !plays) loaded.motion.time = chosen->time;
    }
    loaded.model.scene = std::make_shared<const scene::Scene>(std::move(scene));
    return loaded;
}

std::optional<LoadedModel> load_model_or_report(const RenderArguments& arguments,
                                                const worker::ClientOptions& loading, std::size_t index,
                                                render::LightingPreset light)
{
    const auto& file = arguments.files[index];
    const auto own = arguments_of(arguments, index);
    if (!own) {
        fmt::print(stderr, "vitrine: {}\n", own.error());
        return std::nullopt;
    }
    auto scene = load_shown_or_report(file, loading, own->pose);
    if (!scene) return std::nullopt;
    if (!scene::draws_anything(*scene)) {
        report_error(file, {LoadErrc::empty, "", std::string(nothing_to_draw)});
        return std::nullopt;
    }
    auto loaded = pose_model(std::move(*scene), std::filesystem::path(file).stem().string(), arguments,
                             own->pose, light);
    if (loaded) loaded->model.scale = own->scale;
    if (loaded) return std::move(*loaded);
    fmt::print(stderr, "vitrine: {}: {}\n", file, loaded.error());
    return std::nullopt;
}

} // namespace

std::optional<LoadedLineup> load_lineup_or_report(const RenderArguments& arguments,
                                                  const worker::ClientOptions& loading,
                                                  render::LightingPreset light)
{
    if (const auto valid = check_models(arguments); !valid) {
        fmt::print(stderr, "vitrine: {}\n", valid.error());
        return std::nullopt;
    }
    std::vector<scene::LineupModel> models;
    std::vector<scene::LineupMotion> motions;
    for (std::size_t i = 0; i < arguments.files.size(); ++i) {
        auto loaded = load_model_or_report(arguments, loading, i, light);
        if (!loaded) return std::nullopt;
        if (loaded->model.clip != scene::none) motions.push_back(loaded->motion);
        models.push_back(std::move(loaded->model));
    }
    auto all = scene::make_lineup(models, arguments.sizes);
    if (const auto valid = scene::validate(all, scene::FlatMeshes::allowed); !valid) {
        fmt::print(stderr, "vitrine: the files together: {}\n", valid.error().detail);
        return std::nullopt;
    }
    const double time = std::max(arguments.pose.time.value_or(0.0), 0.0);
    return LoadedLineup{std::make_shared<const scene::Scene>(std::move(all)),
                        {scene::none, time, scene::play_together(motions)}};
}

std::expected<server::FrameSequencePlan, std::string>
plan_frames(const LoadedLineup& lineup, const render::View& view, const RenderArguments& arguments)
{
    if (const auto found = check_joints(*lineup.scene, view.overlays); !found) return Failure(found.error());
    if (const auto fault = render::find_instances_fault(view, *lineup.scene)) return Failure(*fault);
    return plan_motion(lineup.scene, view, arguments, lineup.motion, lineup.motion);
}

} // namespace vitrine::cli
