#pragma once
// Accept (RFC 9110, 12.5.1). Pure functions.

#include <string_view>

namespace vitrine::server {

// Returns the quality value, 0 to 1, of `type` ("image/webp"). The exact type takes precedence over
// "image/*", and that over "*/*".
double accept_quality(std::string_view field, std::string_view type);

} // namespace vitrine::server
