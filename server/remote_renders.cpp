#include "server/remote_renders.hpp"

#include <chrono>
#include <span>
#include <string_view>

#include <spdlog/spdlog.h>

#include "server/handlers/handlers.hpp"
#include "server/handlers/routes.hpp"
#include "server/routing/context.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/remote_image.hpp"
#include "server/services/rendering/image_service.hpp"
#include "server/tracing/trace_scope.hpp"

namespace vitrine::server {
namespace {

HandlerResult answer(const std::string& text, Context& context)
{
    auto request = parse_remote_request(text);
    if (!request) return problem(400, "bad_request", "This is not a request for an image.");
    if (const auto models = parse_remote_request_models(text); !models.empty()) {
        const auto files =
            context.services.blobs->receive(parse_remote_request_place(text), blobs_of(models));
        if (!files) return problem(files.error());
        return answer_remote_render_of_models(*request, models, context);
    }
    auto match = match_route(all_routes(), Method::get, request->target.segments);
    if (match.route == nullptr || !match.route->is_drawn || match.route->blocking == nullptr)
        return problem(404, "no_route", "A worker draws images only.");
    request->params = std::move(match.params);
    return match.route->blocking(*request, context);
}

constexpr std::size_t inline_bytes = 32 * 1024; // smaller images are in the answer

// Hands the image over by the derived data that processes share, if the request has its key. This process may
// know another state of the asset or make other images than the one that asks: then it is another image.
void publish(const std::string& text, RemoteRenderResult& outcome, DerivedCache& derived)
{
    if (outcome.status != 200 || outcome.body.size() <= inline_bytes || !derived.is_shared()) return;
    const auto key = parse_remote_request_key(text);
    if (!key || etag_of(*key) != outcome.etag) return;
    if (!derived.contains(*key)) derived.store(*key, std::as_bytes(std::span(outcome.body)));
    if (derived.publish(*key)) outcome.body.clear();
}

// The image or the pick; anything else, such as a pending thumbnail, is not drawn yet.
RemoteRenderResult outcome_of(const Response& response)
{
    const auto body = body_bytes(response.body);
    const auto type = response.headers.find("Content-Type");
    if (response.status != 200 || !body || !type)
        return to_outcome({.status = 503,
                           .code = "not_drawn",
                           .detail = "The image cannot be drawn yet; try again later.",
                           .retry_after_s = 1});
    return {.status = 200,
            .content_type = std::string(*type),
            .body = std::string(*body),
            .etag = std::string(response.headers.find("ETag").value_or(""))};
}

// The worker's line of the request.
void log_drawn(const std::string& text, const RemoteRenderResult& outcome,
               std::chrono::steady_clock::time_point began)
{
    const auto request = parse_remote_request(text);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - began;
    spdlog::info("msg=\"image for another process\" path={} status={} ms={:.2f}",
                 request ? request->target.path : "-", outcome.status, time.count());
}

} // namespace

RemoteRenderResult answer_remote_render(const std::string& text, Context& context)
{
    const TraceScope trace(parse_remote_request_trace(text));
    const auto began = std::chrono::steady_clock::now();
    try {
        const auto result = answer(text, context);
        auto outcome = result ? outcome_of(*result) : to_outcome(result.error());
        publish(text, outcome, context.services.derived);
        log_drawn(text, outcome, began);
        return outcome;
    } catch (const StorageError& error) {
        spdlog::error("msg=\"image for another process not drawn\" error={:?}",
                      std::string_view(error.what()));
        return to_outcome(to_problem(error));
    }
}

} // namespace vitrine::server
