#include "loaders/io/text/code_page.hpp"

#include <algorithm>
#include <array>

#include "loaders/base/ascii.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/multibyte_characters.hpp"

namespace vitrine::io {
namespace {

struct Alias {
    std::string_view label, name;
};

// Aliases of single_byte_sets. "windows-125x" and "cp125x" are handled by the rule below.
constexpr std::array aliases{
    Alias{"iso-8859-1", "CP1252"},   Alias{"latin1", "CP1252"},        Alias{"latin2", "ISO-8859-2"},
    Alias{"iso-8859-9", "CP1254"},   Alias{"latin5", "CP1254"},        Alias{"iso-8859-11", "CP874"},
    Alias{"tis-620", "CP874"},       Alias{"windows-874", "CP874"},    Alias{"iso-8859-8-i", "ISO-8859-8"},
    Alias{"latin-9", "ISO-8859-15"}, Alias{"koi8", "KOI8-R"},          Alias{"ibm437", "CP437"},
    Alias{"ibm850", "CP850"},        Alias{"ibm852", "CP852"},         Alias{"ibm866", "CP866"},
    Alias{"mac", "MACINTOSH"},       Alias{"x-mac-roman", "MACINTOSH"}};

constexpr std::array shift_jis_labels{"shift_jis", "shift-jis",   "sjis", "x-sjis",
                                      "ms_kanji",  "windows-31j", "cp932"};
constexpr std::array euc_jp_labels{"euc-jp", "x-euc-jp", "eucjp"};
constexpr std::array gbk_labels{"gbk",     "gb2312", "gb_2312-80", "x-gbk",
                                "gb18030", "euc-cn", "cp936",      "windows-936"};
constexpr std::array euc_kr_labels{"euc-kr", "ks_c_5601-1987", "ksc5601", "cp949", "windows-949", "uhc"};
constexpr std::array big5_labels{"big5", "big5-hkscs", "x-x-big5", "cp950", "windows-950"};

bool is_one_of(std::string_view label, const auto& labels)
{
    return std::ranges::any_of(labels,
                               [&](std::string_view l) { return ascii::equal_ignoring_case(l, label); });
}

const HighHalf* single_byte_set(std::string_view label)
{
    const auto alias = std::ranges::find_if(
        aliases, [&](const Alias& a) { return ascii::equal_ignoring_case(a.label, label); });
    std::string name(alias == aliases.end() ? label : alias->name);
    constexpr std::string_view windows = "windows-";
    if (ascii::equal_ignoring_case(std::string_view(name).substr(0, windows.size()), windows))
        name = "CP" + name.substr(windows.size());
    const auto set = std::ranges::find_if(
        single_byte_sets, [&](const SingleByteSet& s) { return ascii::equal_ignoring_case(s.name, name); });
    return set == single_byte_sets.end() ? nullptr : &set->codes;
}

// Code point for a row and cell of JIS X 0208 in Shift-JIS, which has two rows per lead byte.
std::uint32_t jis_code(unsigned row, unsigned cell)
{
    const unsigned lead = (row - 1) / 2 + (row <= 62 ? 0x81 : 0xC1);
    const unsigned odd_trail = cell + (cell < 64 ? 0x3F : 0x40);
    return pair_code(shift_jis_pairs, lead, row % 2 == 1 ? odd_trail : cell + 0x9E);
}

// JIS X 0208 as pairs, half-width katakana after 0x8E, JIS X 0212 (for which there is no table) after 0x8F.
Character euc_jp_character(std::string_view text)
{
    constexpr unsigned first = 0xA1, last = 0xFE, katakana = 0x8E, supplement = 0x8F;
    const unsigned lead = byte_at(text, 0);
    if (lead < 0x80) return {1, lead};
    if (lead != katakana && lead != supplement && (lead < first || lead > last)) return {};
    const std::size_t length = lead == supplement ? 3 : 2;
    for (std::size_t i = 1; i < length; ++i) {
        if (i == text.size()) return {i, 0, true};
        if (byte_at(text, i) < first || byte_at(text, i) > last) return {};
    }
    const unsigned trail = byte_at(text, 1);
    if (lead == supplement) return {3, replacement_character};
    if (lead == katakana) return trail <= 0xDF ? Character{2, trail - 0xA1 + 0xFF61} : Character{2, 0};
    return {2, jis_code(lead - 0xA0, trail - 0xA0)};
}

} // namespace

std::optional<CodePage> CodePage::find(std::string_view label)
{
    if (is_one_of(label, shift_jis_labels)) return CodePage(Kind::shift_jis, nullptr, &shift_jis_pairs);
    if (is_one_of(label, euc_jp_labels)) return CodePage(Kind::euc_jp, nullptr, &shift_jis_pairs);
    if (is_one_of(label, gbk_labels)) return CodePage(Kind::pairs, nullptr, &gbk_pairs);
    if (is_one_of(label, euc_kr_labels)) return CodePage(Kind::pairs, nullptr, &euc_kr_pairs);
    if (is_one_of(label, big5_labels)) return CodePage(Kind::pairs, nullptr, &big5_pairs);
    if (const HighHalf* high = single_byte_set(label)) return CodePage(Kind::single, high, nullptr);
    return std::nullopt;
}

// Stops and returns false if f returns false.
template <class Function>
bool CodePage::for_each_character(std::string_view text, Function f) const
{
    while (!text.empty()) {
        const unsigned byte = byte_at(text, 0);
        Character c{1, byte};
        if (byte >= 0x80) {
            switch (kind_) {
            case Kind::single: c.code = (*high_)[byte - 0x80]; break;
            case Kind::pairs: c = pair_character(text, *pairs_); break;
            case Kind::shift_jis: c = shift_jis_character(text); break;
            case Kind::euc_jp: c = euc_jp_character(text); break;
            }
        }
        if (!f(c, byte)) return false;
        text.remove_prefix(c.length);
    }
    return true;
}

std::string CodePage::to_utf8(std::string_view text) const
{
    std::string out;
    out.reserve(text.size() + text.size() / 8);
    for_each_character(text, [&](const Character& c, unsigned byte) {
        if (byte < 0x80) {
            out.push_back(static_cast<char>(byte));
        } else if (!c.cut) {
            append_utf8(out, c.code == 0 ? replacement_character : c.code);
        }
        return true;
    });
    return out;
}

bool CodePage::is_valid(std::string_view text) const
{
    return for_each_character(
        text, [](const Character& c, unsigned byte) { return byte < 0x80 || (!c.cut && c.code != 0); });
}

bool needs_no_code_page(std::string_view label)
{
    constexpr std::array labels{"utf-8", "utf8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "ascii", ""};
    return is_one_of(label, labels);
}

} // namespace vitrine::io
