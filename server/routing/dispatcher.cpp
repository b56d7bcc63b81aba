#include "server/routing/dispatcher.hpp"

#include <chrono>
#include <span>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>

#include "server/net/async.hpp"
#include "server/net/byte_range.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/sign_in.hpp"
#include "server/util/sha256.hpp"

namespace vitrine::server {
namespace {

using Clock = std::chrono::steady_clock;

bool changes_something(Method method)
{
    return method == Method::post || method == Method::put || method == Method::patch ||
           method == Method::delete_;
}

struct InFlight {
    std::atomic<std::size_t>& count;
    explicit InFlight(std::atomic<std::size_t>& counter) : count(counter) { ++count; }
    ~InFlight() { --count; }
};

std::string code_of_rejection(int status)
{
    switch (status) {
    case 408: return "header_timeout";
    case 414: return "url_too_long";
    case 431: return "header_too_large";
    default: return "bad_request";
    }
}

Response method_not_allowed(const Request& request, const std::vector<Method>& allowed)
{
    auto response = to_response({.status = 405,
                                 .code = "method_not_allowed",
                                 .detail = "This path does not support this method.",
                                 .request_id = request.id});
    response.headers.add("Allow", allow_field(allowed));
    return response;
}

Response options_response(const std::vector<Method>& allowed)
{
    Response response{.status = 204};
    response.headers.add("Allow", allow_field(allowed));
    return response;
}

bool wants_tag(const Request& request, const Response& response)
{
    bool reads = request.method == Method::get || request.method == Method::head;
    auto caching = response.headers.find("Cache-Control").value_or("");
    return reads && response.status == 200 && !response.headers.find("ETag") &&
           caching.find("no-store") == std::string_view::npos;
}

// Returns an empty string if the body is not in memory.
std::string tag_of(const ResponseBody& body)
{
    Sha256 hash;
    if (auto text = std::get_if<std::string>(&body)) {
        hash.update(std::string_view(*text));
    } else if (auto bytes = std::get_if<SharedBytes>(&body); bytes && *bytes) {
        hash.update(std::span(**bytes));
    } else {
        return {};
    }
    return "\"" + hash.finish().substr(0, 32) + "\"";
}

Response unchanged(const Response& response)
{
    Response same{.status = 304};
    for (auto name : {"ETag", "Cache-Control", "Vary"}) {
        if (auto value = response.headers.find(name)) same.headers.add(name, std::string(*value));
    }
    return same;
}

// Sets the ETag of a 200 to GET or HEAD with a complete body whose handler sets none, and turns it into a 304
// if If-None-Match contains the tag. Responses with no-store, files and streams are not changed. Hashes the
// body: not on an I/O thread.
void revalidate(const Request& request, Response& response)
{
    if (!wants_tag(request, response)) return;
    auto tag = tag_of(response.body);
    if (tag.empty()) return;
    response.headers.set("ETag", tag);
    if (!response.headers.find("Cache-Control")) response.headers.set("Cache-Control", "no-cache");
    auto known = request.headers.find("If-None-Match");
    if (known && matches_etag(*known, tag)) response = unchanged(response);
}

// Shared caches must not keep what only holders of the token may read.
void make_private(Response& response)
{
    constexpr std::string_view is_public = "public, ";
    auto caching = std::string(response.headers.find("Cache-Control").value_or(""));
    if (caching.starts_with(is_public))
        response.headers.set("Cache-Control", "private, " + caching.substr(is_public.size()));
}

} // namespace

struct Dispatcher::Meters {
    explicit Meters(prometheus::Registry& registry)
        : requests(prometheus::BuildCounter()
                       .Name("vitrine_http_requests_total")
                       .Help("Requests by route and status")
                       .Register(registry)),
          seconds(prometheus::BuildHistogram()
                      .Name("vitrine_http_request_seconds")
                      .Help("Time from the request header to the response")
                      .Register(registry)),
          in_flight(prometheus::BuildGauge()
                        .Name("vitrine_http_requests_in_flight")
                        .Help("Requests in progress")
                        .Register(registry)
                        .Add({}))
    {
    }

    void count(std::string_view route, int status, double elapsed)
    {
        const prometheus::Histogram::BucketBoundaries buckets{0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0};
        std::string name(route);
        requests.Add({{"route", name}, {"status", std::to_string(status)}}).Increment();
        seconds.Add({{"route", name}}, buckets).Observe(elapsed);
    }

