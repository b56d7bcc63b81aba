#include "server/guide/guide_pages.hpp"

namespace vitrine::server {

std::string guide_page(std::string_view name)
{
    std::string html;
    for (const auto& part : guide_parts())
        if (name == part.page) html += part.html;
    return html;
}

} // namespace vitrine::server
