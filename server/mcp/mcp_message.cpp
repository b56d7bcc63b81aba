#include "server/mcp/mcp_endpoint.hpp"

#include <boost/json/parse.hpp>

namespace vitrine::server {

namespace json = boost::json;

std::unexpected<McpError> mcp_error(McpErrc code, std::string message, json::object data)
{
    return std::unexpected(McpError{code, std::move(message), std::move(data)});
}

std::string_view text_member(const json::object& object, std::string_view key)
{
    const auto* const value = object.if_contains(key);
    const auto* const text = value != nullptr ? value->if_string() : nullptr;
    return text != nullptr ? std::string_view(*text) : std::string_view();
}

const json::object* object_member(const json::object& object, std::string_view key)
{
    const auto* const value = object.if_contains(key);
    return value != nullptr ? value->if_object() : nullptr;
}

std::expected<McpMessage, McpError> parse_mcp_message(std::string_view body)
{
    boost::system::error_code error;
    json::parse_options options;
    options.max_depth = 16;
    const auto value = json::parse(json::string_view(body), error, {}, options);
    if (error) return mcp_error(McpErrc::parse_error, "The body is not valid JSON: " + error.message() + ".");
    const auto* const object = value.if_object();
    if (object == nullptr)
        return mcp_error(McpErrc::invalid_request, "The body must be one JSON-RPC message, not a batch.");
    if (text_member(*object, "jsonrpc") != "2.0")
        return mcp_error(McpErrc::invalid_request, "The member jsonrpc must be \"2.0\".");
    McpMessage message;
    if (const auto* const id = object->if_contains("id")) {
        if (!id->is_string() && !id->is_number())
            return mcp_error(McpErrc::invalid_request, "The member id must be a text or a number.");
        message.id = *id;
    }
    message.method = text_member(*object, "method");
    if (message.method.empty() && !object->contains("result") && !object->contains("error"))
        return mcp_error(McpErrc::invalid_request, "The member method must be a text.");
    if (const auto* const params = object->if_contains("params")) {
        if (!params->is_object())
            return mcp_error(McpErrc::invalid_params, "The member params must be an object.");
        message.params = params->as_object();
    }
    return message;
}

json::object result_message(const json::value& id, json::object result)
{
    return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

json::object error_message(const json::value& id, const McpError& error)
{
    json::object described{{"code", static_cast<int>(error.code)}, {"message", error.message}};
    if (!error.data.empty()) described["data"] = error.data;
    return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(described)}};
}

} // namespace vitrine::server
