#pragma once
// Messages of the Model Context Protocol (MCP): JSON-RPC 2.0, one message per body. Untrusted text in.

#include <expected>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

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

} // namespace vitrine::server
