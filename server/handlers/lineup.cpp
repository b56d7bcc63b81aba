// Several assets side by side: GET /v1/render, /v1/animation and /v1/turntable for images, GET /v1/lineup for
// the places of the models and /v1/pick for the one at a pixel, with asset=ID for each of them. A parameter
// of a model (clip, layer, variant, attach, ...) is for all of them, or with the number of one, from 0, for
// that one: 1.clip=run.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "loaders/scene/lineup/lineup.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/image_responses.hpp"
#include "server/handlers/motion_params.hpp"
#include "server/handlers/query_params.hpp"
#include "server/handlers/scene_params.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

struct ModelQuery {
    std::string id;
    MotionTexts motion{};
    SceneTexts scene{};
    scene::LineupScale scale{};
    std::optional<double> time{}; // stands still; empty: at the time of the image
};

struct LineupQuery {
    std::vector<ModelQuery> models;
    scene::LineupSizes sizes = scene::LineupSizes::actual;
};

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

struct LineupImage {
    AssetRecord asset; // with SceneChanges::lineup
    scene::SharedLayers layers{};
};

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

// Also rejects what the reader has found wrong.
std::expected<LineupImage, api::Problem> finish_lineup(QueryReader& reader, const LineupQuery& query,
                                                       Context& context)
{
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    return require_lineup(query, context);
}

// `make_json(lineup, models)`: of the loaded models.
template <class MakeJson>
HandlerResult lineup_data(const LineupImage& image, const std::string& etag, Context& context,
                          const MakeJson& make_json)
{
    const auto& lineup = image.asset.changes->lineup;
    const auto models = context.services.scenes.load_lineup(lineup);
    if (!models) return problem(models.error());
    auto response = json_response(200, make_json(lineup, *models));
    add_caching(response, etag);
    return response;
}

// Calls `make_image(asset, params)` only if the client does not have the image yet.
template <class Params, class MakeImage>
HandlerResult respond(const Request& request, Context& context, const LineupQuery& query, Params params,
                      const MakeImage& make_image)
{
    auto lineup = require_lineup(query, context);
    if (!lineup) return std::unexpected(lineup.error());
    params.layers = lineup->layers;
    const auto etag = ImageService::etag(lineup->asset, params);
    if (auto same = not_modified(request, etag)) return std::move(*same);
    return drawn_response(request, context, lineup->asset, params, false,
                          [&] { return make_image(lineup->asset, params); });
}

HandlerResult sequence_of_lineup(const Request& request, Context& context, SequenceParams params)
{
    QueryReader reader(request);
    const auto query = read_lineup(reader, request);
    params.frames =
        static_cast<std::uint32_t>(reader.integer("frames", 1, max_frames).value_or(params.frames));
    params.size = static_cast<std::uint32_t>(reader.integer("size", 16, max_side).value_or(params.size));
    read_instances(reader, params.crowd, params.ghosts);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    return respond(request, context, query, params, [&](const AssetRecord& asset, const auto& chosen) {
        return context.services.images.sequence(asset, chosen);
    });
}

RenderParams read_row_image(QueryReader& reader)
{
    RenderParams params{.time = reader.number("t", -max_seconds, max_seconds).value_or(0.0),
                        .view = read_view(reader, max_side),
                        .quality = static_cast<int>(reader.integer("quality", 1, 100).value_or(85))};
    if (!reader.text("view")) params.view.camera.automatic = true; // fills the image with the row
    return params;
}

} // namespace

HandlerResult get_lineup(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto query = read_lineup(reader, request);
    const auto image = finish_lineup(reader, query, context);
    if (!image) return std::unexpected(image.error());
    const auto etag = data_etag(image->asset, "lineup");
    if (auto same = not_modified(request, etag)) return std::move(*same);
    return lineup_data(*image, etag, context,
                       [](const auto& lineup, const auto& models) { return query_lineup(lineup, models); });
}

HandlerResult pick_in_lineup(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto query = read_lineup(reader, request);
    auto params = read_row_image(reader);
    const auto pixel = read_pixel(reader, params.view);
    read_format(reader);
    const auto image = finish_lineup(reader, query, context);
    if (!image) return std::unexpected(image.error());
    params.layers = image->layers;
    const auto etag = ImageService::pick_etag(image->asset, params, pixel);
    if (auto same = not_modified(request, etag)) return std::move(*same);
    if (!context.services.renders.draws()) return pick_of_worker(request, context, image->asset, etag, false);
    const auto hit = context.services.images.pick(image->asset, params, pixel);
    if (!hit) return problem(hit.error());
    return lineup_data(*image, etag, context, [&](const auto& lineup, const auto& models) {
        return query_lineup_hit(lineup, models, *hit);
    });
}

HandlerResult render_lineup(const Request& request, Context& context)
{
    QueryReader reader(request);
    const auto query = read_lineup(reader, request);
    auto params = read_row_image(reader);
    auto format = read_format(reader);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    const bool negotiated = !format;
    if (!format) format = negotiate_still(request);
    if (!format) return not_acceptable();
    params.format = *format;
    auto response = respond(request, context, query, std::move(params),
                            [&](const AssetRecord& asset, const RenderParams& chosen) {
                                return context.services.images.render(asset, chosen);
                            });
    if (response && negotiated) response->headers.add("Vary", "Accept");
    return response;
}

HandlerResult animate_lineup(const Request& request, Context& context)
{
    return sequence_of_lineup(request, context,
                              {.kind = SequenceParams::Kind::animation, .frames = 24, .size = 256});
}

HandlerResult turn_lineup(const Request& request, Context& context)
{
    return sequence_of_lineup(request, context,
                              {.kind = SequenceParams::Kind::turntable, .frames = 36, .size = 256});
}

} // namespace vitrine::server
