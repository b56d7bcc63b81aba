#include "loaders/io/text/encoding.hpp"

#include <algorithm>
#include <array>

#include "loaders/base/utf8.hpp"
#include "loaders/io/text/multibyte_characters.hpp"

namespace vitrine::io {
namespace {

constexpr auto windows_1252_index = static_cast<std::size_t>(
    std::ranges::find(single_byte_names, std::string_view("CP1252")) - single_byte_names.begin());

bool is_letter(unsigned c)
{
    return (c | 0x20u) >= 'a' && (c | 0x20u) <= 'z';
}

// Precondition of this function and the next two: the text is not empty.
Character utf8_character(std::string_view text)
{
    const unsigned lead = byte_at(text, 0);
    if (lead < 0x80) return {1, lead};
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4) return {};
    std::uint32_t code = lead & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (i == text.size()) return {i, 0, true};
        const unsigned byte = byte_at(text, i);
        if ((byte & 0xC0) != 0x80) return {};
        const bool overlong = i == 1 && ((lead == 0xE0 && byte < 0xA0) || (lead == 0xF0 && byte < 0x90));
        const bool surrogate_or_large =
            i == 1 && ((lead == 0xED && byte >= 0xA0) || (lead == 0xF4 && byte >= 0x90));
        if (overlong || surrogate_or_large) return {};
        code = code << 6 | (byte & 0x3F);
    }
    return {length, code};
}

Character windows_1252_character(std::string_view text)
{
    const unsigned byte = byte_at(text, 0);
    return {1, byte < 0x80 ? byte : single_byte_sets[windows_1252_index].codes[byte - 0x80]};
}

Character next_character(std::string_view text, TextEncoding encoding)
{
    switch (encoding) {
    case TextEncoding::utf8: return utf8_character(text);
    case TextEncoding::shift_jis: return shift_jis_character(text);
    case TextEncoding::gbk: return pair_character(text, gbk_pairs);
    case TextEncoding::windows_1252: break;
    }
    return windows_1252_character(text);
}

// Whether the text is UTF-8; a truncated last character is accepted.
bool is_utf8_or_truncated(std::string_view text)
{
    bool has_complete_character = false; // multibyte; a truncated character alone is no evidence
    while (!text.empty()) {
        const Character c = utf8_character(text);
        if (c.cut) return has_complete_character;
        if (c.length == 1 && byte_at(text, 0) >= 0x80) return false;
        has_complete_character = has_complete_character || c.length > 1;
        text.remove_prefix(c.length);
    }
    return true;
}

// Score of one character for an encoding: points per byte, so that encodings that decode the same bytes to
// different numbers of characters can be compared. Characters that are common in names of the language score
// positive, rare ones zero, implausible ones negative.
constexpr int common_points = 2, rare_points = 0, implausible_points = -1, impossible_points = -4;

// JIS X 0208: kana in rows 4 and 5, everyday kanji (level 1) in rows 16 to 47, the others after these.
int shift_jis_points(std::string_view text, Character c)
{
    constexpr std::uint32_t long_vowel_mark = 0x30FC; // among the symbols of row 1
    const unsigned lead = byte_at(text, 0);
    if (c.code == 0) return impossible_points;
    if (c.length == 1) return rare_points;
    if (lead == 0x81) return c.code == long_vowel_mark ? 2 * common_points : rare_points;
    if (lead <= 0x84) return lead <= 0x83 ? 2 * common_points : 2 * implausible_points;
    if (lead >= 0x88 && lead <= 0x98) return 2 * common_points;
    return lead >= 0x89 && lead <= 0xEA ? rare_points : 2 * implausible_points;
}

// GB 2312: symbols and kana in rows 1 to 9, everyday hanzi (level 1) in rows 16 to 55, others up to row 87.
// GBK's additions are outside these ranges.
int gbk_points(std::string_view text, Character c)
{
    if (c.code == 0) return impossible_points;
    const unsigned lead = byte_at(text, 0);
    const unsigned trail = byte_at(text, 1);
    if (lead < 0xA1 || trail < 0xA1) return 2 * implausible_points;
    if (lead >= 0xB0 && lead <= 0xD7) return 2 * common_points;
    return lead <= 0xA9 || (lead >= 0xD8 && lead <= 0xF7) ? rare_points : 2 * implausible_points;
}

// Accented letters usually occur between plain letters, rarely in pairs.
int windows_1252_points(std::string_view text, std::size_t i, Character c)
{
    // k may wrap around
    const auto at = [&](std::size_t k) { return k < text.size() ? byte_at(text, k) : ' '; };
    if (c.code == 0) return impossible_points;
    const unsigned byte = at(i);
    const bool letter = byte >= 0xC0 && byte != 0xD7 && byte != 0xF7;
    if (!letter) return is_letter(at(i - 1)) && is_letter(at(i + 1)) ? rare_points : implausible_points;
    if (!is_letter(at(i - 1)) && !is_letter(at(i + 1))) return implausible_points;
    return at(i - 1) >= 0x80 || at(i + 1) >= 0x80 ? common_points / 2 : common_points;
}

int points(std::string_view text, TextEncoding encoding)
{
    int sum = 0;
    for (std::size_t i = 0; i < text.size();) {
        const std::string_view rest = text.substr(i);
        const Character c = next_character(rest, encoding);
        if (byte_at(rest, 0) >= 0x80) {
            sum += encoding == TextEncoding::shift_jis ? shift_jis_points(rest, c)
                   : encoding == TextEncoding::gbk     ? gbk_points(rest, c)
                                                       : windows_1252_points(text, i, c);
        }
        i += c.length;
    }
    return sum;
}

} // namespace

void append_utf8(std::string& out, std::uint32_t code)
{
    const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (code < 0x80) return put(code);
    if (code < 0x800) {
        put(0xC0 | code >> 6);
        return put(0x80 | (code & 0x3F));
    }
    if (code < 0x10000) {
        put(0xE0 | code >> 12);
    } else {
        put(0xF0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3F));
    }
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
}

TextEncoding detect_encoding(std::span<const std::string_view> texts)
{
    if (std::ranges::all_of(texts, is_utf8_or_truncated)) return TextEncoding::utf8;
    auto best = TextEncoding::windows_1252;
    std::int64_t best_score = 0; // Latin-1 is the default; the others need a positive score
    for (const TextEncoding encoding :
         {TextEncoding::windows_1252, TextEncoding::shift_jis, TextEncoding::gbk}) {
        std::int64_t sum = 0;
        for (const std::string_view text : texts)
            if (!is_utf8(text)) sum += points(text, encoding);
        if (sum > best_score) {
            best = encoding;
            best_score = sum;
        }
    }
    return best;
}

std::string to_utf8(std::string_view text, TextEncoding encoding)
{
    std::string out;
    if (is_utf8(text)) {
        out = text;
    } else {
        out.reserve(text.size() * 2);
        while (!text.empty()) {
            const Character c = next_character(text, encoding);
            if (!c.cut)
                append_utf8(out, c.code != 0 || byte_at(text, 0) == 0 ? c.code : replacement_character);
            text.remove_prefix(c.length);
        }
    }
    std::ranges::replace_if(
        out, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; }, ' ');
    return out;
}

std::string to_utf8(std::string_view text)
{
    return to_utf8(text, detect_encoding({&text, 1}));
}

} // namespace vitrine::io
