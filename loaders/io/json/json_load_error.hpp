#pragma once
// Converts simdjson's errors to LoadError and adds the location, which simdjson does not report.

#include <cstddef>
#include <string_view>

#include <simdjson.h>

#include "loaders/io/input.hpp"

namespace vitrine::io {

// Size in bytes of the byte order mark at the start; 0 if there is none.
std::size_t byte_order_mark(std::string_view text);

// The LoadError for `code`; `text` includes the byte order mark.
LoadError to_load_error(simdjson::error_code code, std::string_view text, const Limits& limits);

} // namespace vitrine::io
