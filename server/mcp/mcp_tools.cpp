// The tools: their descriptions for models, and the requests that answer them.
#include <algorithm>
#include <array>
#include <variant>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "server/mcp/library.hpp"
#include "server/mcp/tool_calls.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

std::expected<std::string, api::Problem> asset_path(const json::object& arguments)
{
    auto id = path_segment(arguments, "asset");
    return id ? "/v1/assets/" + *id : std::move(id);
}

// The response of GET below an asset, with the remaining arguments as parameters.
ToolResult read_part(const json::object& arguments, const RestApi& api, std::string_view part,
                     std::initializer_list<std::string_view> other = {"asset"})
{
    const auto path = asset_path(arguments);
    if (!path) return std::unexpected(path.error());
    const auto query = to_query(arguments, other);
    if (!query) return std::unexpected(query.error());
    auto text = get_text(api, *path + std::string(part), *query);
    if (!text) return std::unexpected(text.error());
    return text_result(std::move(*text));
}

ToolResult read_clip_part(const json::object& arguments, const RestApi& api, std::string_view part)
{
    const auto clip = path_segment(arguments, "clip");
    if (!clip) return std::unexpected(clip.error());
    return read_part(arguments, api, fmt::format("/clips/{}{}", *clip, part), {"asset", "clip"});
}

// The members of each entry of a list that say something to a model.
json::array brief(const json::array& list, std::initializer_list<std::string_view> members)
{
    json::array rows;
    for (const auto& entry : list) {
        json::object row;
        for (const auto member : members)
            if (const auto* const value = entry.as_object().if_contains(member); value && !value->is_null())
                row[member] = *value;
        rows.push_back(std::move(row));
    }
    return rows;
}

ToolResult read_brief(const json::object& arguments, const RestApi& api, std::string_view part,
                      std::string_view list, std::initializer_list<std::string_view> members)
{
    const auto path = asset_path(arguments);
    if (!path) return std::unexpected(path.error());
    const auto query = to_query(arguments, {"asset"});
    if (!query) return std::unexpected(query.error());
    const auto whole = get_json(api, *path + std::string(part), *query);
    if (!whole) return std::unexpected(whole.error());
    return text_result(api::to_text(json::object{{list, brief(whole->at(list).as_array(), members)}}));
}

// Custom fields are one argument: their names are not known beforehand.
std::expected<Query, api::Problem> search_query(const json::object& arguments)
{
    auto query = to_query(arguments, {"field"});
    const auto* const given = arguments.if_contains("field");
    if (!query || given == nullptr || given->is_null()) return query;
    if (!given->is_object()) return bad_argument("field", "must be an object");
    auto fields = to_query(given->as_object());
    if (!fields) return fields;
    for (auto& [name, value] : *fields)
        query->emplace_back("field." + name, std::move(value));
    return query;
}

ToolResult search_assets(const json::object& arguments, const RestApi& api)
{
    auto query = search_query(arguments);
    if (!query) return std::unexpected(query.error());
    if (!arguments.contains("limit")) query->emplace_back("limit", "20");
    auto text = get_text(api, "/v1/assets", *query);
    if (!text) return std::unexpected(text.error());
    return text_result(std::move(*text));
}

ToolResult find_similar(const json::object& arguments, const RestApi& api)
{
    return read_part(arguments, api, "/similar");
}

ToolResult get_asset_facts(const json::object& arguments, const RestApi& api)
{
    return read_part(arguments, api, "");
}

ToolResult get_rig(const json::object& arguments, const RestApi& api)
{
    return read_brief(arguments, api, "/skeleton", "joints",
                      {"index", "name", "kind", "parent", "role", "vertices"});
}

ToolResult list_clips_of(const json::object& arguments, const RestApi& api)
{
    return read_brief(arguments, api, "/clips", "items",
                      {"id", "name", "duration", "frameRate", "frames", "cutFrom"});
}

ToolResult get_facts_of_clip(const json::object& arguments, const RestApi& api)
{
    return read_clip_part(arguments, api, "/facts");
}

ToolResult get_pose_of_clip(const json::object& arguments, const RestApi& api)
{
    return read_clip_part(arguments, api, "/pose");
}

ToolResult check_one_asset(const json::object& arguments, const RestApi& api)
{
    return read_part(arguments, api, "/checks");
}

struct Tool {
    std::string_view name;
    std::string_view title;
    std::string_view description;
    // Properties of the schema of the arguments: as JSON, or as a function that returns them.
    std::variant<std::string_view, const json::object& (*)()> properties;
    std::string_view required; // JSON array
    ToolResult (*call)(const json::object& arguments, const RestApi& api);
};

json::object properties_of(const Tool& tool)
{
    if (const auto* const text = std::get_if<std::string_view>(&tool.properties))
        return json::parse(json::string_view(*text)).as_object();
    return std::get<1>(tool.properties)();
}

