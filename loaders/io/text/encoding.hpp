#pragma once
// Names as UTF-8, whatever bytes a file holds. Most model formats do not say how their names are encoded: it
// was the code page of whoever wrote the file. Tables are part of the program, so nothing depends on the
// machine or its locale, and no file is opened for them.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vitrine::io {

enum class Encoding : std::uint8_t {
    utf8,
    windows_1252, // holds Latin-1
    shift_jis,    // as Windows has it, code page 932
    gbk,          // holds GB 2312
};

// In which encoding all of these are likely names: utf8 when all are valid UTF-8 (one cut off inside its last
// character is too), shift_jis or gbk when the bytes make common characters of that language, else
// windows_1252. The more names of a file it sees, the surer. Linear.
Encoding detect_encoding(std::span<const std::string_view> texts);

// Valid UTF-8 stays whatever `encoding` says. What has no meaning becomes U+FFFD, a character cut off at the
// end vanishes, control characters become spaces.
std::string to_utf8(std::string_view text, Encoding encoding);
// By the guess for this text alone.
std::string to_utf8(std::string_view text);

void append_utf8(std::string& out, std::uint32_t code);

} // namespace vitrine::io
