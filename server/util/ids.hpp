#pragma once
// Identifiers: ascending by time, in one process also within a millisecond; otherwise unpredictable, safe in
// paths.

#include <string>
#include <string_view>

namespace vitrine::server {

// Returns "<prefix>_" and 26 characters of Crockford's base 32: 48 bits of milliseconds, 80 random bits.
std::string new_id(std::string_view prefix);

} // namespace vitrine::server
