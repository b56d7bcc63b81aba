#include "server/routing/json_responses.hpp"

#include <algorithm>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "api/resources.hpp"
#include "server/net/accept.hpp"
#include "server/net/byte_range.hpp"
#include "server/net/url.hpp"
#include "server/routing/problems.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/catalog/records.hpp"

namespace vitrine::server {

Response json_response(int status, const boost::json::value& value)
{
    auto response = text_response(status, "application/json", api::to_text(value));
    response.headers.add("Cache-Control", "no-cache");
    return response;
}

Response json_text_response(std::string text)
{
    return text_response(200, "application/json", std::move(text));
}

void add_caching(Response& response, const std::string& etag, bool immutable)
{
    response.headers.set("ETag", etag);
    response.headers.set("Cache-Control", immutable ? "public, max-age=31536000, immutable" : "no-cache");
}

std::optional<Response> not_modified(const Request& request, const std::string& etag, bool immutable)
{
    auto field = request.headers.find("If-None-Match");
    if (request.method == Method::post || !field || !matches_etag(*field, etag)) return std::nullopt;
    Response response{.status = 304};
    add_caching(response, etag, immutable);
    return response;
}

bool has_control_character(std::string_view name)
{
    return std::ranges::any_of(name,
                               [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::string name_fault(std::string_view name)
{
    if (has_control_character(name)) return "must not contain control characters";
    if (name.empty()) return "must not be empty";
    if (name.size() > max_name_bytes) return fmt::format("must not be longer than {} bytes", max_name_bytes);
    return {};
}

void hide_custom_fields(const Principal& principal, AssetRecord& asset)
{
    if (principal.role < Role::viewer) asset.field_values.clear();
}

std::string next_page_url(const Request& request, const std::string& cursor)
{
    std::string url = request.target.path + "?";
    for (const auto& [name, value] : request.target.query) {
        if (name != "cursor" && name != "offset" && name != "at")
            url += percent_encode(name) + "=" + percent_encode(value) + "&";
    }
    return url + "cursor=" + percent_encode(cursor);
}

Response page_response(const Request& request, boost::json::array items, const std::string& next)
{
    auto response = json_response(200, api::list_json(std::move(items), next));
    if (!next.empty())
        response.headers.add("Link", fmt::format("<{}>; rel=\"next\"", next_page_url(request, next)));
    return response;
}

std::optional<api::Problem> reject_query(const Request& request)
{
    return QueryReader(request).finish();
}

std::string read_if_match(const Request& request)
{
    std::string text(request.headers.find("If-Match").value_or(""));
    return text == "*" ? std::string() : text;
}

std::expected<boost::json::object, api::Problem> read_json_object(const Request& request)
{
    const auto type = media_type_of(request.headers.find("Content-Type").value_or("application/json"));
    if (type != "application/json" && type != "application/merge-patch+json")
        return problem(415, "unsupported_media_type", "Send the body as application/json.");
    boost::system::error_code error;
    auto value = boost::json::parse(request.body, error);
    if (error || !value.is_object()) return problem(400, "bad_json", "The body must be one JSON object.");
    return std::move(value.get_object());
}

} // namespace vitrine::server
