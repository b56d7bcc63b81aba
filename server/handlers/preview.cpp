// Opens the live preview of an asset.
#include "server/stream/preview.hpp"
#include "loaders/scene/bounds/bounds.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/net/async.hpp"
#include "server/services/rendering/image_service.hpp"
#include "vk_renderer/camera/best_view.hpp"

namespace vitrine::server {
namespace {

constexpr std::string_view preview_protocol = "vitrine.preview.v1";

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

std::optional<HandlerResult> refuse_upgrade(const Request& request)
{
    auto upgrade = request.headers.find("Upgrade").value_or("");
    if (upgrade != "websocket" && upgrade != "WebSocket") {
        HandlerResult answer = to_response({.status = 426,
                                            .code = "websocket_needed",
                                            .detail = "The live preview requires a WebSocket upgrade.",
                                            .request_id = request.id});
        answer->headers.add("Upgrade", "websocket");
        return answer;
    }
    if (contains_token(request.headers.find("Sec-WebSocket-Protocol").value_or(""), preview_protocol))
        return std::nullopt;
    return problem(400, "unknown_protocol", "The client must offer the subprotocol vitrine.preview.v1.");
}

struct Opening {
    SharedScene scene;
    LoadVariant load_variant;
    std::string model;
    StreamInfo facts;
};

// Runs on the slow pool.
std::expected<Opening, api::Problem> prepare(const Request& request, Context& context)
{
    if (auto refused = refuse_query(request)) return std::unexpected(*refused);
    auto asset = find_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    if (context.services.renders.quarantined(asset->source))
        return problem(
            ServiceError{Errc::unprocessable, "render_quarantined", "", ModelQuarantined().what()});
    auto scene = find_shown_scene(*asset, context);
    if (!scene) return std::unexpected(scene.error());
    auto device = context.services.renders.device(asset->source);
    if (!device)
        return problem(
            ServiceError{Errc::unavailable, "no_device", "", "No graphics device is available.", 5});
    auto batched_frame = thumbnail_params(**scene, 512); // the camera does not orbit when the page opens
    auto first_view =
        render::with_best_view(**scene, batched_frame.view, {batched_frame.clip, batched_frame.time}).camera;
    StreamInfo facts{.asset = asset->id,
                     .device = device->name,
                     .software = device->software,
                     .clips = {},
                     .variants = (*scene)->variants,
                     .bounds = scene::rest_bounds(**scene),
                     .yaw = first_view.yaw,
                     .pitch = first_view.pitch};
    for (const auto& clip : (*scene)->clips)
        facts.clips.push_back({clip.name, clip.duration, clip.frame_rate});
    auto load_variant = [&scenes = context.services.scenes, asset = *asset](auto variant) {
        return scenes.find_variant(asset, variant.value_or(scene::none));
    };
    return Opening{std::move(*scene), std::move(load_variant), std::move(asset->source), std::move(facts)};
}

} // namespace

asio::awaitable<HandlerResult> open_preview(Request& request, BodySource&, Context& context)
{
    if (auto refused = refuse_upgrade(request)) co_return std::move(*refused);
    if (context.viewers >= context.limits.viewers) {
        co_return problem(ServiceError{Errc::busy, "too_many_viewers", "",
                                       "Too many live previews are open; try again later.", 5});
    }
    auto opening = co_await on_work(context.slow, [&] { return prepare(request, context); });
    if (!opening) co_return std::unexpected(opening.error());
    StreamLimits limits{.side = context.limits.preview_side};
    Response response{.status = 101};
    response.body = make_preview(std::move(opening->scene), std::move(opening->load_variant),
                                 std::move(opening->model), std::move(opening->facts), limits, context);
    co_return response;
}

} // namespace vitrine::server
