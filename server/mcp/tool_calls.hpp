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

// look_tools.cpp: the tools that return images.
// Properties of the schemas of the arguments.
inline constexpr std::string_view look_properties =
    R"({"asset": {"type": "string", "description": "Id of the asset, as search_assets returns it"},
        "clip": {"type": "string", "description": "Id, index or unique name; default: a clip that shows the model in motion"},
        "poses": {"type": "integer", "minimum": 1, "maximum": 8, "default": 4, "description": "Columns: evenly spaced over the clip"},
        "view": {"type": "array", "maxItems": 8, "items": {"type": "string"},
                 "description": "Rows: front, back, left, right, side, top, bottom, three-quarter, auto or YAW,PITCH in degrees; default auto"},
        "size": {"type": "integer", "minimum": 64, "maximum": 512, "default": 192, "description": "Side of a frame in pixels"},
        "overlay": {"type": "string", "description": "wireframe, skeleton, names, normals, tangents, bounds, trails, joint_boxes, weights, uv or xray; several are separated by commas"},
        "layer": {"type": "array", "items": {"type": "string"}, "description": "Layers over the clip: CLIP[@SECONDS][*WEIGHT][~JOINT][!add]"},
        "turn": {"type": "array", "items": {"type": "string"}, "description": "JOINT:X,Y,Z in degrees"},
        "variant": {"type": "string"}, "skin": {"type": "string"}, "hide": {"type": "string"}, "only": {"type": "string"},
        "surface": {"type": "string", "enum": ["clay"]}})";

inline constexpr std::string_view compare_properties =
    R"({"asset": {"type": "array", "minItems": 2, "maxItems": 8, "items": {"type": "string"}, "description": "Ids, from left to right"},
        "clip": {"type": "string", "description": "A clip that all of them have"},
        "t": {"type": "number", "description": "Seconds"},
        "view": {"type": "string", "description": "One view, as of look"},
        "overlay": {"type": "string", "description": "As of look"}})";

// contract_schema.cpp: the parameters of an operation of the API document as properties.
const boost::json::object& search_properties();
const boost::json::object& similar_properties();

ToolResult look(const boost::json::object& arguments, const RestApi& api);
ToolResult compare_assets(const boost::json::object& arguments, const RestApi& api);

} // namespace vitrine::server
