#pragma once
// Locates JSON syntax errors. simdjson does not report their position; used only after simdjson failed.

#include <cstddef>
#include <string>
#include <string_view>

namespace vitrine::io {

// Offset of the first byte at which the text violates RFC 8259; the size of the text if it ends too early;
// npos if the grammar is satisfied (including numbers too large for a double). Supports any nesting depth.
std::size_t find_json_error(std::string_view text);

// "line 3, column 7": both from 1, columns in bytes. For single-line text "byte 7", from 0.
std::string line_and_column(std::string_view text, std::size_t offset);

} // namespace vitrine::io
