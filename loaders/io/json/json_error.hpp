#pragma once
// Where a text stops being JSON. simdjson says what is wrong and not where; this is asked only after it
// refused.

#include <cstddef>
#include <string>
#include <string_view>

namespace vitrine::io {

// Offset of the first byte that no JSON text (RFC 8259) can have there; the text's size where it ends too
// early; npos where the grammar holds (a number too large for a double is still a number). Any nesting.
std::size_t find_json_error(std::string_view text);

// "line 3, column 7": both from 1, columns in bytes. For a text of one line "byte 7", from 0.
std::string line_and_column(std::string_view text, std::size_t offset);

} // namespace vitrine::io
