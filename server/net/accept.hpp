#pragma once
// Media types of the fields Accept (RFC 9110, 12.5.1) and Content-Type (8.3). Pure functions.

#include <string>
#include <string_view>

namespace vitrine::server {

// Returns the quality value, 0 to 1, of `type` ("image/webp"). The exact type takes precedence over
// "image/*", and that over "*/*".
double accept_quality(std::string_view field, std::string_view type);

// Returns the type of a Content-Type in lower case, without parameters: "text/html" of "Text/HTML;
// charset=utf-8".
std::string media_type_of(std::string_view content_type);

} // namespace vitrine::server
