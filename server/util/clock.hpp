#pragma once
// Time stamps of the catalog and the API.

#include <cstdint>
#include <string>

namespace vitrine::server {

using Micros = std::int64_t; // microseconds since 1970-01-01T00:00:00Z

Micros now();
// RFC 3339, UTC, milliseconds: "2026-11-20T17:44:05.123Z".
std::string to_rfc3339(Micros instant);

} // namespace vitrine::server
