#include "server/routing/dispatcher.hpp"

#include <chrono>

#include "server/net/async.hpp"
#include "server/net/byte_range.hpp"
#include "server/routing/arriving_body.hpp"
#include "server/routing/content_encoding.hpp"
#include "server/routing/fields/cors.hpp"
#include "server/routing/fields/security_headers.hpp"
#include "server/routing/fields/trace_context.hpp"
#include "server/routing/idempotency.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/remote_image.hpp"
#include "server/routing/request_rates.hpp"
#include "server/routing/request_watch.hpp"
#include "server/routing/response_cache.hpp"
#include "server/routing/revalidation.hpp"
#include "server/routing/sign_in.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/visibility/visibility.hpp"
#include "server/sharing/shared_scope.hpp"
#include "server/sharing/stream_access.hpp"
#include "server/tracing/trace_scope.hpp"

namespace vitrine::server {
namespace {
using Clock = std::chrono::steady_clock;

// Time in a queue after which a peer that has sent the end of its stream counts as gone. Most have closed
// their socket; the few that still wait for the response get it if the server is not busy.
constexpr std::chrono::milliseconds half_close_grace{100};

// Of requests that only read: others take effect although nobody waits any more.
bool is_abandoned(const Request& request, Clock::time_point queued)
{
    if (!request.socket || changes_something(request.method)) return false;
    return request.socket->is_gone() ||
           (Clock::now() - queued > half_close_grace && request.socket->has_ended());
}

double seconds_since(Clock::time_point began)
{
    return std::chrono::duration<double>(Clock::now() - began).count();
}

} // namespace

// One request on its way through the dispatcher.
struct Dispatcher::Exchange {
    const Route* route = nullptr;
    std::string failure; // cause of a 5xx for the log
    bool body_is_malformed = false;
    RateStatus rate;
    Encoding encoding = Encoding::identity;
    std::optional<ResponseCache::Validity> validity; // of a response that may be cached
};

Dispatcher::Dispatcher(Context& context, RouteTable table, Guard guard, std::size_t in_flight_limit, Log log)
    : context_(context), table_(table), guard_(std::move(guard)), cors_(guard_.origins()),
      in_flight_limit_(in_flight_limit), log_(std::move(log)),
      meters_(std::make_unique<RequestMeters>(context.registry, table.routes, table.fallback))
{
}

RouteMatch Dispatcher::find_route(const Request& request) const
{
    auto match = match_route(table_.routes, request.method, request.target.segments);
    const bool page =
        match.allowed.empty() && !match.has_extra_slash && request.target.segments.front() != "v1";
    if (!page) return match;
    match.allowed.push_back(Method::get);
    if (request.method == Method::get || request.method == Method::head) match.route = &table_.fallback;
    return match;
}

asio::awaitable<Response> Dispatcher::handle(Request& request, BodySource& body)
{
    auto began = Clock::now();
    Exchange exchange;
    request.principal = guard_.identify_sender(request);
    guard_.describe_client(request);
    auto result = co_await respond(request, body, exchange);
    if (!result) result.error().request_id = request.id;
    Response response = result ? std::move(*result) : to_response(result.error());
    // The unread body would be parsed as a request.
    response.close = response.close || response.status == 408 || exchange.body_is_malformed;
    add_security_headers(response);
    if (guard_.requires_token()) make_private(response);
    publish_signed_picture(request.principal, response);
    if (const auto* route = exchange.route)
        limit_stream(response, stream_access_of(guard_, request, rules_of(*route)));
    cors_.add_vary(response);
    if (exchange.validity) {
        const ResponseOrigin origin{exchange.route->name, exchange.encoding, *exchange.validity};
        cache_response(context_.response_cache, request, origin, response);
    }
    cors_.add_fields(request, response);
    add_rate_fields(exchange.rate, response);
    response.headers.set("X-Request-Id", request.id);
    double elapsed = seconds_since(began);
    auto name = exchange.route ? exchange.route->name : std::string_view("none");
    meters_->count(name, response.status, elapsed);
    auto line = log_line_of(request, {name, response.status, body_length(response.body), elapsed});
    line.failure = exchange.failure;
    log_(line);
    co_return response;
}

// Everything that may be answered differently (a rejection, a part of a file) is left to handle(). Cached
// responses are those of routes with Access::read.
CacheHit Dispatcher::find_cached(const Request& request, std::string_view target)
{
    const auto began = Clock::now();
    const auto sender = guard_.identify(request);
    const auto& principal = *sender;
    if (request.headers.find("Range") || request.headers.find("If-Match")) return {};
    if (guard_.check(request, principal, Access::read, false) || cors_.adds_fields(request)) return {};
    const ResponseCacheKey key{target, request.headers.find("Accept").value_or(""),
                               choose_encoding(request.headers)};
    CacheHit hit{.response = context_.response_cache.find(key)};
    if (!hit.response) return {};
    const auto known = request.headers.find("If-None-Match");
    hit.unchanged = known && matches_etag(*known, hit.response->etag);
    if (!hit.unchanged && hit.response->head.empty()) return {};
    if (context_.rates && context_.rates->limits(principal) && // otherwise the address need not be known
        !context_.rates->count_cached(principal, guard_.client_of(request).address, began, hit))
        return {};
    hit.id = make_request_id();
    const int status = hit.unchanged ? 304 : 200;
    const double elapsed = seconds_since(began);
    meters_->count(hit.response->route, status, elapsed);
    const auto bytes = hit.unchanged ? 0 : hit.response->body().size();
    auto line = log_line_of(request, {hit.response->route, status, bytes, elapsed});
    line.id = view_of(hit.id);
    line.method = to_string(request.method);
    line.path = target.substr(0, target.find('?'));
    line.principal = to_text(principal);
    log_(line);
    return hit;
}

Response Dispatcher::reject(int status, std::string_view why)
{
    api::Problem rejection{.status = status, .code = code_of_rejection(status), .detail = std::string(why)};
    rejection.request_id = view_of(make_request_id());
    auto response = to_response(rejection);
    response.headers.set("X-Request-Id", rejection.request_id);
    add_security_headers(response);
    meters_->count("none", status, 0.0);
    return response;
}

// Maps all errors to responses. Only PeerDisconnected passes, because no response can be sent.
asio::awaitable<HandlerResult> Dispatcher::respond(Request& request, BodySource& body, Exchange& exchange)
{
    InFlight counted(in_flight_);
    meters_->set_in_flight(in_flight_);
    try {
        auto match = find_route(request);
        exchange.route = match.route;
        if (context_.rates)
            exchange.rate = co_await count_rate(*context_.rates, context_.catalog_pool, request, match.route);
        if (exchange.rate.is_rejected()) co_return std::unexpected(rate_problem(exchange.rate));
        if (auto result = respond_without_handler(request, match)) co_return std::move(*result);
        request.params = std::move(match.params);
        if (auto rejection = co_await check_scope(request, *match.route))
            co_return std::unexpected(std::move(*rejection));
        ArrivingBody arriving(body, in_flight_, arriving_);
        co_return co_await run(request, arriving, exchange);
    } catch (const PeerDisconnected&) {
        throw;
    } catch (const BodyTimeout&) {
        co_return problem(408, "body_timeout", "The body did not arrive in time.");
    } catch (const BodyMalformed&) {
        exchange.body_is_malformed = true;
        co_return problem(400, "bad_request", "The chunks of the body are not valid.");
    } catch (const PoolBusy&) {
        co_return problem(
            ServiceError{Errc::busy, "server_busy", "", "The server is overloaded; try again later.", 2});
    } catch (const ResponsesFull&) {
        co_return problem(ServiceError{Errc::busy, "responses_full", "",
                                       "Too many large responses are being sent; try again later.", 5});
    } catch (const MemoryFull& full) {
        co_return std::unexpected(to_problem(full));
    } catch (const StorageError& error) {
        exchange.failure = error.what();
        co_return std::unexpected(to_problem(error));
    } catch (const std::exception& error) {
        exchange.failure = error.what();
    }
    co_return problem(500, "internal",
                      "An internal error occurred; the server's log has details under the request id.");
}

std::optional<HandlerResult> Dispatcher::respond_without_handler(const Request& request,
                                                                 const RouteMatch& match) const
{
    const Route* route = match.route;
    const bool writes = changes_something(request.method) || (route && route->upgrades);
    const auto access = route ? access_for(*route, request) : Access::read;
    const auto sharing = route ? route->sharing : Sharing::none;
    const auto granted = route ? route->granted : Granted::anything;
    const auto rejection = guard_.check(request, request.principal, access, writes, sharing, granted);
    const bool is_other_host = rejection && rejection->status == 421;
    if (auto answer = cors_.answer_preflight(request); answer && !is_other_host) return std::move(*answer);
    if (auto answer = sign_in(guard_, request, rejection, provider_of(context_))) {
        record_sign_in(context_, request, *answer);
        return std::move(answer->response);
    }
    if (rejection) return std::unexpected(*rejection);
    if (match.has_extra_slash) return without_slash(request);
    if (match.allowed.empty()) return problem(404, "no_route", "This path does not exist.");
    if (request.method == Method::options && !route) return options_response(match.allowed);
    if (!route) return method_not_allowed(request, match.allowed);
    const bool has_body = request.content_length.value_or(0) > 0 || request.headers.find("Transfer-Encoding");
    const bool is_public = access == Access::anyone; // a sign-in has a body; those of others leave room
    const auto arriving_limit = is_public ? std::max<std::size_t>(in_flight_limit_ / 8, 1) : in_flight_limit_;
    if ((!is_public && in_flight_ > in_flight_limit_) || (has_body && arriving_ >= arriving_limit))
        return std::unexpected(api::Problem{.status = 429,
                                            .code = "too_many_requests",
                                            .detail = "Too many requests are in progress; try again later.",
                                            .retry_after_s = 1});
    return std::nullopt;
}

asio::awaitable<std::optional<api::Problem>> Dispatcher::check_scope(const Request& request,
                                                                     const Route& route)
{
    const bool is_link = request.principal.kind == Principal::Kind::link;
    const auto access = access_for(route, request);
    if (access == Access::anyone || (!is_link && may(request.principal.role, access))) co_return std::nullopt;
    co_return co_await run_on_pool(context_.catalog_pool, [&] {
        if (is_link) return check_shared_scope(request, route.sharing, context_.services.tokens.links());
        return check_granted_scope(request, rules_of(route), context_.services.catalog.connections());
    });
}

asio::awaitable<HandlerResult> Dispatcher::run(Request& request, BodySource& body, Exchange& exchange)
{
    const auto& route = *exchange.route;
    if (route.async) co_return co_await route.async(request, body, context_);
    if (auto read = co_await read_body(request, body, route); !read) co_return read;
    std::optional<RequestWatch::Work> work;
    if (route.is_watched || (route.is_drawn && !context_.services.renders.draws()))
        work.emplace(context_.request_watch, request.socket);
    auto queued = Clock::now();
    const auto answer = [&](Context& context) {
        if (is_abandoned(request, queued)) throw PeerDisconnected("the peer does not wait any more");
        if (!work) return run_blocking(request, exchange, context);
        return work->answer([&] { return run_blocking(request, exchange, context); });
    };
    const bool is_large = route.is_large != nullptr && route.is_large(request);
    const auto pool = is_large ? Pool::exports : route.pool;
    try {
        co_return co_await run_on_pool(work_pool(pool), [&] { return answer(context_); });
    } catch (const WouldBlock&) {
    }
    queued = Clock::now();
    co_return co_await wait_for_worker(context_, pool, answer);
}

HandlerResult Dispatcher::run_blocking(Request& request, Exchange& exchange, Context& context)
{
    const auto& route = *exchange.route;
    const AuditScope scope({to_text(request.principal), request.client});
    const TraceScope trace{std::string(trace_id_of(request.headers))};
    const VisibilityScope visible(visibility_of(request.principal, route.access));
    const ResponseEncoding encoding(request, route.is_text);
    exchange.encoding = encoding.encoding();
    const auto validity = validity_of(request, route.source); // before the handler reads anything
    auto result = call_handler(route, request, context);
    if (!result) return result;
    revalidate(request, *result);
    if (auto rejection = check_if_match(request, *result)) return std::unexpected(*rejection);
    const bool is_common = request.principal.role >= Role::viewer; // others get less for this target
    const auto target = target_of(request);
    const auto key = key_of(request, target, exchange.encoding);
    encoding.apply(*result, is_common ? context_.response_cache.find_any(key) : nullptr);
    if (request.method != Method::head) context_.responses.hold(*result);
    const bool may_be_cached = route.access == Access::read && route.source != ResponseSource::unknown;
    if (request.method == Method::get && is_common && may_be_cached) exchange.validity = validity;
    return result;
}

asio::awaitable<HandlerResult> Dispatcher::read_body(Request& request, BodySource& body, const Route& route)
{
    if (route.body_bytes == 0) co_return Response{};
    auto too_large = problem(413, "body_too_large", "The body is longer than this route accepts.");
    if (request.content_length.value_or(0) > route.body_bytes) co_return too_large;
    for (;;) {
        auto piece = co_await body.next();
        if (piece.empty()) co_return Response{};
        if (piece.size() > route.body_bytes - request.body.size()) co_return too_large;
        request.body.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    }
}

} // namespace vitrine::server
