#pragma once
// JSON errors: simdjson reports neither the position of a syntax error nor a LoadError. Used only after
// simdjson failed.

#include <cstddef>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "loaders/io/input.hpp"

namespace vitrine::io {

// Offset of the first byte at which the text violates RFC 8259; the size of the text if it ends too early;
// npos if the grammar is satisfied (including numbers too large for a double). Supports any nesting depth.
std::size_t find_json_error(std::string_view text);

// "line 3, column 7": both from 1, columns in bytes. For single-line text "byte 7", from 0.
std::string line_and_column(std::string_view text, std::size_t offset);

// Size in bytes of the byte order mark at the start; 0 if there is none.
std::size_t byte_order_mark(std::string_view text);

// The LoadError for `code`, with the location of the error; `text` includes the byte order mark.
LoadError to_load_error(simdjson::error_code code, std::string_view text, const Limits& limits);

} // namespace vitrine::io
