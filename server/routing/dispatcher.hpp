#pragma once
// Common processing around every handler: Host, Origin and token, routing, 404 and 405, limit of concurrent
// requests, body limits, pools, cached responses, encodings, metrics, log line, request id, and the mapping
// of errors to problem+json.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include <prometheus/registry.h>

#include "server/net/connection.hpp"
#include "server/net/request_guard.hpp"
#include "server/routing/context.hpp"
#include "server/routing/fields/cors.hpp"
#include "server/routing/request_log.hpp"
#include "server/routing/request_meters.hpp"
#include "server/routing/route.hpp"

namespace vitrine::server {

// All routes of the server, and the page route, which answers GET for each path outside /v1 that matches no
// route.
struct RouteTable {
    std::span<const Route> routes;
    const Route& fallback;
};

class Dispatcher final : public HttpHandler {
public:
    using Log = std::function<void(const LogLine&)>;
    Dispatcher(Context& context, RouteTable table, Guard guard, std::size_t in_flight_limit, Log log);

    asio::awaitable<Response> handle(Request& request, BodySource& body) override;
    Response reject(int status, std::string_view why) override;
    CacheHit find_cached(const Request& request, std::string_view target) override;

private:
    struct Exchange;
    asio::awaitable<HandlerResult> respond(Request& request, BodySource& body, Exchange& exchange);
    // Returns the response if the handler must not run, else nothing.
    std::optional<HandlerResult> respond_without_handler(const Request& request,
                                                         const RouteMatch& match) const;
    asio::awaitable<std::optional<api::Problem>> check_scope(const Request& request, const Route& route);
    asio::awaitable<HandlerResult> run(Request& request, BodySource& body, Exchange& exchange);
    HandlerResult run_blocking(Request& request, Exchange& exchange, Context& context);
    asio::awaitable<HandlerResult> read_body(Request& request, BodySource& body, const Route& route);

    RouteMatch find_route(const Request& request) const;
    WorkPool& work_pool(Pool pool) const;
    ResponseCache::Validity validity_of(const Request& request, ResponseSource source) const;

    Context& context_;
    RouteTable table_;
    Guard guard_;
    Cors cors_;
    std::size_t in_flight_limit_;
    Log log_;
    std::atomic<std::size_t> in_flight_ = 0; // without those that wait for their body
    std::atomic<std::size_t> arriving_ = 0;  // those
    std::unique_ptr<RequestMeters> meters_;
};

} // namespace vitrine::server
