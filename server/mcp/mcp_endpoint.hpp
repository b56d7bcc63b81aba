#pragma once
// The Model Context Protocol over HTTP (Streamable HTTP): revision 2026-07-28, whose requests stand alone,
// and 2025-11-25 and 2025-06-18, which begin with initialize. Each POST gets one JSON body. There are no
// sessions, so that any process answers any request: no GET stream, no notifications and no requests to the
// client.

#include <expected>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "server/routing/route.hpp"

namespace vitrine::server {

// JSON-RPC 2.0, 5.1, and MCP 2026-07-28.
enum class McpErrc : int {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    internal_error = -32603,
    header_mismatch = -32020,
    unsupported_version = -32022,
};

struct McpError {
    McpErrc code = McpErrc::internal_error;
    std::string message{}; // one sentence
    boost::json::object data{};
};
using McpResult = std::expected<boost::json::object, McpError>;

std::unexpected<McpError> mcp_error(McpErrc code, std::string message, boost::json::object data = {});

// A message of JSON-RPC 2.0, one for each body. Untrusted text in.
struct McpMessage {
    boost::json::value id{}; // text or number; null: nothing is returned
    std::string method{};    // empty: a response of the client
    boost::json::object params{};
};
std::expected<McpMessage, McpError> parse_mcp_message(std::string_view body);

// The whole response of a message.
boost::json::object result_message(const boost::json::value& id, boost::json::object result);
boost::json::object error_message(const boost::json::value& id, const McpError& error);

// The text `key` of the parameters; empty if it is missing or no text.
std::string_view text_member(const boost::json::object& object, std::string_view key);
// The object `key`; null if it is missing or no object.
const boost::json::object* object_member(const boost::json::object& object, std::string_view key);

// Answers GET of a path of the REST API with these parameters, as the client of the MCP request may read it.
// `accept`: the field Accept. Blocking.
using RestApi =
    std::function<HandlerResult(const std::string& path, const Query& query, std::string_view accept)>;

struct McpMethod {
    std::string_view name; // "tools/list"
    McpResult (*answer)(const boost::json::object& params, const RestApi& api) = nullptr;
    bool is_cacheable = false; // the result says how long it holds
};

struct McpServer {
    std::span<const McpMethod> methods;
    std::string_view instructions; // for the model, of the server as a whole
};

// Blocking, as far as the methods are.
Response answer_mcp(const Request& request, const McpServer& server, const RestApi& api);

} // namespace vitrine::server
