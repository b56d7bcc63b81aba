#pragma once
// Text in an encoding declared by its file, as in XML.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "loaders/io/text/encoding_tables.hpp"

namespace vitrine::io {

// An encoding with one or two bytes per character (EUC-JP: up to three) and ASCII below 0x80. Its tables are
// compiled in. Thread-safe.
class CodePage {
public:
    // Finds an encoding by its IANA label, ignoring case, with the interpretation of the WHATWG Encoding
    // Standard: ISO-8859-1 is Windows-1252, Shift_JIS is code page 932, GB2312 is GBK. Empty for UTF-8,
    // UTF-16 and unknown labels.
    static std::optional<CodePage> find(std::string_view label);

    // Invalid bytes become U+FFFD, a character truncated at the end is dropped; ASCII is kept. Linear time.
    std::string to_utf8(std::string_view text) const;
    // Whether the whole text is valid.
    bool is_valid(std::string_view text) const;
    // Whether characters may have more than one byte. Such text is rarely valid UTF-8 by chance, and vice
    // versa.
    bool has_pairs() const { return pairs_ != nullptr; }

private:
    enum class Kind : std::uint8_t { single, pairs, shift_jis, euc_jp };

    CodePage(Kind kind, const HighHalf* high, const DoubleByteTable* pairs)
        : kind_(kind), high_(high), pairs_(pairs)
    {
    }

    template <class Function>
    bool for_each_character(std::string_view text, Function f) const;

    Kind kind_;
    const HighHalf* high_;
    const DoubleByteTable* pairs_;
};

// True for the labels of UTF-8, UTF-16 and ASCII, and for an empty label.
bool needs_no_code_page(std::string_view label);

} // namespace vitrine::io
