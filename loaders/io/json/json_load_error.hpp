#pragma once
// simdjson's refusals as ours, with the place that simdjson does not tell.

#include <cstddef>
#include <string_view>

#include <simdjson.h>

#include "loaders/io/input.hpp"

namespace vitrine::io {

// The bytes of a byte order mark at the start; 0 where there is none.
std::size_t byte_order_mark(std::string_view whole);

// What `code` means for the text, mark included.
LoadError to_load_error(simdjson::error_code code, std::string_view whole, const Limits& limits);

} // namespace vitrine::io
