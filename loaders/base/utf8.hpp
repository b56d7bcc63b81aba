#pragma once
// Validation and truncation of UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.

#include <cstddef>
#include <string_view>

namespace vitrine {

// Returns the length in bytes of the well-formed sequence at the start of `text`; 0 if there is none.
// Precondition: `text` is not empty.
std::size_t sequence_length(std::string_view text);

bool is_utf8(std::string_view text);

// Returns the longest prefix of at most `bytes` bytes after which no character of UTF-8 continues.
std::string_view truncate_utf8(std::string_view text, std::size_t bytes);

} // namespace vitrine
