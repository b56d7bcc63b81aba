#pragma once
// What make_pages.mjs writes when the program is built.

#include <span>

namespace vitrine::server {

struct GuidePart {
    const char* page;
    const char* html;
};

// The parts of all pages, those of a page in order.
std::span<const GuidePart> guide_parts();

} // namespace vitrine::server
