#pragma once
// The tools of MCP that return images.

#include <string_view>

#include <boost/json/object.hpp>

#include "server/mcp/tool_calls.hpp"

namespace vitrine::server {

// Properties of the schemas of the arguments.
inline constexpr std::string_view look_properties =
    R"({"asset": {"type": "string", "description": "Id of the asset, as search_assets returns it"},
        "clip": {"type": "string", "description": "Id, index or unique name; default: a clip that shows the model in motion"},
        "poses": {"type": "integer", "minimum": 1, "maximum": 8, "default": 4, "description": "Columns: evenly spaced over the clip"},
        "view": {"type": "array", "maxItems": 8, "items": {"type": "string"},
                 "description": "Rows: front, back, left, right, top, bottom, three-quarter, auto or YAW,PITCH in degrees; default auto"},
        "size": {"type": "integer", "minimum": 64, "maximum": 512, "default": 192, "description": "Side of a frame in pixels"},
        "overlay": {"type": "string", "description": "wireframe, skeleton, names, normals, bounds, trails, weights, uv or xray; several are separated by commas"},
        "layer": {"type": "array", "items": {"type": "string"}, "description": "Layers over the clip: CLIP[@SECONDS][*WEIGHT][~JOINT][!add]"},
        "turn": {"type": "array", "items": {"type": "string"}, "description": "JOINT:X,Y,Z in degrees"},
        "variant": {"type": "string"}, "skin": {"type": "string"}, "hide": {"type": "string"}, "only": {"type": "string"},
        "surface": {"type": "string", "enum": ["clay"]}})";

inline constexpr std::string_view compare_properties =
    R"({"asset": {"type": "array", "minItems": 2, "maxItems": 8, "items": {"type": "string"}, "description": "Ids, from left to right"},
        "clip": {"type": "string", "description": "A clip that all of them have"},
        "t": {"type": "number", "description": "Seconds"},
        "view": {"type": "string", "description": "front, side, top, three-quarter or YAW,PITCH"},
        "overlay": {"type": "string"}})";

ToolResult look(const boost::json::object& arguments, const RestApi& api);
ToolResult compare_assets(const boost::json::object& arguments, const RestApi& api);

} // namespace vitrine::server
