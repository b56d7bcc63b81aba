// Several assets side by side: GET /v1/render, /v1/animation and /v1/turntable for images, GET /v1/lineup for
// the places of the models and /v1/pick for the one at a pixel.
#include "server/handlers/handlers.hpp"
#include "server/handlers/image_responses.hpp"
#include "server/handlers/lineup_query.hpp"
#include "server/handlers/query_params.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

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
