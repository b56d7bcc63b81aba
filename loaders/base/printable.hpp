#pragma once
// Text of untrusted files for messages.

#include <cstddef>
#include <string>
#include <string_view>

namespace vitrine {

// Makes untrusted text safe for a terminal or web page: at most `limit` bytes, one line, valid UTF-8, no
// control characters.
std::string printable(std::string_view text, std::size_t limit);

} // namespace vitrine
