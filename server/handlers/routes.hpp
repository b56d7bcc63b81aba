#pragma once
// The table of everything the server answers. Held against api/openapi.yaml by a test, both ways.

#include <span>

#include "server/routing/route.hpp"

namespace vitrine::server {

std::span<const Route> all_routes();
// Answers GET for every path that no route has and that is not below /v1: the web client.
const Route& page_route();

} // namespace vitrine::server
