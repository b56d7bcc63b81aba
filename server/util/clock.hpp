#pragma once
// Time stamps of the catalog and the API.

#include <cstdint>
#include <optional>
#include <string_view>

namespace vitrine::server {

using Micros = std::int64_t; // microseconds since 1970-01-01T00:00:00Z

Micros now();

// Reads "2026-11-20T17:44:05Z", with 1 to 6 digits of fractions of a second or none, and Z or an offset such
// as +01:00 (RFC 3339). Empty for any other text and for times before 1970.
std::optional<Micros> parse_rfc3339(std::string_view text);

} // namespace vitrine::server
