#pragma once
// Converts names to UTF-8. Most model formats do not declare an encoding; names use the code page of the
// author's system. Tables are compiled in, so the result does not depend on the machine or its locale, and no
// file is opened.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vitrine::io {

enum class TextEncoding : std::uint8_t {
    utf8,
    windows_1252, // includes Latin-1
    shift_jis,    // code page 932, as in Windows
    gbk,          // includes GB 2312
};

// Detects the encoding in which all texts are plausible names: utf8 if all are valid UTF-8 (a truncated last
// character is accepted), shift_jis or gbk if the bytes are common characters of that language, else
// windows_1252. More names give a more reliable result. Linear time.
TextEncoding detect_encoding(std::span<const std::string_view> texts);

// Converts to UTF-8. Valid UTF-8 is kept regardless of `encoding`. Invalid bytes become U+FFFD, a character
// truncated at the end is dropped, control characters become spaces.
std::string to_utf8(std::string_view text, TextEncoding encoding);
// As above, with the encoding detected from this text alone.
std::string to_utf8(std::string_view text);

void append_utf8(std::string& out, std::uint32_t code);

} // namespace vitrine::io
