#pragma once
// Log lines as JSON. Pure functions.

#include <cstdint>
#include <string>
#include <string_view>

namespace vitrine::server {

enum class LogFormat : std::uint8_t { text, json };

// Returns one line: an object with `time` and `level` first, then a member for each key=value of the text,
// whose quoted values are those of fmt's {:?}. A text of another form is the member `msg`.
std::string to_json_line(std::string_view time, std::string_view level, std::string_view text);

} // namespace vitrine::server
