#pragma once
// Text in an encoding that its file names for itself, as XML does.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "loaders/io/text/encoding_tables.hpp"

namespace vitrine::io {

// An encoding of one or two bytes a character that has ASCII below 0x80 (EUC-JP has some of three). Its
// tables are part of the program. Any thread.
class CodePage {
public:
    // By a label of IANA's registry, whatever its case, with the meaning that the Encoding Standard of WHATWG
    // gives it: ISO-8859-1 is Windows-1252, Shift_JIS code page 932, GB2312 is GBK. Nothing for UTF-8 and
    // UTF-16 and for labels that are not known.
    static std::optional<CodePage> find(std::string_view label);

    // What has no meaning becomes U+FFFD, a character cut off at the end vanishes; all of ASCII stays.
    // Linear.
    std::string to_utf8(std::string_view text) const;
    // All of the text has a meaning, to the end.
    bool is_valid(std::string_view text) const;
    // Characters of more than one byte: text in UTF-8 is seldom valid in it by chance, and the other way
    // round.
    bool has_pairs() const { return pairs_ != nullptr; }

private:
    enum class Kind : std::uint8_t { single, pairs, shift_jis, euc_jp };

    CodePage(Kind kind, const HighHalf* high, const Pairs* pairs) : kind_(kind), high_(high), pairs_(pairs) {}

    template <class Function>
    bool for_each_character(std::string_view text, Function f) const;

    Kind kind_;
    const HighHalf* high_;
    const Pairs* pairs_;
};

// The labels of UTF-8, UTF-16 and ASCII, and none.
bool needs_no_code_page(std::string_view label);

} // namespace vitrine::io
