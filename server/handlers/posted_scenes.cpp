// The scenes of the models that are the body of a request.
#include <algorithm>

#include <fmt/format.h>

#include "loaders/io/resource_name.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "server/handlers/common.hpp"
#include "server/services/storage/scene_changes.hpp"

namespace vitrine::server {
namespace {

// Of one request, whose loader processes run one after the other.
constexpr std::size_t max_posted_models = 16;
constexpr std::size_t max_listed_names = 5;

bool has_name(const NewAsset& model, std::string_view name)
{
    return model.main_file == name || io::base_name(model.main_file) == name;
}

std::string names_of(const std::vector<NewAsset>& models)
{
    std::string names;
    for (std::size_t i = 0; i < std::min(models.size(), max_listed_names); ++i)
        names += (i == 0 ? "" : ", ") + models[i].main_file;
    return models.size() > max_listed_names ? names + ", ..." : names;
}

AssetRecord record_of(const NewAsset& model, SharedScene scene)
{
    AssetRecord asset;
    asset.name = model.name;
    asset.main_file = model.main_file;
    asset.format = scene->format;
    asset.status = AssetStatus::ready;
    asset.content_hash = asset.source_hash = Catalog::source_hash(model);
    asset.posted = std::make_shared<const PostedModel>(PostedModel{.scene = std::move(scene), .others = {}});
    return asset;
}

// All models that can be loaded; the error of the first if none can.
std::expected<std::vector<AssetRecord>, api::Problem> load_models(const std::vector<NewAsset>& models,
                                                                  Context& context)
{
    if (models.size() > max_posted_models)
        return problem(413, "limit_exceeded",
                       fmt::format("The body has more than {} models.", max_posted_models));
    std::vector<AssetRecord> loaded;
    std::optional<api::Problem> first_error;
    std::uint64_t bytes = 0;
    auto& scenes = context.services.scenes;
    for (const auto& model : models) {
        auto scene = scenes.load_files(model.files, model.main_file);
        if (!scene) {
            if (!first_error) first_error = to_problem(to_service_error(scene.error()));
            continue;
        }
        bytes += memory_bytes(**scene);
        if (!loaded.empty() && bytes > scenes.limit_bytes())
            return problem(413, "limit_exceeded", "The models of the body are too large together.");
        auto held = scenes.hold(*scene);
        if (!held) return problem(held.error());
        loaded.push_back(record_of(model, std::move(*held)));
    }
    if (loaded.empty()) return std::unexpected(*first_error);
    return loaded;
}

// The model `name`; without one the only model of the body, or the only one that draws anything, so that
// files with nothing but clips may be beside it.
std::expected<std::size_t, api::Problem> choose_model(const std::vector<AssetRecord>& loaded,
                                                      const std::optional<std::string>& name,
                                                      const std::vector<NewAsset>& models)
{
    if (loaded.size() == 1 && !name) return 0;
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < loaded.size(); ++i) {
        const auto& file = loaded[i].main_file;
        if (name ? file == *name || io::base_name(file) == *name
                 : scene::draws_anything(*loaded[i].posted->scene))
            candidates.push_back(i);
    }
    if (candidates.size() == 1) return candidates.front();
    if (name && candidates.empty() &&
        std::ranges::none_of(models, [&](const NewAsset& model) { return has_name(model, *name); }))
        return problem(422, "no_model", fmt::format("The body has no model {}.", *name));
    return problem(
        422, "several_models",
        fmt::format("The body has several models ({}); the parameter model selects one.", names_of(models)));
}

} // namespace

AssetResult load_chosen_model(const std::vector<NewAsset>& models, const std::optional<std::string>& name,
                              Context& context)
{
    auto loaded = load_models(models, context);
    if (!loaded) return std::unexpected(loaded.error());
    const auto chosen = choose_model(*loaded, name, models);
    if (!chosen) return std::unexpected(chosen.error());
    auto asset = std::move((*loaded)[*chosen]);
    loaded->erase(loaded->begin() + static_cast<std::ptrdiff_t>(*chosen));
    asset.posted = std::make_shared<const PostedModel>(
        PostedModel{.scene = asset.posted->scene, .others = std::move(*loaded)});
    return asset;
}

} // namespace vitrine::server
