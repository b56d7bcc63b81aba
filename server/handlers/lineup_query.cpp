#include "server/handlers/lineup_query.hpp"

#include <utility>

#include <fmt/format.h>

#include "server/handlers/query_params.hpp"
#include "server/routing/request_watch.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

constexpr double min_length = 1e-6, max_length = 1e6; // meters

scene::LineupScale read_scale(QueryReader& reader, scene::LineupSizes sizes)
{
    const scene::LineupScale scale{.unit = reader.number("unit", min_length, max_length),
                                   .height = reader.number("height", min_length, max_length)};
    for (const auto& [name, value] : {std::pair{"unit", scale.unit}, std::pair{"height", scale.height}})
        if (value && sizes == scene::LineupSizes::equal)
            reader.reject(name, "is only taken with sizes=actual");
    return scale;
}

// What a model of the image plays.
struct LineupPart {
    std::uint32_t clip = scene::none;
    scene::LineupMotion motion{};
};

// Puts layers and adjusted joints in place of the asset's clips.
std::expected<LineupPart, api::Problem> require_model_motion(AssetRecord& asset, const ModelQuery& query,
                                                             Context& context)
{
    LineupPart found{.motion = {.time = query.time}};
    if (is_static_pose(query.motion.clip) && query.motion.animation.empty()) return found;
    auto scene = require_scene(asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto motion = require_motion(query.motion, asset, **scene, context);
    if (!motion) return std::unexpected(motion.error());
    found.clip = motion->clip;
    if (motion->layers) {
        asset = with_changes({.base = asset, .baked = std::move(motion->layers)});
        scene = require_scene(asset, context);
        if (!scene) return std::unexpected(scene.error());
        found.clip = (*scene)->clips.empty() ? scene::none : 0;
    }
    if (found.clip != scene::none) found.motion.duration = (*scene)->clips[found.clip].duration;
    return found;
}

std::unexpected<api::Problem> problem_of(const ModelQuery& query, api::Problem problem)
{
    problem.detail = fmt::format("Asset {}: {}", query.id, problem.detail);
    return std::unexpected(std::move(problem));
}

std::expected<ShownScene, api::Problem> make_shown_row(const Request& request, Context& context)
{
    const auto query = require_lineup_query(request);
    if (!query) return std::unexpected(query.error());
    auto image = require_lineup(*query, context);
    if (!image) return std::unexpected(image.error());
    auto& scenes = context.services.scenes;
    const auto& lineup = image->asset.changes->lineup;
    auto scene = scenes.load_shown(image->asset);
    if (!scene) return problem(scene.error());
    auto models = scenes.load_lineup(lineup);
    if (!models) return problem(models.error());
    ShownRow row{.places = query_lineup(lineup, *models), .together = image->layers};
    if (row.together) row.duration_s = scene::duration_of(**scene, *row.together);
    row.describe_hit = [lineup, models = std::move(*models)](const std::optional<scene::Hit>& hit) {
        return query_lineup_hit(lineup, models, hit);
    };
    return ShownScene{.scene = std::move(*scene),
                      .content_hash = image->asset.content_hash,
                      .row = std::make_shared<const ShownRow>(std::move(row))};
}

} // namespace

LineupQuery read_lineup(QueryReader& reader, const Request& request)
{
    LineupQuery query;
    for (auto& id : reader.texts("asset"))
        query.models.push_back({.id = std::move(id)});
    if (query.models.empty()) reader.reject("asset", "is missing");
    if (query.models.size() > scene::max_lineup) {
        reader.reject("asset", fmt::format("is given more than {} times", scene::max_lineup));
        query.models.clear();
    }
    query.sizes = reader.choice<scene::LineupSizes>("sizes", scene::lineup_size_words)
                      .value_or(scene::LineupSizes::actual);
    for (std::size_t i = 0; i < query.models.size(); ++i) {
        QueryReader own(request, i);
        auto& model = query.models[i];
        model.motion = read_motion(own);
        model.scene = read_scene_texts(own);
        model.scale = read_scale(own, query.sizes);
        reader.merge(own);
        model.time = reader.number(fmt::format("{}.t", i), -max_seconds, max_seconds);
    }
    return query;
}

AssetResult require_model(const std::string& id, Context& context)
{
    auto asset = context.services.catalog.find_asset(id);
    if (!asset || asset->deleted != 0)
        return problem(404, "no_asset", fmt::format("There is no asset {}.", id));
    if (asset->format.empty())
        return problem(409, "not_imported", fmt::format("The asset {} is not imported.", id));
    if (context.services.renders.quarantined(asset->content_hash))
        return problem(422, "render_quarantined",
                       fmt::format("The asset {} has made render devices fail and is not drawn.", id));
    return std::move(*asset);
}

std::expected<LineupImage, api::Problem> require_lineup(const LineupQuery& query, Context& context)
{
    Lineup lineup{.sizes = query.sizes};
    std::vector<scene::LineupMotion> motions;
    for (const auto& model : query.models) {
        auto asset = require_model(model.id, context);
        if (!asset) return std::unexpected(asset.error());
        const auto variant = require_variant(model.scene.variant, *asset, context);
        if (!variant) return problem_of(model, variant.error());
        if (auto rejection = change_scene(*asset, model.scene, context))
            return problem_of(model, std::move(*rejection));
        const auto motion = require_model_motion(*asset, model, context);
        if (!motion) return problem_of(model, motion.error());
        if (motion->clip != scene::none) motions.push_back(motion->motion);
        lineup.assets.push_back({std::move(*asset), *variant, motion->clip, model.scale});
    }
    auto base = lineup.assets.front().asset;
    return LineupImage{with_changes({.base = std::move(base), .lineup = std::move(lineup)}),
                       scene::play_together(motions)};
}

std::expected<LineupQuery, api::Problem> require_lineup_query(const Request& request)
{
    QueryReader reader(request);
    auto query = read_lineup(reader, request);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    return query;
}

std::expected<ShownScene, api::Problem> require_row(const Request& request,
                                                    std::shared_ptr<const PeerSocket> peer, Context& context)
{
    RequestWatch::Work work(context.request_watch, std::move(peer));
    std::optional<ShownScene> shown;
    const auto made = work.answer([&]() -> HandlerResult {
        auto row = make_shown_row(request, context);
        if (!row) return std::unexpected(row.error());
        shown = std::move(*row);
        return Response{};
    });
    if (!made) return std::unexpected(made.error());
    return std::move(*shown);
}

} // namespace vitrine::server
