// Schemas of the arguments of tools that are the parameters of an operation of the API document.
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include "api/openapi.hpp"
#include "server/mcp/tool_calls.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

const json::value& document()
{
    static const json::value parsed = json::parse(api::openapi_json());
    return parsed;
}

// Of each parameter of the GET of the path. Those of custom fields, whose names only a library knows, are left
// out.
json::object parameters_of(std::string_view path)
{
    json::object properties;
    for (const auto& entry : document().at("paths").at(path).at("get").at("parameters").as_array()) {
        const auto& parameter = entry.as_object();
        const auto& name = parameter.at("name").as_string();
        if (name.starts_with("field.")) continue;
        auto schema = parameter.at("schema").as_object();
        if (const auto* const description = parameter.if_contains("description"))
            schema["description"] = *description;
        properties[name] = std::move(schema);
    }
    return properties;
}

} // namespace

const json::object& search_properties()
{
    static const json::object properties = [] {
        auto all = parameters_of("/v1/assets");
        all["limit"] = {{"type", "integer"}, {"minimum", 1}, {"maximum", 100}, {"default", 20}};
        all["field"] = {{"type", "object"},
                        {"description", "Custom fields of collections: NAME and the value that it has (empty: "
                                        "none has one), NAME.min and NAME.max with the least and the largest "
                                        "number or date"},
                        {"additionalProperties", {{"type", {"string", "number", "boolean"}}}}};
        return all;
    }();
    return properties;
}

const json::object& similar_properties()
{
    static const json::object properties = [] {
        json::object all{
            {"asset", {{"type", "string"}, {"description", "Id of the asset, as search_assets returns it"}}}};
        for (auto& [name, schema] : parameters_of("/v1/assets/{id}/similar"))
            all[name] = std::move(schema);
        return all;
    }();
    return properties;
}

} // namespace vitrine::server
