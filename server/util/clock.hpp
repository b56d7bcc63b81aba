#pragma once
// Time stamps of the catalog and the API.

#include <cstdint>

namespace vitrine::server {

using Micros = std::int64_t; // microseconds since 1970-01-01T00:00:00Z

Micros now();

} // namespace vitrine::server