    prometheus::Family<prometheus::Counter>& requests;
    prometheus::Family<prometheus::Histogram>& seconds;
    prometheus::Gauge& in_flight;
};

Dispatcher::Dispatcher(Context& context, RouteTable table, Guard guard, std::size_t in_flight_limit, Log log)
    : context_(context), table_(table), guard_(std::move(guard)), in_flight_limit_(in_flight_limit),
      log_(std::move(log)), meters_(std::make_unique<Meters>(context.registry))
{
}

Dispatcher::~Dispatcher() = default;

RouteMatch Dispatcher::find_route(const Request& request) const
{
    auto match = match_route(table_.routes, request.method, request.target.segments);
    bool page = match.allowed.empty() && request.target.segments.front() != "v1";
    if (!page) return match;
    match.allowed.push_back(Method::get);
    if (request.method == Method::get || request.method == Method::head) match.route = &table_.fallback;
    return match;
}

asio::awaitable<Response> Dispatcher::handle(Request& request, BodySource& body)
{
    auto began = Clock::now();
    const Route* route = nullptr;
    std::string failure;
    auto result = co_await respond(request, body, route, failure);
    if (!result) result.error().request_id = request.id;
    Response response = result ? std::move(*result) : to_response(result.error());
    response.close = response.close || response.status == 408; // the unread body would be parsed as a request
    response.headers.set("X-Request-Id", request.id);
    add_security_headers(response);
    if (guard_.requires_token()) make_private(response);
    double elapsed = std::chrono::duration<double>(Clock::now() - began).count();
    auto name = route ? route->name : std::string_view("none");
    meters_->count(name, response.status, elapsed);
    log_({request.id, request.method_name, request.target.path, name, response.status, elapsed * 1e3,
          failure});
    co_return response;
}

Response Dispatcher::reject(int status, std::string_view why)
{
    api::Problem rejection{.status = status, .code = code_of_rejection(status), .detail = std::string(why)};
    rejection.request_id = make_request_id();
    auto response = to_response(rejection);
    response.headers.set("X-Request-Id", rejection.request_id);
    add_security_headers(response);
    meters_->count("none", status, 0.0);
    return response;
}

// Maps all errors to responses. Only PeerDisconnected passes, because no response can be sent.
asio::awaitable<HandlerResult> Dispatcher::respond(Request& request, BodySource& body, const Route*& route,
                                                   std::string& failure)
{
    InFlight counted(in_flight_);
    meters_->in_flight.Set(static_cast<double>(in_flight_.load()));
    try {
        auto match = find_route(request);
        route = match.route;
        if (auto result = respond_without_handler(request, match)) co_return std::move(*result);
        request.params = std::move(match.params);
        co_return co_await run(request, body, *route);
    } catch (const PeerDisconnected&) {
        throw;
    } catch (const BodyTimeout&) {
        co_return problem(408, "body_timeout", "The body did not arrive in time.");
    } catch (const PoolBusy&) {
        co_return problem(
            ServiceError{Errc::busy, "server_busy", "", "The server is overloaded; try again later.", 2});
    } catch (const ResponsesFull&) {
        co_return problem(ServiceError{Errc::busy, "responses_full", "",
                                       "Too many large responses are being sent; try again later.", 5});
    } catch (const StorageError& error) {
        failure = error.what();
        co_return std::unexpected(to_problem(error));
    } catch (const std::exception& error) {
        failure = error.what();
    }
    co_return problem(500, "internal",
                      "An internal error occurred; the server's log has details under the request id.");
}

std::optional<HandlerResult> Dispatcher::respond_without_handler(const Request& request,
                                                                 const RouteMatch& match) const
{
    const Route* route = match.route;
    const bool writes = changes_something(request.method) || (route && route->upgrades);
    const auto rejection = guard_.check(request, writes, route && route->is_public);
    if (auto answer = sign_in(guard_, request, rejection)) return std::move(*answer);
    if (rejection) return std::unexpected(*rejection);
    if (match.allowed.empty()) return problem(404, "no_route", "This path does not exist.");
    if (request.method == Method::options) return options_response(match.allowed);
    if (!route) return method_not_allowed(request, match.allowed);
    if (in_flight_ > in_flight_limit_ && !route->is_public)
        return std::unexpected(api::Problem{.status = 429,
                                            .code = "too_many_requests",
                                            .detail = "Too many requests are in progress; try again later.",
                                            .retry_after_s = 1});
    return std::nullopt;
}

asio::awaitable<HandlerResult> Dispatcher::run(Request& request, BodySource& body, const Route& route)
{
    if (route.async) co_return co_await route.async(request, body, context_);
    auto read = co_await read_body(request, body, route);
    if (!read) co_return read;
    auto& pool = route.pool == Pool::catalog ? context_.catalog_pool : context_.scenes_pool;
    co_return co_await run_on_pool(pool, [&] {
        auto result = route.blocking(request, context_);
        if (result) revalidate(request, *result);
        if (result && request.method != Method::head) context_.responses.hold(*result);
        return result;
    });
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