constexpr std::string_view asset_property =
    R"({"asset": {"type": "string", "description": "Id of the asset, as search_assets returns it"}})";
constexpr std::string_view asset_required = R"(["asset"])";

constexpr std::array tools{
    Tool{
        "search_assets", "Search the library",
        "Finds models by words of their names, clips, joints and materials, by tags, collections and facts. "
        "Returns one page of assets with their ids (`fields` selects members); pass `next` as cursor for the "
        "next page.",
        search_properties, "[]", search_assets},
    Tool{"find_similar", "Find nearly the same models",
         "Finds other models that are like an asset: with the same surface, the same rig, the same motion, a "
         "similar picture or the same file. Returns their ids with a score and the reason.",
         similar_properties, asset_required, find_similar},
    Tool{"get_asset", "Facts of a model",
         "Format, counts, size in meters, materials and warnings of one asset.", asset_property,
         asset_required, get_asset_facts},
    Tool{"look", "Look at a model",
         "Draws a contact sheet: each row a view, each column a pose of a clip in motion. Use it to see what "
         "a model "
         "looks like and how it moves. Returns an image of less than 100 kB and its layout in words.",
         look_properties, asset_required, look},
    Tool{"get_rig", "Skeleton",
         "Joints, tags and moving nodes with parents (index into the same list), roles of humanoids "
         "and the number of vertices that each moves.",
         asset_property, asset_required, get_rig},
    Tool{"list_clips", "Animation clips", "The clips of an asset: id, name, duration in seconds, frames.",
         asset_property, asset_required, list_clips_of},
    Tool{
        "get_clip_facts", "What a clip does",
        "Whether a clip loops and stays in place, the path and speed of its root, foot contacts and slide, "
        "faults of "
        "its keys.",
        R"({"asset": {"type": "string"}, "clip": {"type": "string", "description": "Id, index or unique name"}})",
        R"(["asset", "clip"])", get_facts_of_clip},
    Tool{
        "get_pose", "Sampled transforms",
        "The transforms of joints at times of a clip. Name the joints: all joints of a large rig are a long "
        "answer.",
        R"({"asset": {"type": "string"}, "clip": {"type": "string", "description": "Id, index or unique name"},
             "t": {"type": ["string", "number"], "description": "Seconds: 0.5, or 0,0.1,0.2, or FROM/TO/STEP"},
             "space": {"type": "string", "enum": ["local", "model"]},
             "joint": {"type": "array", "items": {"type": "string"}, "description": "Names or node numbers"}})",
        R"(["asset", "clip"])", get_pose_of_clip},
    Tool{"check_asset", "Find faults of a model",
         "Findings of a profile of rules: faults of clips, skins, textures and names, and budgets.",
         R"({"asset": {"type": "string"},
             "profile": {"type": "string", "description": "default, game-console, mobile, webgl, vr or film-preview"}})",
         asset_required, check_one_asset},
    Tool{"compare_assets", "Compare models",
         "Draws up to 8 assets side by side on one ground and returns the size and the place of each.",
         compare_properties, R"(["asset"])", compare_assets},
};

json::object describe(const Tool& tool)
{
    json::object schema{{"type", "object"},
                        {"properties", properties_of(tool)},
                        {"required", json::parse(json::string_view(tool.required))},
                        {"additionalProperties", false}};
    return {{"name", tool.name},
            {"title", tool.title},
            {"description", tool.description},
            {"inputSchema", std::move(schema)},
            {"annotations", json::object{{"readOnlyHint", true}, {"openWorldHint", false}}}};
}

// An error that the model can repair: what is wrong with which argument.
json::object failed_call(const api::Problem& problem)
{
    auto text = problem.detail;
    for (const auto& error : problem.errors)
        if (!text.contains(error.detail)) text += fmt::format(" {}: {}.", error.pointer, error.detail);
    if (problem.retry_after_s > 0) text += fmt::format(" Ask again in {} s.", problem.retry_after_s);
    return {{"content", json::array{text_block(std::move(text))}}, {"isError", true}};
}

} // namespace

McpResult list_tools(const json::object&, const RestApi&)
{
    json::array list;
    for (const auto& tool : tools)
        list.push_back(describe(tool));
    return json::object{{"tools", std::move(list)}};
}

McpResult call_tool(const json::object& params, const RestApi& api)
{
    const auto name = text_member(params, "name");
    const auto tool = std::ranges::find(tools, name, &Tool::name);
    if (tool == tools.end())
        return mcp_error(McpErrc::invalid_params, fmt::format("There is no tool {}.", name));
    const auto* const given = params.if_contains("arguments");
    if (given != nullptr && !given->is_object())
        return mcp_error(McpErrc::invalid_params, "The member arguments must be an object.");
    const auto result = tool->call(given != nullptr ? given->as_object() : json::object(), api);
    return result ? *result : failed_call(result.error());
}

} // namespace vitrine::server
