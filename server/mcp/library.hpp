#pragma once
// The library as tools, resources and prompts of MCP. Everything only reads.

#include <span>

#include "server/mcp/mcp_endpoint.hpp"

namespace vitrine::server {

struct Context; // server/routing/context.hpp

McpServer library_server();
// GET requests of these routes on behalf of `request`, all of which must outlive the result.
RestApi rest_api(const Request& request, Context& context, std::span<const Route> routes);

// mcp_tools.cpp
McpResult list_tools(const boost::json::object& params, const RestApi& api);
McpResult call_tool(const boost::json::object& params, const RestApi& api);
// mcp_resources.cpp. A resource is vitrine://assets/ASSET or one of its parts.
McpResult list_resources(const boost::json::object& params, const RestApi& api);
McpResult list_resource_templates(const boost::json::object& params, const RestApi& api);
McpResult read_resource(const boost::json::object& params, const RestApi& api);
// mcp_prompts.cpp
McpResult list_prompts(const boost::json::object& params, const RestApi& api);
McpResult get_prompt(const boost::json::object& params, const RestApi& api);
McpResult complete_argument(const boost::json::object& params, const RestApi& api);

} // namespace vitrine::server
