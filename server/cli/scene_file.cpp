#include "server/cli/scene_file.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

#include <fmt/ranges.h>

#include "loaders/base/model_formats.hpp"
#include "loaders/scene/layers/attach.hpp"
#include "loaders/scene/lookup.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/preview/bone_geometry.hpp"
#include "loaders/scene/skinning/skinning.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "loaders/scene/variants.hpp"
#include "loaders/worker/client/client.hpp"
#include "server/cli/temporary_folder.hpp"
#include "server/cli/terminal/progress.hpp"
#include "server/loader_options.hpp"
#include "server/util/zip_name.hpp"

namespace vitrine::cli {

namespace {

constexpr std::size_t max_names_printed = 5;
constexpr std::string_view zip_file = "zip";

// Removes and returns animations that fit none of the models, if there is a model.
std::vector<std::string> take_stray_animations(std::vector<worker::ModelGroup>& models)
{
    std::vector<std::string> stray;
    if (std::ranges::all_of(models, &worker::ModelGroup::is_animation_only)) return stray;
    for (const auto& model : models)
        if (model.is_animation_only) stray.push_back(model.main);
    std::erase_if(models, [](const auto& model) { return model.is_animation_only; });
    return stray;
}

// Loads a folder or a zip, which must contain exactly one model.
LoadResult<scene::Scene> load_files(const std::vector<worker::BundleFile>& files, std::string_view holder,
                                    const worker::ClientOptions& loading)
{
    auto models = worker::find_models(files, loading);
    if (models.empty())
        return fail(LoadErrc::missing_file, "", fmt::format("the {} contains no model", holder));
    const auto stray = take_stray_animations(models);
    // A folder with one player model is loaded as that player; other models in it are ignored.
    if (models.size() == 1 || std::ranges::count_if(models, worker::is_player) == 1) {
        const auto& shown =
            models.size() == 1 ? models.front() : *std::ranges::find_if(models, worker::is_player);
        auto scene = worker::load_bundle(files, shown.main, loading);
        for (const auto& name : stray)
            if (scene)
                scene->warnings.push_back(
                    {"animation_not_bound", "no model in its folder matches this animation", name});
        return scene;
    }
    const auto count = models.size();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(count, max_names_printed); ++i)
        names.push_back(models[i].main);
    return fail(LoadErrc::missing_file, "",
                fmt::format("the {} contains {} models; name one{}: {}{}", holder, count,
                            holder == zip_file ? " after unpacking" : "", fmt::join(names, ", "),
                            count > max_names_printed ? ", ..." : ""));
}

// A loader process unpacks the zip, under the limits of an upload.
LoadResult<scene::Scene> load_zip(const std::string& file, const worker::ClientOptions& loading)
{
    const auto folder = make_temporary_folder();
    if (!folder)
        return fail(LoadErrc::internal, "",
                    "there is no folder for temporary files to unpack it into (TMPDIR)");
    auto files = worker::unpack_zip(file, folder->path(), loading);
    if (!files) return std::unexpected(files.error());
    std::erase_if(*files, [](const worker::BundleFile& member) { return member.path.empty(); });
    return load_files(*files, zip_file, loading);
}

LoadResult<scene::Scene> load_folder(const std::string& folder, const worker::ClientOptions& loading)
{
    auto options = loading;
    std::error_code ignored;
    options.folder = std::filesystem::canonical(folder, ignored);
    ProgressLine progress;
    options.opened = [&](const worker::BundleFile& file) { progress.show(0, 0, file.name); };
    progress.show(0, 0, options.folder.filename().string());
    return load_files(worker::list_folder_files(folder), "folder", options);
}

// True when the time is outside the clip and the loader has to know it: the loader has shortened or cut off
// the extrapolation of a curve.
bool needs_time(const scene::Scene& scene, const ChosenPose& chosen)
{
    if (chosen.clip == scene::none) return false;
    const bool is_outside = chosen.time < 0.0 || chosen.time > scene.clips[chosen.clip].duration;
    if (!is_outside || scene_traits(scene.format).one_timeline) return is_outside;
    return chosen.outside == ExtrapolationPolicy::extrapolated &&
           std::ranges::find(scene.warnings, "fbx_extrapolation_sampled", &scene::Warning::code) !=
               scene.warnings.end();
}

// True for a time on the file's timeline when each clip plays only some of the file's curves.
bool needs_whole_timeline(const scene::Scene& scene, const PoseArguments& arguments)
{
    return scene_traits(scene.format).one_timeline && arguments.file_time && !arguments.clip &&
           scene.clips.size() > 1;
}

// "FILE: code at where: sentence"
std::string error_text(const std::string& file, const LoadError& error)
{
    const auto place = error.where.empty() ? std::string() : " at " + error.where;
    return fmt::format("{}: {}{}: {}", file, to_string(error.code), place, error.detail);
}

} // namespace

void add_file_options(CLI::App& app, std::string& file, worker::ClientOptions& loading)
{
    app.add_option("FILE", file, "Model file, or a folder with one model")->required();
    server::declare_loading(app, loading);
}

LoadResult<scene::Scene> load_model(const std::string& file, const worker::ClientOptions& loading)
{
    std::error_code ignored;
    return std::filesystem::is_directory(file, ignored) ? load_folder(file, loading)
           : server::is_zip_name(file)                  ? load_zip(file, loading)
                                                        : worker::load_with_siblings(file, loading);
}

std::optional<scene::Scene> load_or_report(const std::string& file, const worker::ClientOptions& loading)
{
    auto scene = load_model(file, loading);
    if (scene) return std::move(*scene);
    report_error(file, scene.error());
    return std::nullopt;
}

