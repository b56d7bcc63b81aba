// Opens the live preview of an asset.
#include "server/preview/preview.hpp"

#include <fmt/format.h>

#include "api/preview_messages.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/motion_params.hpp"
#include "server/handlers/scene_params.hpp"
#include "server/net/async.hpp"

namespace vitrine::server {
namespace {

bool contains_token(std::string_view field, std::string_view token)
{
    while (!field.empty()) {
        auto comma = std::min(field.find(','), field.size());
        auto part = field.substr(0, comma);
        while (part.starts_with(' '))
            part.remove_prefix(1);
        while (part.ends_with(' '))
            part.remove_suffix(1);
        if (part == token) return true;
        field.remove_prefix(std::min(comma + 1, field.size()));
    }
    return false;
}

bool asks_for_websocket(const Request& request)
{
    const auto upgrade = request.headers.find("Upgrade").value_or("");
    return upgrade == "websocket" || upgrade == "WebSocket";
}

bool offers_protocol(const Request& request)
{
    return contains_token(request.headers.find("Sec-WebSocket-Protocol").value_or(""), api::preview_protocol);
}

Response websocket_required(const Request& request)
{
    auto response = to_response({.status = 426,
                                 .code = "websocket_required",
                                 .detail = "The live preview requires a WebSocket upgrade.",
                                 .request_id = request.id});
    response.headers.add("Upgrade", "websocket");
    return response;
}

// Runs on the scenes pool.
Result<ShownScene> load_shown_scene(AssetRecord asset, const SceneChoice& choice, Context& context)
{
    if (const auto rejection =
            change_scene(asset, {choice.attachments, choice.skinning, choice.look}, context))
        return make_error(Errc::invalid, rejection->code, rejection->detail);
    auto scene = context.services.scenes.load_variant(asset, choice.variant.value_or(scene::none));
    if (!scene) return std::unexpected(std::move(scene.error()));
    ShownScene shown{.scene = std::move(*scene), .content_hash = asset.content_hash};
    if (choice.clips.size() > max_other_clips)
        return make_error(Errc::invalid, "bad_parameter",
                          fmt::format("more than {} clips of other assets are played", max_other_clips));
    for (const auto& text : choice.clips) {
        auto clip = require_other_clip(text, asset, *shown.scene, context);
        if (!clip) return make_error(Errc::invalid, clip.error().code, clip.error().detail);
        shown.clips.emplace(text, std::move(*clip));
    }
    return shown;
}

// Runs on the scenes pool.
std::expected<PreviewSource, api::Problem> require_source(ViewerPlace place, const Request& request,
                                                          Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    auto& services = context.services;
    if (services.renders.quarantined(asset->content_hash))
        return problem(
            ServiceError{Errc::unprocessable, "render_quarantined", "", ModelQuarantined().what()});
    auto scene = services.scenes.load_shown(*asset);
    if (!scene) return problem(scene.error());
    const auto device = services.renders.device(asset->content_hash);
    if (!device)
        return problem(ServiceError{Errc::unavailable, "no_device", "", "No render device is available.", 5});
    auto load_scene = [&context, asset = *asset](const SceneChoice& choice) {
        return load_shown_scene(asset, choice, context);
    };
    auto info = describe_preview(*asset, **scene, *device);
    return PreviewSource{
        .place = std::move(place),
        .shown = {.scene = std::move(*scene), .content_hash = std::move(asset->content_hash)},
        .load_scene = std::move(load_scene),
        .info = std::move(info)};
}

} // namespace

// A request without an upgrade learns whether a WebSocket would be accepted: scripts in browsers cannot see
// why one was rejected.
asio::awaitable<HandlerResult> open_preview(Request& request, BodySource&, Context& context)
{
    const bool websocket = asks_for_websocket(request);
    if (websocket && !offers_protocol(request)) {
        co_return problem(400, "unknown_protocol",
                          "The client must offer the subprotocol vitrine.preview.v1.");
    }
    auto place = ViewerPlace::take(context.viewers, context.limits.max_viewers);
    if (!place) {
        co_return problem(ServiceError{Errc::busy, "too_many_viewers", "",
                                       "Too many live previews are open; try again later.", 5});
    }
    auto source = co_await run_on_pool(context.scenes_pool,
                                       [&] { return require_source(std::move(*place), request, context); });
    if (!source) co_return std::unexpected(source.error());
    if (!websocket) co_return websocket_required(request);
    Response response{.status = 101};
    response.body =
        make_preview(std::move(*source), PreviewLimits{.max_side = context.limits.max_preview_side}, context);
    co_return response;
}

} // namespace vitrine::server
