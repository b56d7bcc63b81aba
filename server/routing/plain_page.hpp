#pragma once
// Pages without scripts and without anything of the page client, for people who have not signed in yet.

#include <string>
#include <string_view>

#include "server/net/http.hpp"

namespace vitrine::server {

// `title`: plain text; `body`: HTML.
Response plain_page(int status, std::string_view title, std::string_view body);
// For text, and for attributes in quotes.
std::string escape_html(std::string_view text);
// Whether a browser shows the response as a page.
bool accepts_html(const Request& request);

} // namespace vitrine::server
