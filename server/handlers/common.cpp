#include "server/handlers/common.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "api/json_text.hpp"
#include "loaders/base/ascii.hpp"
#include "loaders/base/utf8.hpp"
#include "loaders/scene/lookup.hpp"
#include "server/net/byte_range.hpp"
#include "server/net/websocket.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/catalog/append_user_clips.hpp"
#include "server/services/rendering/image_service.hpp"
#include "server/services/storage/scene_changes.hpp"

namespace vitrine::server {
namespace {

bool offers_protocol(const Request& request, std::string_view protocol)
{
    return contains_token(request.headers.find("Sec-WebSocket-Protocol").value_or(""), protocol);
}

// In the version {n} if the path names one.
Result<AssetRecord> find_asset(const Request& request, const Catalog& catalog)
{
    const auto named = std::ranges::find(request.params, "n", &decltype(request.params)::value_type::first);
    if (named == request.params.end()) return catalog.find_asset(request.param("id"));
    auto asset = catalog.find_version(request.param("id"), parse_version(named->second).value_or(0));
    if (asset) asset->is_of_named_version = true;
    return asset;
}

} // namespace

AssetResult require_asset(const Request& request, Context& context)
{
    if (context.posted != nullptr) return *context.posted;
    auto asset = find_asset(request, context.services.catalog);
    if (!asset) return problem(asset.error());
    if (asset->deleted != 0) return problem(404, "asset_in_trash", "This asset is in the trash.");
    hide_custom_fields(request.principal, *asset);
    return std::move(*asset);
}

std::optional<std::uint32_t> parse_version(std::string_view text)
{
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc{} && end == text.data() + text.size() && !text.starts_with('0');
    return is_number ? std::optional(number) : std::nullopt;
}

AssetResult require_imported(const Request& request, Context& context)
{
    auto asset = require_asset(request, context);
    if (asset && !asset->format.empty() && !asset->has_current_facts())
        context.services.importer.prefer_refresh(asset->id);
    if (!asset || !asset->format.empty()) return asset;
    if (asset->status == AssetStatus::importing) return problem(not_imported_error().error());
    auto why =
        asset->problem.value_or(ImportProblem{.code = "import_failed", .where = "", .detail = "unknown"});
    api::Problem failed{.status = 409, .code = "import_failed", .detail = "The import failed: " + why.detail};
    failed.where = why.where;
    return std::unexpected(failed);
}

std::expected<SharedScene, api::Problem> require_scene(const AssetRecord& asset, Context& context)
{
    auto scene = context.services.scenes.load(asset);
    if (!scene) return problem(scene.error());
    return std::move(*scene);
}

api::Problem no_clip(std::string_view text, std::string_view owner)
{
    constexpr std::size_t max_quoted_bytes = 128;
    return {.status = 404,
            .code = "no_clip",
            .detail = fmt::format("{} has no clip '{}'.", owner, truncate_utf8(text, max_quoted_bytes))};
}

std::expected<std::uint32_t, api::Problem> resolve_clip(const scene::Scene& scene, const std::string& text,
                                                        std::string_view owner)
{
    const auto clip = scene::find_clip(scene, text, scene::ClipLookup::exact);
    if (clip) return *clip;
    if (clip.error() == scene::ClipLookupError::several_of_this_name)
        return problem(404, "ambiguous_clip", "Several clips have this name; use the id from /clips.");
    return std::unexpected(no_clip(text, owner));
}

bool is_static_pose(const std::optional<std::string>& clip)
{
    return !clip || *clip == scene::static_pose_word;
}

std::expected<std::uint32_t, api::Problem> require_clip(const std::optional<std::string>& clip,
                                                        const AssetRecord& asset, Context& context)
{
    if (is_static_pose(clip)) return scene::none;
    auto scene = require_scene(asset, context);
    if (!scene) return std::unexpected(scene.error());
    return resolve_clip(**scene, *clip);
}

bool is_immutable(const Request& request, const AssetRecord& asset, const RequestedMotion& motion,
                  std::optional<std::uint64_t> revision)
{
    const bool versioned = !request.params.empty() && request.params.back().first == "n";
    if (!versioned || revision != image_revision) return false;
    if (asset.changes && !asset.changes->attached.empty()) return false;
    if (!asset.has_current_facts()) return false; // is_user_clip() counts clips
    const auto may_change_of = [&](const auto& played) {
        return played.bound_clip || is_user_clip(asset, played.clip);
    };
    const auto may_change = [&](const scene::PoseLayer& layer) {
        return may_change_of(layer) || (layer.reference && may_change_of(*layer.reference));
    };
    if (motion.layers) return std::ranges::none_of(motion.layers->layers, may_change);
    return !is_user_clip(asset, motion.clip);
}

Response websocket_required(const Request& request, std::string detail)
{
    auto response = to_response(
        {.status = 426, .code = "websocket_required", .detail = std::move(detail), .request_id = request.id});
    response.headers.add("Upgrade", "websocket");
    response.headers.add("Connection", "Upgrade");
    response.headers.add("Sec-WebSocket-Version", "13");
    return response;
}

std::optional<HandlerResult> reject_handshake(const Request& request, std::string_view protocol)
{
    if (!has_websocket_version(request))
        return websocket_required(request, "The version of WebSocket must be 13.");
    if (const auto error = handshake_error(request); !error.empty())
        return problem(400, "bad_handshake", std::string(error));
    if (!offers_protocol(request, protocol))
        return problem(400, "unknown_protocol",
                       fmt::format("The client must offer the subprotocol {}.", protocol));
    return std::nullopt;
}

} // namespace vitrine::server
