#pragma once
// The table of all routes. A test compares it with api/openapi.yaml in both directions.

#include <span>

#include "server/routing/route.hpp"

namespace vitrine::server {

std::span<const Route> all_routes();
// Serves the web client: GET for every path that matches no route and is not below /v1.
const Route& page_route();

} // namespace vitrine::server
