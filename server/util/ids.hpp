#pragma once
// Identifiers: ascending with time, unguessable beside it, safe in a path.

#include <string>
#include <string_view>

namespace vitrine::server {

// "<prefix>_" and 26 characters of Crockford's base 32: 48 bits of milliseconds, 80 random bits.
std::string new_id(std::string_view prefix);

} // namespace vitrine::server
