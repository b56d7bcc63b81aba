// Images by URL: stills, thumbnails, sprite sheets, animated WebP. The entity tag is known before anything
// is rendered.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "api/hit_json.hpp"
#include "api/resources.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/image_responses.hpp"
#include "server/handlers/motion_params.hpp"
#include "server/handlers/query_params.hpp"
#include "server/handlers/scene_params.hpp"
#include "vk_renderer/camera/view_parser.hpp"

namespace vitrine::server {
namespace {

using render::ImageFormat;

struct RenderQuery {
    RenderParams params;
    MotionTexts motion;
    SceneTexts scene;
    std::optional<std::uint64_t> revision;
    bool negotiated = false; // format from the Accept field
};

// Reads all parameters except those of the encoding; returns the format.
std::optional<ImageFormat> read_image(QueryReader& reader, RenderQuery& query)
{
    query.params.view = read_view(reader, max_side);
    query.motion = read_motion(reader);
    query.scene = read_scene_texts(reader);
    query.params.time = reader.number("t", -max_seconds, max_seconds).value_or(0.0);
    query.params.quality = static_cast<int>(reader.integer("quality", 1, 100).value_or(85));
    query.revision = reader.integer("rev", 0, 1'000'000);
    return read_format(reader);
}

std::expected<RenderQuery, api::Problem> read_render(const Request& request)
{
    QueryReader reader(request);
    RenderQuery query;
    auto format = read_image(reader, query);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    query.negotiated = !format;
    if (!format) format = negotiate_still(request);
    if (!format) return not_acceptable();
    query.params.format = *format;
    return query;
}

struct PickQuery : RenderQuery {
    render::Pixel pixel{};
};

std::expected<PickQuery, api::Problem> read_pick(const Request& request)
{
    QueryReader reader(request);
    PickQuery query;
    read_image(reader, query);
    query.pixel = read_pixel(reader, query.params.view);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    return query;
}

struct SequenceQuery {
    SequenceParams params;
    MotionTexts motion;
    SceneTexts scene;
    std::optional<std::uint64_t> revision;
};

constexpr std::size_t max_views = 8; // rows of a sheet

void read_sheet(QueryReader& reader, SequenceParams& params)
{
    params.format = read_format(reader).value_or(params.format);
    params.quality = static_cast<int>(
        reader.integer("quality", 1, 100).value_or(static_cast<std::uint64_t>(params.quality)));
    const auto views = reader.texts("view");
    if (views.size() > max_views)
        reader.reject("view", fmt::format("may be given at most {} times", max_views));
    for (const auto& view : views)
        if (const auto camera = render::parse_camera(view))
            params.cameras.push_back(*camera);
        else
            reader.reject("view", "must be " + render::camera_words());
    params.overlays = read_overlays(reader);
}

std::expected<SequenceQuery, api::Problem> read_sequence(const Request& request,
                                                         const SequenceParams& defaults)
{
    QueryReader reader(request);
    SequenceQuery query{.params = defaults,
                        .motion = read_motion(reader),
                        .scene = read_scene_texts(reader),
                        .revision = reader.integer("rev", 0, 1'000'000)};
    query.params.frames =
        static_cast<std::uint32_t>(reader.integer("frames", 1, max_frames).value_or(defaults.frames));
    query.params.size =
        static_cast<std::uint32_t>(reader.integer("size", 16, max_side).value_or(defaults.size));
    read_instances(reader, query.params.crowd, query.params.ghosts);
    if (defaults.kind == SequenceParams::Kind::sprite) read_sheet(reader, query.params);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    return query;
}

// Finds the asset as the query changes it; writes its motion and material variant into the parameters.
template <class Query>
AssetResult require_asset_and_resolve_names(const Request& request, Context& context, Query& query)
{
    auto asset = require_imported(request, context);
    if (!asset) return asset;
    auto variant = require_variant(query.scene.variant, *asset, context);
    if (!variant) return std::unexpected(variant.error());
    query.params.variant = *variant;
    if (auto rejection = change_scene(*asset, query.scene, context)) return std::unexpected(*rejection);
    if (is_static_pose(query.motion.clip) && query.motion.animation.empty()) return asset;
    const auto scene = context.services.scenes.load_variant(*asset, *variant);
    if (!scene) return problem(scene.error());
    auto motion = require_motion(query.motion, *asset, **scene, context);
    if (!motion) return std::unexpected(motion.error());
    query.params.clip = motion->clip;
    query.params.layers = std::move(motion->layers);
    return asset;
}

// Calls `make_image(asset)` only if the client does not have the image yet.
template <class Query, class MakeImage>
HandlerResult respond_with_image(const Request& request, Context& context, const AssetRecord& asset,
                                 const Query& query, MakeImage make_image)
{
    auto etag = ImageService::etag(asset, query.params);
    bool immutable = is_immutable(request, asset, {query.params.clip, query.params.layers}, query.revision);
    if (auto same = not_modified(request, etag, immutable)) return std::move(*same);
    return drawn_response(request, context, asset, query.params, immutable,
                          [&] { return make_image(asset); });
}

HandlerResult sequence_response(const Request& request, Context& context, const SequenceParams& defaults)
{
    auto query = read_sequence(request, defaults);
    if (!query) return std::unexpected(query.error());
    auto asset = require_asset_and_resolve_names(request, context, *query);
    if (!asset) return std::unexpected(asset.error());
    return respond_with_image(request, context, *asset, *query, [&](const AssetRecord& record) {
        return context.services.images.sequence(record, query->params);
    });
}

Response thumbnail_pending(std::uint32_t retry_after_s)
{
    auto response = text_response(202, "application/json", api::thumbnail_pending_text());
    response.headers.add("Cache-Control", "no-store");
    response.headers.add("Retry-After", std::to_string(std::max(1u, retry_after_s)));
    return response;
}

struct ThumbnailQuery {
    ThumbnailParams params;
    std::optional<VariantText> variant;
    std::optional<std::uint64_t> revision;
    std::optional<std::string> cover; // key of a cover
};

std::expected<ThumbnailQuery, api::Problem> read_thumbnail(const Request& request)
{
    QueryReader reader(request);
    ThumbnailQuery query{.cover = reader.text("cover")};
    query.params.size = static_cast<std::uint32_t>(reader.integer("size", 16, 1024).value_or(256));
    query.variant = read_variant(reader);
    query.revision = reader.integer("rev", 0, 1'000'000);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    constexpr std::array preferred{ImageFormat::webp, ImageFormat::jpeg, ImageFormat::png};
    auto format = negotiate_image(request.headers.find("Accept"), preferred);
    if (!format) return not_acceptable();
    query.params.format = *format;
    return query;
}

// A version's URL may be kept permanently: its thumbnail has the cover only if the URL has its key. Returns
// whether the URL has the key of another cover, whose response may not be kept so.
bool select_cover(AssetRecord& asset, const ThumbnailQuery& query)
{
    if (!asset.is_of_named_version || query.cover == asset.cover_key) return false;
    asset.cover.clear();
    return query.cover.has_value();
}

HandlerResult thumbnail_response(const Request& request, Context& context, AssetRecord& asset,
                                 ThumbnailQuery& query)
{
    const bool has_other_cover = select_cover(asset, query);
    const bool loaded = !asset.format.empty();
    if (query.variant && !loaded && asset.status == AssetStatus::importing) return thumbnail_pending(1);
    auto variant = require_variant(query.variant, asset, context);
    if (!variant) return std::unexpected(variant.error());
    query.params.variant = *variant;
    auto etag = ImageService::etag(asset, query.params);
    const bool immutable = !has_other_cover && is_immutable(request, asset, {}, query.revision);
    if (asset.status == AssetStatus::ready)
        if (auto same = not_modified(request, etag, immutable)) return std::move(*same);
    if (const auto key = image_key(asset, query.params); asks_worker(context, key)) {
        if (!loaded && asset.status == AssetStatus::importing) return thumbnail_pending(1);
        return image_of_worker(request, context, asset, key, etag, immutable);
    }
    auto image = context.services.images.thumbnail(asset, query.params);
    if (!image && image.error().kind == Errc::not_ready)
        return thumbnail_pending(image.error().retry_after_s);
    return image_response(image, etag, immutable);
}

} // namespace

HandlerResult get_thumbnail(const Request& request, Context& context)
{
    auto query = read_thumbnail(request);
    if (!query) return std::unexpected(query.error());
    auto asset = require_asset(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto response = thumbnail_response(request, context, *asset, *query);
    if (response) response->headers.add("Vary", "Accept");
    return response;
}

HandlerResult get_render(const Request& request, Context& context)
{
    auto query = read_render(request);
    if (!query) return std::unexpected(query.error());
    auto asset = require_asset_and_resolve_names(request, context, *query);
    if (!asset) return std::unexpected(asset.error());
    auto response = respond_with_image(request, context, *asset, *query, [&](const AssetRecord& record) {
        return context.services.images.render(record, query->params);
    });
    if (response && query->negotiated) response->headers.add("Vary", "Accept");
    return response;
}

HandlerResult get_pick(const Request& request, Context& context)
{
    auto query = read_pick(request);
    if (!query) return std::unexpected(query.error());
    auto asset = require_asset_and_resolve_names(request, context, *query);
    if (!asset) return std::unexpected(asset.error());
    auto etag = ImageService::pick_etag(*asset, query->params, query->pixel);
    bool immutable =
        is_immutable(request, *asset, {query->params.clip, query->params.layers}, query->revision);
    if (auto same = not_modified(request, etag, immutable)) return std::move(*same);
    if (!context.services.renders.draws()) return pick_of_worker(request, context, *asset, etag, immutable);
    auto hit = context.services.images.pick(*asset, query->params, query->pixel);
    if (!hit) return problem(hit.error());
    auto scene = context.services.scenes.load_variant(*asset, query->params.variant);
    if (!scene) return problem(scene.error());
    auto response = json_response(200, api::hit_json(**scene, *hit));
    add_caching(response, etag, immutable);
    return response;
}

HandlerResult get_sprite(const Request& request, Context& context)
{
    return sequence_response(request, context, {.kind = SequenceParams::Kind::sprite});
}

HandlerResult get_animation(const Request& request, Context& context)
{
    return sequence_response(request, context,
                             {.kind = SequenceParams::Kind::animation, .frames = 24, .size = 256});
}

HandlerResult get_turntable(const Request& request, Context& context)
{
    return sequence_response(request, context,
                             {.kind = SequenceParams::Kind::turntable, .frames = 36, .size = 256});
}

HandlerResult get_sprite_manifest(const Request& request, Context& context)
{
    auto query = read_sequence(request, {.kind = SequenceParams::Kind::sprite});
    if (!query) return std::unexpected(query.error());
    auto asset = require_asset_and_resolve_names(request, context, *query);
    if (!asset) return std::unexpected(asset.error());
    auto layout = context.services.images.sprite_layout(*asset, query->params);
    if (!layout) return problem(layout.error());
    auto url = asset->path() + "/sprite";
    if (!request.target.raw_query.empty()) url += "?" + request.target.raw_query;
    return json_response(200, api::to_json(api::SpriteManifest{.url = url,
                                                               .frames = layout->frames,
                                                               .columns = layout->columns,
                                                               .rows = layout->rows,
                                                               .frame_width = layout->frame_width,
                                                               .frame_height = layout->frame_height,
                                                               .duration = layout->duration}));
}

} // namespace vitrine::server
