#pragma once
// Pages of the documentation, made from docs/, api/openapi.yaml and api/websocket.md when the program is
// built.

#include <string>
#include <string_view>

namespace vitrine::server {

// HTML of a page: "guide" is the first one, "api" the reference of the API; others have the names of
// markdown_pages.mjs. Empty: there is no such page.
std::string guide_page(std::string_view name);

} // namespace vitrine::server
