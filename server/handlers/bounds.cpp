// Bounding boxes of the static pose and of clips: total, per frame, per joint, per mesh.
#include <algorithm>

#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/query_params.hpp"
#include "server/handlers/scene_params.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

// Outside the clip, the pose at its nearest end is held, as in poses.
BoundsQuery read_interval(QueryReader& reader, const scene::Scene& scene, std::uint32_t clip)
{
    const double duration = clip == scene::none ? 0.0 : scene.clips[clip].duration;
    const double from = reader.number("from", -max_seconds, max_seconds).value_or(0.0);
    const double to = reader.number("to", -max_seconds, max_seconds).value_or(std::max(from, duration));
    if (to < from) reader.reject("to", "is before from");
    return {.clip = clip, .from = std::clamp(from, 0.0, duration), .to = std::clamp(to, 0.0, duration)};
}

// Returns the bounds that the import or a refresh computed.
Result<std::string> stored_bounds(const AssetRecord& asset, Context& context)
{
    if (auto text = context.services.catalog.find_document(asset.id, asset.version, AssetDocument::bounds))
        return response_text(asset, asset.has_current_facts(), std::move(*text));
    return not_imported_error("The bounds are still being computed.");
}

// Returns the clip {clip}; with layers, adjusted joints or attachments the one that has them, in place of the
// asset's clips, or scene::none if it is a constant pose.
std::expected<ClipOfAsset, api::Problem> require_shown_clip(const Request& request, QueryReader& reader,
                                                            Context& context)
{
    const auto attachments = reader.texts("attach");
    const MotionTexts motion{.clip = request.param("clip"), .animation = read_animation(reader)};
    if (attachments.empty() && motion.animation.empty()) return require_clip_of_asset(request, context);
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    if (auto rejection = change_scene(*asset, {.attachments = attachments}, context))
        return std::unexpected(*rejection);
    if (auto baked = bake_motion(*asset, motion, context); !baked) return std::unexpected(baked.error());
    auto scene = require_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    const auto clip = (*scene)->clips.empty() ? scene::none : 0u;
    return ClipOfAsset{std::move(*asset), std::move(*scene), clip};
}

Result<std::string> static_bounds(const AssetRecord& asset, const BoundsQuery& query, Context& context)
{
    if (query.per == BoundsGrouping::clip) return stored_bounds(asset, context);
    auto scene = context.services.scenes.load(asset);
    if (!scene) return std::unexpected(scene.error());
    return query_bounds(context.services.derived, asset, **scene, query);
}

HandlerResult bounds_response(Result<std::string> text, const std::string& etag)
{
    if (!text) return problem(text.error());
    auto response = json_text_response(std::move(*text));
    add_caching(response, etag);
    return response;
}

} // namespace

HandlerResult get_bounds(const Request& request, Context& context)
{
    QueryReader reader(request);
    const BoundsQuery query{.per = reader
                                       .choice<BoundsGrouping>("per", {{"clip", BoundsGrouping::clip},
                                                                       {"joint", BoundsGrouping::joint},
                                                                       {"mesh", BoundsGrouping::mesh}})
                                       .value_or(BoundsGrouping::clip)};
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto etag = bounds_etag(*asset, query);
    if (auto same = not_modified(request, etag)) return std::move(*same);
    return bounds_response(static_bounds(*asset, query, context), etag);
}

HandlerResult get_clip_bounds(const Request& request, Context& context)
{
    QueryReader reader(request);
    auto target = require_shown_clip(request, reader, context);
    if (!target) return std::unexpected(target.error());
    auto per = reader.choice<BoundsGrouping>("per", {{"clip", BoundsGrouping::clip},
                                                     {"frame", BoundsGrouping::frame},
                                                     {"joint", BoundsGrouping::joint},
                                                     {"mesh", BoundsGrouping::mesh}});
    auto query = read_interval(reader, *target->scene, target->index);
    query.per = per.value_or(BoundsGrouping::clip);
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto etag = bounds_etag(target->asset, query);
    if (auto same = not_modified(request, etag)) return std::move(*same);
    return bounds_response(query_bounds(context.services.derived, target->asset, *target->scene, query),
                           etag);
}

} // namespace vitrine::server
