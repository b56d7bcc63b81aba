#pragma once
// Pages of the documentation, made from docs/, api/openapi.yaml and api/websocket.md when the program is
// built.

#include <span>
#include <string>
#include <string_view>

namespace vitrine::server {

struct GuidePart {
    const char* page;
    const char* html;
};

// What make_pages.mjs writes: the parts of all pages, those of a page in order.
std::span<const GuidePart> guide_parts();

// HTML of a page: "guide" is the first one, "api" the reference of the API; others have the names of
// markdown_pages.mjs. Empty: there is no such page.
std::string guide_page(std::string_view name);

} // namespace vitrine::server
