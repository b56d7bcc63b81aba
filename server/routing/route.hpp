#pragma once
// A route: method and path, handler, pool, and limits.

#include <algorithm>
#include <array>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/problem.hpp"
#include "server/net/http.hpp"

namespace vitrine::server {

struct Context; // server/routing/context.hpp

using HandlerResult = std::expected<Response, api::Problem>;
// Runs on a pool, may block.
using BlockingHandler = HandlerResult (*)(const Request&, Context&);
// Runs on the connection's strand, must not block.
using AsyncHandler = asio::awaitable<HandlerResult> (*)(Request&, BodySource&, Context&);

enum class Pool : std::uint8_t {
    catalog,   // catalog and small files: milliseconds
    scenes,    // scenes, stills: may wait for the render thread
    passwords, // hashes passwords
    sign_on,   // waits for an identity provider
    exports,   // original files, large responses made from a scene and frame sequences: others do not wait
};

// What a response of a GET route is made from, and so when a stored one is outdated (response_cache.hpp).
enum class ResponseSource : std::uint8_t {
    unknown,  // never stored
    asset,    // the asset {id} and its files, as the catalog has them
    catalog,  // all assets
    program,  // the program itself
    web_file, // files that a developer may replace: used for a second
};

struct Route {
    Method method = Method::get;
    std::string_view
        pattern{}; // "/v1/assets/{id}/files/{path...}"; the last one may match all remaining segments
    std::string_view name{}; // operationId of the API document, label in metrics
    Access access = Access::undeclared;
    Sharing sharing = Sharing::none; // of share links and signed URLs
    Granted granted = Granted::none; // of grants on collections
    Pool pool = Pool::catalog;
    // Requests for which it is true run on the pool `exports`; null: none.
    bool (*is_large)(const Request&) = nullptr;
    // Requests for which Access::read suffices: the handler lets only who has made what they name do it, and
    // whoever has `access`. Null: none.
    bool (*is_about_own)(const Request&) = nullptr;
    BlockingHandler blocking = nullptr; // exactly one of the two is set
    AsyncHandler async = nullptr;
    std::uint64_t body_bytes = 0; // limit of the body, read before a blocking handler runs; longer: 413
    bool upgrades = false;        // becomes a WebSocket: its Origin is checked
    ResponseSource source = ResponseSource::unknown;
    // The work ends after HandlerLimits::answer_time, and when the client leaves (request_watch.hpp).
    bool is_watched = false;
    // A device draws the response: a process without one asks a worker, and watches the request.
    bool is_drawn = false;
    bool is_costly = false;    // counts as one of `renders` for rate limits
    bool is_unlimited = false; // has no rate limit: health checks, metrics, links between processes
    bool is_text = false;      // the body depends on Accept-Encoding, if its type is compressible
};

inline Access access_for(const Route& route, const Request& request)
{
    return route.is_about_own && route.is_about_own(request) ? Access::read : route.access;
}

constexpr RouteRules rules_of(const Route& route)
{
    return {route.access, route.sharing, route.granted};
}

// A route whose handler runs on the catalog's pool.
constexpr Route catalog_route(Method method, Access access, std::string_view pattern, std::string_view name,
                              BlockingHandler handler, std::uint64_t body_bytes = 0)
{
    return {.method = method,
            .pattern = pattern,
            .name = name,
            .access = access,
            .blocking = handler,
            .body_bytes = body_bytes};
}

// What grants on collections may use besides.
constexpr Route granted(Granted use, Route route)
{
    route.granted = use;
    return route;
}

// What share links and signed URLs may use besides. Grants may use it too.
constexpr Route shared(Sharing sharing, Route route)
{
    route.sharing = sharing;
    switch (sharing) {
    case Sharing::none: break;
    case Sharing::anything: return granted(Granted::anything, route);
    case Sharing::asset:
    case Sharing::picture:
    case Sharing::download: return granted(Granted::asset, route);
    case Sharing::collection: return granted(Granted::collection, route);
    case Sharing::list: return granted(Granted::list, route);
    }
    return route;
}

// One table of several.
template <std::size_t... sizes>
constexpr auto join_routes(const std::array<Route, sizes>&... tables)
{
    std::array<Route, (sizes + ...)> all;
    auto* at = all.begin();
    ((at = std::ranges::copy(tables, at).out), ...);
    return all;
}

// Whether requests with the method do, unless they are reads whose parameters are a body.
constexpr bool changes_something(Method method)
{
    return method == Method::post || method == Method::put || method == Method::patch ||
           method == Method::delete_;
}

struct RouteMatch {
    const Route* route = nullptr; // null: no route matches path and method
    std::vector<std::pair<std::string, std::string>> params;
    std::vector<Method> allowed;  // methods of the path; empty: no route matches it
    bool has_extra_slash = false; // a GET route matches the path without its last '/'
};

// HEAD matches the GET route. "/v1/assets/{id}/versions/{n}/..." matches the GET route without
// "versions/{n}", with the parameter n.
RouteMatch match_route(std::span<const Route> routes, Method method,
                       const std::vector<std::string>& segments);
std::string allow_field(const std::vector<Method>& allowed); // "GET, HEAD, OPTIONS"

} // namespace vitrine::server
