#pragma once

#include <span>

#include "server/mcp/mcp_endpoint.hpp"
#include "server/routing/context.hpp"

namespace vitrine::server {

// GET requests of these routes on behalf of `request`, all of which must outlive the result.
RestApi rest_api(const Request& request, Context& context, std::span<const Route> routes);

} // namespace vitrine::server
