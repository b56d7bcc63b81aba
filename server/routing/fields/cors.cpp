#include "server/routing/fields/cors.hpp"

#include <algorithm>
#include <array>

#include "loaders/base/ascii.hpp"

namespace vitrine::server {
namespace {

using CorsField = std::pair<std::string_view, std::string_view>;

// Of every response. Cookies: the origin was named by who runs the server, and may write with them already.
constexpr std::array response_fields{
    CorsField{"Access-Control-Allow-Credentials", "true"},
    CorsField{
        "Access-Control-Expose-Headers",
        "Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, Link, Location, Preference-Applied, "
        "RateLimit, RateLimit-Policy, Retry-After, "
        "Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Concat, "
        "Upload-Expires, Upload-Length, Upload-Metadata, Upload-Offset, WWW-Authenticate, "
        "X-Request-Id, X-Vitrine-Floats, X-Vitrine-Nodes, X-Vitrine-Times"}};

// Of preflights. The methods and fields that requests may have: all that the server reads, so that the answer
// does not depend on the path.
constexpr std::array preflight_fields{
    CorsField{"Access-Control-Allow-Credentials", "true"},
    CorsField{"Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"},
    CorsField{"Access-Control-Allow-Headers",
              "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, "
              "Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Prefer, Range, traceparent, "
              "Tus-Resumable, Upload-Checksum, Upload-Concat, Upload-Defer-Length, Upload-Length, "
              "Upload-Metadata, Upload-Offset"},
    CorsField{"Access-Control-Max-Age", "7200"}, // seconds; browsers take no more
    CorsField{"Vary", "Access-Control-Request-Method, Access-Control-Request-Headers"}}; // add_vary() follows

} // namespace

Cors::Cors(std::vector<std::string> origins) : origins_(std::move(origins))
{
    for (auto& origin : origins_)
        origin = ascii::lower(origin);
}

std::optional<std::string_view> Cors::find_origin(const Request& request) const
{
    if (origins_.empty()) return std::nullopt;
    const auto origin = request.headers.find("Origin");
    if (!origin || std::ranges::find(origins_, ascii::lower(*origin)) == origins_.end()) return std::nullopt;
    return origin;
}

void Cors::add_vary(Response& response) const
{
    if (origins_.empty()) return;
    const auto before = response.headers.find("Vary").value_or("");
    response.headers.set("Vary", before.empty() ? "Origin" : std::string(before) + ", Origin");
}

void Cors::add_fields(const Request& request, Response& response) const
{
    const auto origin = find_origin(request);
    if (!origin) return;
    response.headers.set("Access-Control-Allow-Origin", std::string(*origin));
    for (const auto& [name, value] : response_fields)
        response.headers.set(name, std::string(value));
}

std::optional<Response> Cors::answer_preflight(const Request& request) const
{
    const auto origin = find_origin(request);
    if (!origin || request.method != Method::options ||
        !request.headers.find("Access-Control-Request-Method"))
        return std::nullopt;
    Response response{.status = 204};
    response.headers.add("Access-Control-Allow-Origin", std::string(*origin));
    for (const auto& [name, value] : preflight_fields)
        response.headers.add(std::string(name), std::string(value));
    return response;
}

} // namespace vitrine::server
