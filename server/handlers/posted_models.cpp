// The model is the body of the request: POST /v1/inspect, /render, /animation, /convert and /check. Nothing
// of it is kept, and nothing of it is on the disk, unless a worker draws it. Of a deferred response only the
// response is kept.
#include <functional>

#include "api/scene_json.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/deferred/deferred_response.hpp"
#include "server/handlers/handlers.hpp"
#include "server/net/async.hpp"
#include "server/net/multipart.hpp"
#include "server/routing/query_reader.hpp"
#include "server/routing/remote_image.hpp"
#include "server/routing/request_watch.hpp"
#include "server/services/storage/scene_changes.hpp"
#include "server/services/visibility/visibility.hpp"
#include "server/uploads/upload_sinks.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

using UploadedModels = std::vector<NewAsset>;
using AnswerModels = std::function<HandlerResult(const Request&, const UploadedModels&, Context&)>;

// Removes the parameter from the query, which the handler of an asset reads after this.
std::expected<std::optional<std::string>, api::Problem> take_text(Request& request, std::string_view name)
{
    std::optional<std::string> text;
    auto& query = request.target.query;
    for (const auto& [key, value] : query) {
        if (key != name) continue;
        if (text)
            return problem(
                reject_parameter(std::string(name), "the parameter is given more than once").error());
        text = value;
    }
    std::erase_if(query, [&](const auto& entry) { return entry.first == name; });
    return text;
}

// A response to one client only, of what exists for this request only.
Response unkept(Response response)
{
    Headers fields;
    for (const auto& [name, value] : response.headers)
        if (name != "ETag") fields.add(name, value);
    fields.set("Cache-Control", "no-store");
    response.headers = std::move(fields);
    return response;
}

// Receives the models of the body, with the parameter `name`, or the name of Content-Disposition. Their files
// exist as long as the result does.
asio::awaitable<ReceivedUpload> receive_models(Request& request, BodySource& body, MemoryFiles* memory,
                                               Context& context)
{
    auto name = take_text(request, "name");
    if (!name) co_return std::unexpected(name.error());
    if (!*name) *name = disposition_filename(request.headers.find("Content-Disposition").value_or(""));
    co_return co_await receive_upload(request, std::move(*name), UploadUse::answered, body, context, memory);
}

// Answers with the models of the body. The answer has a time limit and ends when the client leaves.
asio::awaitable<HandlerResult> answer_posted(Request& request, BodySource& body, Context& context,
                                             AnswerModels answer)
{
    MemoryFiles memory(context.services.posted_bytes, context.services.posted_limit);
    auto received = co_await receive_models(request, body, &memory, context);
    if (!received) co_return std::unexpected(received.error());
    RequestWatch::Work work(context.request_watch, request.socket); // from when the body is here
    const auto make = [&, sink = std::move(*received)]() -> HandlerResult {
        const VisibilityScope seen(visibility_of(request.principal, Access::read));
        auto models = context.services.ingest.find_assets(std::move(sink->files), nullptr, &memory);
        if (!models) return problem(models.error());
        if (may_defer_kept(request, context))
            return defer_kept_response(
                request, context,
                [answer, models = std::move(*models)](const Request& asked, Context& later) {
                    return answer(asked, models, later);
                });
        auto response = answer(request, *models, context);
        if (!response) return response;
        auto sent = unkept(std::move(*response));
        context.responses.hold(sent);
        return sent;
    };
    co_return co_await run_on_pool(context.exports_pool, [&] { return work.answer([&] { return make(); }); });
}

// Answers as `handler` does for the asset of its path.
HandlerResult answer_model(const Request& request, const AssetResult& asset, Context& context,
                           BlockingHandler handler)
{
    if (!asset) return std::unexpected(asset.error());
    Context own(context);
    own.posted = &*asset;
    return handler(request, own);
}

asio::awaitable<HandlerResult> answer_as_asset(Request& request, BodySource& body, Context& context,
                                               BlockingHandler handler)
{
    auto name = take_text(request, "model");
    if (!name) co_return std::unexpected(name.error());
    co_return co_await answer_posted(
        request, body, context,
        [handler, name = std::move(*name)](const Request& asked, const UploadedModels& models,
                                           Context& shared) {
            // A job that waits holds the files only, and reads them again.
            return answer_model(asked, load_chosen_model(models, name, shared), shared, handler);
        });
}