namespace {

std::optional<scene::Scene> load_at_clip_time(const std::string& file, const worker::ClientOptions& loading,
                                              const PoseArguments& arguments)
{
    auto options = loading;
    if (arguments.no_extrapolation) options.extrapolation_policy = ExtrapolationPolicy::clamped;
    auto scene = load_or_report(file, options);
    const auto chosen = scene ? choose_pose(*scene, arguments) : std::unexpected(std::string());
    if (!chosen) return scene;
    const bool whole_timeline = needs_whole_timeline(*scene, arguments);
    if (!whole_timeline && !needs_time(*scene, *chosen)) return scene;
    if (whole_timeline) options.timeline_mode = worker::TimelineMode::single_clip;
    options.pose_time = scene->clips[chosen->clip].start_time + chosen->time;
    return load_or_report(file, options);
}

bool apply_variant_or_report(const std::string& file, scene::Scene& scene,
                             const std::optional<std::string>& variant)
{
    if (!variant) return true;
    const auto index = scene::find_variant(scene.variants, *variant);
    if (!index) {
        const bool has_skins = scene.format == "md2" || scene.format == "md3";
        fmt::print(stderr, "vitrine: {}: {}\n", file,
                   has_skins ? scene::no_skin_message(scene, *variant)
                             : scene::no_variant_message(scene, *variant));
        return false;
    }
    scene::apply_variant(scene, *index);
    return true;
}

// Nothing, after a message on stderr, when the scene has no such level or node.
std::optional<scene::Look> find_look_or_report(const std::string& file, const scene::Scene& scene,
                                               const scene::LookTexts& texts)
{
    auto look = scene::find_look(scene, texts);
    if (look) return std::move(*look);
    fmt::print(stderr, "vitrine: {}: --{}: {}\n", file, look.error().parameter, look.error().message);
    return std::nullopt;
}

// Returns false, after a message on stderr, when nothing is left that is drawn.
bool apply_look_or_report(const std::string& file, scene::Scene& scene, const scene::Look& look)
{
    const bool has_geometry = scene::draws_anything(scene); // otherwise images show bones
    scene::apply_look(scene, look);
    const bool leaves_out = !look.hidden.empty() || !look.only.empty();
    if (!leaves_out || !has_geometry || scene::draws_anything(scene)) return true;
    fmt::print(stderr, "vitrine: {}: nothing that is left of the model is drawn\n", file);
    return false;
}

std::expected<void, std::string> attach_file(scene::Scene& scene, const std::string& text,
                                             const LoadOtherFile& load_other)
{
    const auto place = scene::parse_attach(text);
    if (!place) return std::unexpected(place.error());
    const auto other = load_other(place->asset);
    if (!other) return std::unexpected(other.error());
    const auto name = std::filesystem::path(place->asset).stem().string();
    if (const auto done = scene::attach(scene, *other, *place, name); !done) return done;
    if (const auto valid = scene::validate(scene, scene::FlatMeshes::allowed); !valid)
        return std::unexpected(valid.error().detail);
    return {};
}

bool attach_or_report(const std::string& file, scene::Scene& scene,
                      const std::vector<std::string>& attachments, const worker::ClientOptions& loading)
{
    for (const auto& text : attachments) {
        const auto done = attach_file(scene, text, other_file_loader(loading));
        if (done) continue;
        fmt::print(stderr, "vitrine: {}: --attach: {}\n", file, done.error());
        return false;
    }
    return true;
}

} // namespace

std::optional<scene::Scene> load_or_report(const std::string& file, const worker::ClientOptions& loading,
                                           const PoseArguments& arguments)
{
    auto scene = load_at_clip_time(file, loading, arguments);
    if (!scene || !apply_variant_or_report(file, *scene, arguments.variant)) return std::nullopt;
    const auto look = find_look_or_report(file, *scene, arguments.look);
    if (!look || !attach_or_report(file, *scene, arguments.attachments, loading)) return std::nullopt;
    if (!apply_look_or_report(file, *scene, *look)) return std::nullopt;
    if (arguments.skinning) scene::set_skinning_method(*scene, *arguments.skinning);
    return scene;
}

std::optional<scene::Scene> load_shown_or_report(const std::string& file,
                                                 const worker::ClientOptions& loading,
                                                 const PoseArguments& arguments)
{
    auto scene = load_or_report(file, loading, arguments);
    if (!scene) return std::nullopt;
    auto bones = scene::with_bone_geometry(*scene);
    if (!bones) return scene;
    const auto look = find_look_or_report(file, *scene, arguments.look);
    if (!look || !apply_look_or_report(file, *bones, *look)) return std::nullopt;
    return bones;
}

LoadOtherFile other_file_loader(const worker::ClientOptions& loading)
{
    return [&loading](const std::string& file) -> std::expected<scene::Scene, std::string> {
        auto options = loading;
        options.started = {};
        auto scene = load_model(file, options);
        if (!scene) return std::unexpected(error_text(file, scene.error()));
        return std::move(*scene);
    };
}

std::optional<PosedFile> open_or_report(const std::string& file, const worker::ClientOptions& loading,
                                        const PoseArguments& arguments)
{
    auto scene = load_or_report(file, loading, arguments);
    if (!scene) return std::nullopt;
    const auto chosen = choose_pose(*scene, arguments, other_file_loader(loading));
    if (chosen) return PosedFile{std::move(*scene), *chosen};
    fmt::print(stderr, "vitrine: {}: {}\n", file, chosen.error());
    return std::nullopt;
}

void report_error(const std::string& file, const LoadError& error)
{
    fmt::print(stderr, "vitrine: {}\n", error_text(file, error));
}

} // namespace vitrine::cli
