// Opens the live preview of an asset, or of several side by side (/v1/preview): in this process, at a worker,
// or as a worker for another process.
#include "server/preview/preview.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "api/preview_messages.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/lineup_query.hpp"
#include "server/handlers/motion_params.hpp"
#include "server/handlers/scene_params.hpp"
#include "server/link/link_frames.hpp"
#include "server/link/link_pool.hpp"
#include "server/link/link_server.hpp"
#include "server/net/async.hpp"
#include "server/net/websocket.hpp"
#include "server/routing/fields/trace_context.hpp"
#include "server/services/visibility/visibility.hpp"
#include "server/tracing/trace_scope.hpp"

namespace vitrine::server {
namespace {

// Runs on the scenes pool. `is_shared`: for a share link, which shows no other assets.
Result<ShownScene> load_shown_scene(AssetRecord asset, const SceneChoice& choice, bool is_shared,
                                    Context& context)
{
    if (is_shared && !(choice.attachments.empty() && choice.clips.empty()))
        return make_error(Errc::invalid, "not_shared", "the link shows no other assets");
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

std::unexpected<api::Problem> no_device()
{
    return problem(ServiceError{Errc::unavailable, "no_device", "", "No render device is available.", 5});
}

std::string param_or_empty(const Request& request, std::string_view name)
{
    const auto found = std::ranges::find(request.params, name, &std::pair<std::string, std::string>::first);
    return found == request.params.end() ? "" : found->second;
}

bool is_row(const Request& request)
{
    return param_or_empty(request, "id").empty();
}

// The request for a row. Errors: of the syntax of a query.
std::expected<Request, api::Problem> request_for_row(const std::string& query)
{
    auto target = parse_target("/v1/preview?" + query);
    if (!target) return problem(400, "bad_request", "The query is invalid.");
    return Request{.method = Method::get, .method_name = "GET", .target = std::move(*target)};
}

// Runs on the scenes pool.
Result<ShownScene> load_row(const std::string& query, Context& context)
{
    const auto request = request_for_row(query);
    auto shown = request ? require_row(*request, nullptr, context) : std::unexpected(request.error());
    if (shown) return std::move(*shown);
    auto why = shown.error().detail;
    for (const auto& fault : shown.error().errors)
        why += fmt::format(" {}: {}.", fault.pointer, fault.detail);
    return make_error(Errc::invalid, shown.error().code, std::move(why));
}

// Runs on the scenes pool.
std::expected<PreviewSource, api::Problem> require_row_source(ViewerPlace place, const Request& request,
                                                              Context& context)
{
    auto shown = require_row(request, request.socket, context);
    if (!shown) return std::unexpected(shown.error());
    const auto device = context.services.renders.device(shown->content_hash);
    if (!device) return no_device();
    auto info = describe_row_preview(request.target.raw_query, *shown, *device);
    auto load_scene = [&context,
                       visible = visibility_of(request.principal, Access::read)](const auto& choice) {
        const VisibilityScope seen(visible);
        return load_row(choice.row, context);
    };
    return PreviewSource{.place = std::move(place),
                         .shown = std::move(*shown),
                         .load_scene = std::move(load_scene),
                         .info = std::move(info)};
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
    if (!device) return no_device();
    auto load_scene = [&context, asset = *asset, is_shared = request.principal.scope != nullptr,
                       visible = visibility_of(request.principal, Access::read)](const auto& choice) {
        const VisibilityScope seen(visible);
        return load_shown_scene(asset, choice, is_shared, context);
    };
    auto info = describe_preview(*asset, **scene, *device);
    return PreviewSource{
        .place = std::move(place),
        .shown = {.scene = std::move(*scene), .content_hash = std::move(asset->content_hash)},
        .load_scene = std::move(load_scene),
        .info = std::move(info)};
}

// Visitors by a link leave half of the places to those who have signed in.
std::size_t viewer_limit(const Principal& principal, std::size_t max_viewers)
{
    return principal.scope && max_viewers > 1 ? max_viewers / 2 : max_viewers;
}

// A preview that this process shows.
asio::awaitable<OpenedPreview> open_here(const Request& request, Context& context)
{
    auto place =
        ViewerPlace::take(context.viewers, viewer_limit(request.principal, context.limits.max_viewers));
    if (!place)
        co_return problem(ServiceError{Errc::busy, "too_many_viewers", "",
                                       "Too many live previews are open; try again later.", 5});
    const bool row = is_row(request);
    const std::string trace(trace_id_of(request.headers));
    auto source = co_await run_on_pool(context.scenes_pool, [&] {
        const TraceScope scope(trace);
        const VisibilityScope seen(visibility_of(request.principal, Access::read));
        return row ? require_row_source(std::move(*place), request, context)
                   : require_source(std::move(*place), request, context);
    });
    if (!source) co_return std::unexpected(source.error());
    source->trace = trace;
    source->load_scene = [trace, load = std::move(source->load_scene)](const SceneChoice& choice) {
        const TraceScope scope(trace);
        return load(choice);
    };
    co_return make_preview(std::move(*source), PreviewLimits{.max_side = context.limits.max_preview_side},
                           context);
}

// The worker that has the first model has the others as soon as it has drawn the row.
std::expected<std::vector<LinkTarget>, api::Problem> require_workers_of_row(const Request& request,
                                                                            Context& context)
{
    const auto query = require_lineup_query(request);
    if (!query) return std::unexpected(query.error());
    std::optional<AssetRecord> first;
    for (const auto& model : query->models) {
        auto asset = require_model(model.id, context);
        if (!asset) return std::unexpected(asset.error());
        if (!first) first = std::move(*asset);
    }
    return context.links->find(first->content_hash);
}

// Runs on the catalog pool. Also before a worker is asked: most rejections need none.
std::expected<std::vector<LinkTarget>, api::Problem> require_workers(const Request& request, Context& context)
{
    if (is_row(request)) return require_workers_of_row(request, context);
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    const auto asset = require_imported(request, context);
    if (!asset) return std::unexpected(asset.error());
    return context.links->find(asset->content_hash);
}

// A preview of the first worker that has room for it.
asio::awaitable<OpenedPreview> open_at_worker(const Request& request, Context& context)
{
    const auto visible = visibility_of(request.principal, Access::read);
    if (visible && is_row(request)) // the worker does not know what later rows may show
        co_return std::unexpected(
            role_problem(Role::viewer, "Live previews of several assets require the role viewer."));
    const auto targets = co_await run_on_pool(context.catalog_pool, [&] {
        const VisibilityScope seen(visible);
        return require_workers(request, context);
    });
    if (!targets) co_return std::unexpected(targets.error());
    const StreamOpen wanted{.asset = param_or_empty(request, "id"),
                            .version = param_or_empty(request, "n"),
                            .query = request.target.raw_query,
                            .principal =
                                (visible ? std::string(own_asset_prefix) : "") + to_text(request.principal),
                            .request = request.id,
                            .trace = std::string(trace_id_of(request.headers))};
    OpenedPreview rejection = no_device();
    for (const auto& target : *targets) {
        auto opened = co_await context.links->open(target, wanted);
        if (auto* session = std::get_if<std::unique_ptr<WebSocketSession>>(&opened))
            co_return std::move(*session);
        const auto* const problem = std::get_if<api::Problem>(&opened);
        if (problem == nullptr) continue; // unreachable
        rejection = std::unexpected(*problem);
        if (problem->status < 500) break; // each worker would answer so
    }
    co_return rejection;
}

// The request of a viewer at another process, which has checked that it may read.
asio::awaitable<OpenedPreview> open_for_link(StreamOpen wanted, Context& context)
{
    Request request{.method = Method::get, .method_name = "GET", .id = wanted.request};
    const auto path = wanted.asset.empty() ? std::string("/v1/preview?")
                                           : "/v1/assets/" + percent_encode(wanted.asset) + "/preview?";
    auto target = parse_target(path + wanted.query);
    if (!target) co_return problem(400, "bad_request", "The query is invalid.");
    request.target = std::move(*target);
    if (is_link_text(wanted.principal) || wanted.principal.starts_with(own_asset_prefix))
        request.principal.scope = std::make_shared<const LinkScope>();
    if (!wanted.asset.empty()) request.params.emplace_back("id", std::move(wanted.asset));
    if (!wanted.version.empty()) request.params.emplace_back("n", std::move(wanted.version));
    if (!wanted.trace.empty()) request.headers.add("traceparent", make_traceparent(wanted.trace));
    auto opened = co_await open_here(request, context);
    const TraceScope trace(std::move(wanted.trace)); // until the coroutine ends: nothing suspends it
    spdlog::info("msg=\"preview over a link\" id={} asset={} status={} principal={:?}", request.id,
                 param_or_empty(request, "id"), opened ? 101 : opened.error().status, wanted.principal);
    co_return opened;
}

} // namespace

// A request without an upgrade learns whether a WebSocket would be accepted: scripts in browsers cannot see
// why one was rejected.
asio::awaitable<HandlerResult> open_preview(Request& request, BodySource&, Context& context)
{
    const bool websocket = wants_websocket(request);
    if (websocket) {
        if (auto rejection = reject_handshake(request, api::preview_protocol))
            co_return std::move(*rejection);
    }
    auto session = context.links != nullptr ? co_await open_at_worker(request, context)
                                            : co_await open_here(request, context);
    if (!session) co_return std::unexpected(session.error());
    if (!websocket) co_return websocket_required(request, "The live preview requires a WebSocket upgrade.");
    Response response{.status = 101};
    response.body = std::move(*session);
    co_return response;
}

// The peer proves by the secret of links that it may open previews; without a secret, everyone who reaches
// this process may.
asio::awaitable<HandlerResult> open_link(Request& request, BodySource&, Context& context)
{
    if (!wants_websocket(request))
        co_return websocket_required(request, "A link requires a WebSocket upgrade.");
    if (auto rejection = reject_handshake(request, link_protocol)) co_return std::move(*rejection);
    if (context.link_secret.empty() && request.principal.kind != Principal::Kind::open)
        co_return problem(403, "token_required_behind_proxy",
                          "Links behind a proxy need a secret: serve with --link-secret-file.");
    Response response{.status = 101};
    response.body = make_link_server(
        {.secret = context.link_secret,
         .peer = std::string(request.peer_text()),
         .open = [&context](StreamOpen wanted) { return open_for_link(std::move(wanted), context); }});
    co_return response;
}

} // namespace vitrine::server
