#pragma once
// Decodes the first character of a text in encodings with one or two bytes per character. Precondition of all
// functions: the text is not empty. Private to loaders/io.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "loaders/io/text/encoding_tables.hpp"

namespace vitrine::io {

constexpr std::uint32_t replacement_character = 0xFFFD;

// Length in bytes and code point; code point 0 if the bytes are invalid. `cut`: the text ends inside it.
struct Character {
    std::size_t length = 1;
    std::uint32_t code = 0;
    bool cut = false;
};

inline unsigned byte_at(std::string_view text, std::size_t i)
{
    return static_cast<unsigned char>(text[i]);
}

inline std::uint32_t pair_code(const DoubleByteTable& pairs, unsigned lead, unsigned trail)
{
    if (lead < first_lead || lead > last_lead || trail < first_trail || trail > last_trail) return 0;
    return pairs[(lead - first_lead) * trail_byte_count + (trail - first_trail)];
}

inline Character pair_character(std::string_view text, const DoubleByteTable& pairs)
{
    const unsigned lead = byte_at(text, 0);
    if (lead < 0x80) return {1, lead};
    if (lead < first_lead || lead > last_lead) return {};
    if (text.size() == 1) return {1, 0, true};
    const std::uint32_t code = pair_code(pairs, lead, byte_at(text, 1));
    return code == 0 ? Character{} : Character{2, code};
}

inline Character shift_jis_character(std::string_view text)
{
    const unsigned lead = byte_at(text, 0);
    if (lead >= 0xA1 && lead <= 0xDF) return {1, lead - 0xA1 + 0xFF61}; // half-width katakana
    return pair_character(text, shift_jis_pairs);
}

} // namespace vitrine::io
