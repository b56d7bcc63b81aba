#pragma once
// JSON bodies of requests and responses, conditional requests, pages of lists.

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "server/routing/route.hpp"
#include "server/services/catalog/records.hpp"

namespace vitrine::server {

Response json_response(int status, const boost::json::value& value);
Response json_text_response(std::string text);

// Adds ETag and Cache-Control. `immutable`: the content of the URL never changes.
void add_caching(Response& response, const std::string& etag, bool immutable = false);
// Returns 304 when If-None-Match contains `etag`.
std::optional<Response> not_modified(const Request& request, const std::string& etag, bool immutable = false);
bool has_control_character(std::string_view name);
// Returns what is wrong with the name of an asset; empty if it is valid.
std::string name_fault(std::string_view name);

// Of an asset in a response: custom fields are of all its collections, also of those that share links and
// grants do not show.
void hide_custom_fields(const Principal& principal, AssetRecord& asset);

// Returns the URL of the next page of a list: the URL of this page with another begin.
std::string next_page_url(const Request& request, const std::string& cursor);

// {"items": [...], "next": cursor or null}, with Link to the next page unless `next` is empty.
Response page_response(const Request& request, boost::json::array items, const std::string& next);

// Rejects any query parameter, for routes that have none.
std::optional<api::Problem> reject_query(const Request& request);

// The field If-Match; empty: any revision.
std::string read_if_match(const Request& request);

// The body, which must be one JSON object.
std::expected<boost::json::object, api::Problem> read_json_object(const Request& request);

} // namespace vitrine::server
