#pragma once
// What the tools of MCP have in common: arguments as parameters of the REST API, and its responses as
// content.

#include <expected>
#include <initializer_list>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "server/mcp/mcp_endpoint.hpp"

namespace vitrine::server {

// What a tool returns: content for the model.
using ToolResult = std::expected<boost::json::object, api::Problem>;

// The arguments as parameters of the REST API, in order; lists of names are repeated parameters, others are
// joined by commas. Without those in `other`.
std::expected<Query, api::Problem> to_query(const boost::json::object& arguments,
                                            std::initializer_list<std::string_view> other = {});
// The argument as a segment of a path. Problem: it is missing or no text or number.
std::expected<std::string, api::Problem> path_segment(const boost::json::object& arguments,
                                                      std::string_view name);
std::unexpected<api::Problem> bad_argument(std::string_view name, std::string_view why);

// Responses with status 200 and a body in memory; others are problems.
std::expected<std::string, api::Problem> body_of(HandlerResult response);
std::expected<std::string, api::Problem> get_text(const RestApi& api, const std::string& path,
                                                  const Query& query = {});
std::expected<boost::json::object, api::Problem> get_json(const RestApi& api, const std::string& path,
                                                          const Query& query = {});

boost::json::object text_block(std::string text);
boost::json::object image_block(std::string_view bytes, std::string_view media_type);
// The result with one text. Problem: a text that is too long for a model.
ToolResult text_result(std::string text);

} // namespace vitrine::server
