#pragma once
// Decodes the code points of a name. Pure functions.

#include <cstddef>
#include <string_view>

namespace vitrine::render {

// Decodes the code point at `at` and advances it. The result for invalid UTF-8 is unspecified. Precondition:
// `at` is within the text.
inline char32_t next_code(std::string_view text, std::size_t& at)
{
    const auto lead = static_cast<unsigned char>(text[at++]);
    if (lead < 0x80) return lead;
    char32_t code = lead >= 0xF0 ? lead & 0x07u : lead >= 0xE0 ? lead & 0x0Fu : lead & 0x1Fu;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u)
        code = code << 6 | (static_cast<unsigned char>(text[at++]) & 0x3Fu);
    return code;
}

} // namespace vitrine::render
