#pragma once
// Accept (RFC 9110, 12.5.1). Pure.

#include <string_view>

namespace vitrine::server {

// How much the field wants `type` ("image/webp"), 0 to 1. An exact type counts before "image/*" before "*/*".
double accept_quality(std::string_view field, std::string_view type);

} // namespace vitrine::server
