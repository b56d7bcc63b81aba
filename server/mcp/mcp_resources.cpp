#include <array>
#include <optional>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "loaders/io/base64.hpp"
#include "server/mcp/library.hpp"
#include "server/mcp/tool_calls.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::string_view scheme = "vitrine://assets/";
constexpr std::string_view json_type = "application/json", image_type = "image/webp";

// A part of an asset, by the end of its URI, which is that of its path in the REST API too.
struct AssetPart {
    std::string_view suffix;
    std::string_view name;
    std::string_view description;
    std::string_view media_type;
};
constexpr std::array parts{
    AssetPart{"", "asset", "Format, counts, size, materials and warnings", json_type},
    AssetPart{"/skeleton", "skeleton", "Joints with rest transforms and bind matrices", json_type},
    AssetPart{"/clips", "clips", "Animation clips", json_type},
    AssetPart{"/materials", "materials", "Materials and variants", json_type},
    AssetPart{"/checks", "checks", "What the default profile of rules finds", json_type},
    AssetPart{"/thumbnail", "thumbnail", "The image of the asset in lists", image_type},
};

json::object resource_json(const json::object& asset)
{
    const auto format = text_member(asset, "format");
    return {{"uri", fmt::format("{}{}", scheme, text_member(asset, "id"))},
            {"name", text_member(asset, "name")},
            {"description", fmt::format("3D model, {}", format.empty() ? "not imported" : format)},
            {"mimeType", json_type}};
}

struct ResourceName {
    std::string asset; // decoded
    const AssetPart* part = nullptr;
};

std::optional<ResourceName> parse_uri(std::string_view uri)
{
    if (!uri.starts_with(scheme)) return std::nullopt;
    const auto rest = uri.substr(scheme.size());
    const auto slash = std::min(rest.find('/'), rest.size());
    const auto part = std::ranges::find(parts, rest.substr(slash), &AssetPart::suffix);
    auto asset = percent_decode(rest.substr(0, slash));
    if (part == parts.end() || !asset || asset->empty()) return std::nullopt;
    return ResourceName{std::move(*asset), &*part};
}

McpResult no_resource(std::string_view uri, std::string message)
{
    return mcp_error(McpErrc::invalid_params, std::move(message), {{"uri", uri}});
}

} // namespace

McpResult list_resources(const json::object& params, const RestApi& api)
{
    Query query{{"limit", "100"}};
    if (const auto cursor = text_member(params, "cursor"); !cursor.empty())
        query.emplace_back("cursor", cursor);
    const auto page = get_json(api, "/v1/assets", query);
    if (!page) return mcp_error(McpErrc::invalid_params, page.error().detail);
    json::array list;
    for (const auto& asset : page->at("items").as_array())
        list.push_back(resource_json(asset.as_object()));
    json::object result{{"resources", std::move(list)}};
    if (const auto next = text_member(*page, "next"); !next.empty()) result["nextCursor"] = next;
    return result;
}

McpResult list_resource_templates(const json::object&, const RestApi&)
{
    json::array list;
    for (const auto& part : parts)
        list.push_back(json::object{{"uriTemplate", fmt::format("{}{{asset}}{}", scheme, part.suffix)},
                                    {"name", part.name},
                                    {"description", part.description},
                                    {"mimeType", part.media_type}});
    return json::object{{"resourceTemplates", std::move(list)}};
}

McpResult read_resource(const json::object& params, const RestApi& api)
{
    const auto uri = text_member(params, "uri");
    const auto named = parse_uri(uri);
    if (!named) return no_resource(uri, "There is no such resource.");
    const auto path = fmt::format("/v1/assets/{}{}", percent_encode(named->asset), named->part->suffix);
    const auto body = body_of(api(path, {}, named->part->media_type));
    if (!body) return no_resource(uri, body.error().detail);
    json::object content{{"uri", uri}, {"mimeType", named->part->media_type}};
    if (named->part->media_type == json_type)
        content["text"] = *body;
    else
        content["blob"] = io::encode_base64(*body);
    return json::object{{"contents", json::array{std::move(content)}}};
}

} // namespace vitrine::server