// Sequences (Pool::exports) come after stills.
HandlerResult draw_models(const Request& request, const UploadedModels& models, Pool pool, Context& context)
{
    const auto files = context.services.blobs->hand_over(blobs_of(models));
    const auto order = remote_request_text(request, models, files.place);
    const auto hash = Catalog::source_hash(models.front());
    auto drawn = context.services.remote_renderer.draw({.id = sha256_hex("posted " + order),
                                                        .model = std::string(quarantine_group(hash)),
                                                        .request = order,
                                                        .priority = pool == Pool::exports ? 1u : 0u},
                                                       hash);
    if (!drawn) return problem(drawn.error());
    if (drawn->status != 200) return std::unexpected(parse_problem(*drawn));
    auto response = unkept(text_response(200, std::move(drawn->content_type), std::move(drawn->body)));
    context.responses.hold(response);
    return response;
}

// Draws, or only checks, as answer_remote_render_of_models() will.
HandlerResult draw_models_later(Request request, const UploadedModels& models, Pool pool, Context& context)
{
    if (!context.checks_only) return draw_models(request, models, pool, context);
    const auto name = take_text(request, "model");
    if (!name) return std::unexpected(name.error());
    return answer_model(request, load_chosen_model(models, *name, context), context,
                        pool == Pool::scenes ? get_render : get_animation);
}

// By a worker, to which the store of blobs hands the files over until it has answered.
asio::awaitable<HandlerResult> answer_by_worker(Request& request, BodySource& body, Context& context,
                                                Pool pool)
{
    if (visibility_of(request.principal, Access::read) && may_show_other_assets(request))
        co_return std::unexpected(role_problem(
            Role::viewer, "Assets of the library beside posted models require the role viewer."));
    auto received = co_await receive_models(request, body, nullptr, context);
    if (!received) co_return std::unexpected(received.error());
    RequestWatch::Work work(context.request_watch, request.socket);
    UploadedModels models;
    const auto find = [&]() -> HandlerResult {
        auto found = context.services.ingest.find_assets(std::move((*received)->files));
        if (!found) return problem(found.error());
        models = std::move(*found);
        if (!may_defer_kept(request, context)) return Response{};
        return defer_kept_response(request, context, [models, pool](const Request& asked, Context& later) {
            return draw_models_later(asked, models, pool, later);
        });
    };
    auto ready = co_await run_on_pool(context.exports_pool, [&] { return work.answer(find); });
    if (!ready || ready->status == 202) co_return ready;
    co_return co_await wait_for_worker(context, pool, [&](Context& waiting) {
        return work.answer([&] { return draw_models(request, models, pool, waiting); });
    });
}

HandlerResult inspect_scene(const Request& request, Context& context)
{
    if (auto rejection = reject_query(request)) return std::unexpected(*rejection);
    if (context.checks_only) return Response{};
    return json_response(200, api::inspect_json(*context.posted->posted->scene));
}

} // namespace

asio::awaitable<HandlerResult> inspect_posted(Request& request, BodySource& body, Context& context)
{
    return answer_as_asset(request, body, context, inspect_scene);
}

HandlerResult answer_remote_render_of_models(Request& request, const std::vector<NewAsset>& models,
                                             Context& context)
{
    const auto& path = request.target.path;
    if (path != "/v1/render" && path != "/v1/animation")
        return problem(404, "no_route", "A worker draws images only.");
    auto name = take_text(request, "model");
    if (!name) return std::unexpected(name.error());
    auto response = answer_model(request, load_chosen_model(models, *name, context), context,
                                 path == "/v1/render" ? get_render : get_animation);
    return response ? unkept(std::move(*response)) : std::move(response);
}

asio::awaitable<HandlerResult> render_posted(Request& request, BodySource& body, Context& context)
{
    if (!context.services.renders.draws()) return answer_by_worker(request, body, context, Pool::scenes);
    return answer_as_asset(request, body, context, get_render);
}

asio::awaitable<HandlerResult> animate_posted(Request& request, BodySource& body, Context& context)
{
    if (!context.services.renders.draws()) return answer_by_worker(request, body, context, Pool::exports);
    return answer_as_asset(request, body, context, get_animation);
}

asio::awaitable<HandlerResult> convert_posted(Request& request, BodySource& body, Context& context)
{
    return answer_as_asset(request, body, context, get_export);
}

asio::awaitable<HandlerResult> check_posted(Request& request, BodySource& body, Context& context)
{
    return answer_posted(request, body, context, check_models);
}

} // namespace vitrine::server
