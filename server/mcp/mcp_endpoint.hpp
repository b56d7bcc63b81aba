#pragma once
// The Model Context Protocol over HTTP (Streamable HTTP): revision 2026-07-28, whose requests stand alone,
// and 2025-11-25 and 2025-06-18, which begin with initialize. Each POST gets one JSON body. There are no
// sessions, so that any process answers any request: no GET stream, no notifications and no requests to the
// client.

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "server/mcp/mcp_message.hpp"
#include "server/routing/route.hpp"

namespace vitrine::server {

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
