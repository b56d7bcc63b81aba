#include "vk_renderer/labels/stroke_letters.hpp"

#include <algorithm>

namespace vitrine::render {
namespace {

constexpr std::size_t entry_length = 3;

// Triples of a letter, its base letter and its mark.
constexpr std::u32string_view accented =
    U"ÀA`ÁA'ÂA^ÃA~ÄA:ÅAoÇC,ÈE`ÉE'ÊE^ËE:ÌI`ÍI'ÎI^ÏI:ÑN~ÒO`ÓO'ÔO^ÕO~ÖO:ØO/ÙU`ÚU'ÛU^ÜU:ÝY'"
    U"àa`áa'âa^ãa~äa:åaoçc,èe`ée'êe^ëe:ìi`íi'îi^ïi:ñn~òo`óo'ôo^õo~öo:øo/ùu`úu'ûu^üu:ýy'ÿy:"
    U"ĀA-āa-ĂAuăauĄA;ąa;ĆC'ćc'ĈC^ĉc^ĊC.ċc.ČCvčcvĎDvďdvĐD/đd/ĒE-ēe-ĔEuĕeuĖE.ėe.ĘE;ęe;ĚEvěev"
    U"ĜG^ĝg^ĞGuğguĠG.ġg.ĢG,ģg,ĤH^ĥh^ĦH/ħh/ĨI~ĩi~ĪI-īi-ĬIuĭiuĮI;įi;İI.ĴJ^ĵj^ĶK,ķk,ĹL'ĺl'ĻL,ļl,"
    U"ĽLvľlvŁL/łl/ŃN'ńn'ŅN,ņn,ŇNvňnvŌO-ōo-ŎOuŏouŐO\"őo\"ŔR'ŕr'ŖR,ŗr,ŘRvřrvŚS'śs'ŜS^ŝs^ŞS,şs,"
    U"ŠSvšsvŢT,ţt,ŤTvťtvŦT/ŧt/ŨU~ũu~ŪU-ūu-ŬUuŭuuŮUoůuoŰU\"űu\"ŲU;ųu;ŴW^ŵw^ŶY^ŷy^ŸY:ŹZ'źz'ŻZ.żz."
    U"ŽZvžzvȘS,șs,ȚT,țt,ΆA'ΈE'ΉH'ΊI'ΌO'ΎY'ΪI:ΫY:ЁE:ёe:ЇI:їi:ЀE`ѐe`";

// Pairs of a letter and the ASCII letter of the same shape.
constexpr std::u32string_view same_shapes = U"АAВBЕEКKМMНHОOРPСCТTХXаaеeоoрpсcуyхxІIіiЈJјjЅSѕsЗ3"
                                            U"ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοoıi×x–-—-‘'’'";

struct ComposedGlyph {
    char32_t code;
    std::string_view strokes;
};

// Capitals; lowercase letters are the same, compressed.
constexpr std::array composed_glyphs{
    ComposedGlyph{U'Б', "4000062635342303"},
    ComposedGlyph{U'Г', "400006"},
    ComposedGlyph{U'Ґ', "41400006"},
    ComposedGlyph{U'Д', "07064647 162036"},
    ComposedGlyph{U'Ж', "0046 4006 2026"},
    ComposedGlyph{U'И', "00064046"},
    ComposedGlyph{U'Л', "0615104046"},
    ComposedGlyph{U'П', "06004046"},
    ComposedGlyph{U'У', "0023 4006"},
    ComposedGlyph{U'Ф', "113142443515040211 2026"},
    ComposedGlyph{U'Ц', "000646 4047"},
    ComposedGlyph{U'Ч', "00021343 4046"},
    ComposedGlyph{U'Ш', "00064640 2026"},
    ComposedGlyph{U'Щ', "000646 2026 4047"},
    ComposedGlyph{U'Ъ', "0010163645443313"},
    ComposedGlyph{U'Ы', "00062635342303 4046"},
    ComposedGlyph{U'Ь', "00063645443303"},
    ComposedGlyph{U'Э', "0110304145361605 1343"},
    ComposedGlyph{U'Є', "4130100105163645 0333"},
    ComposedGlyph{U'Ю', "0006 0313 203041453626151120"},
    ComposedGlyph{U'Я', "46401001021343 2306"},
    ComposedGlyph{U'Γ', "400006"},
    ComposedGlyph{U'Δ', "06204606"},
    ComposedGlyph{U'Θ', "103041453616050110 1333"},
    ComposedGlyph{U'Λ', "062046"},
    ComposedGlyph{U'Ξ', "0040 1333 0646"},
    ComposedGlyph{U'Π', "06004046"},
    ComposedGlyph{U'Σ', "4000230646"},
    ComposedGlyph{U'Φ', "113142443515040211 2026"},
    ComposedGlyph{U'Ψ', "000213334240 2026"},
    ComposedGlyph{U'Ω', "06160501103041453646"},
    ComposedGlyph{U'ß', "08011020312233342615"},
    ComposedGlyph{U'°', "1021120110"},
    ComposedGlyph{U'·', "2323"},
    ComposedGlyph{U'µ', "0208 05163542 4246"},
};

struct GlyphPair {
    char32_t code;
    std::array<char, 2> letters;
};
constexpr std::array pairs{GlyphPair{U'Æ', {'A', 'E'}}, GlyphPair{U'æ', {'a', 'e'}},
                           GlyphPair{U'Œ', {'O', 'E'}}, GlyphPair{U'œ', {'o', 'e'}},
                           GlyphPair{U'Ĳ', {'I', 'J'}}, GlyphPair{U'ĳ', {'i', 'j'}}};

// For a letter two units wide: in the two units above lowercase letters, or below.
std::string_view mark_of(char32_t name)
{
    switch (name) {
    case U'`': return "0011";
    case U'\'': return "1120";
    case U'^': return "011021";
    case U'v': return "001120";
    case U'~': return "01101120";
    case U':': return "0000 2020";
    case U'o': return "0010110100";
    case U'-': return "0020";
    case U'u': return "00012120";
    case U'.': return "1010";
    case U'"': return "0110 1120";
    case U',': return "161708";
    case U';': return "261728";
    case U'/': return "0523";
    default: return {};
    }
}

char32_t capital_of(char32_t code)
{
    if (code == U'ς') return U'Σ';
    if ((code >= U'а' && code <= U'я') || (code >= U'α' && code <= U'ω')) return code - 0x20;
    if (code >= U'ѐ' && code <= U'џ') return code - 0x50;
    if (code == U'ґ') return U'Ґ';
    return code;
}

std::optional<Letter> find_composed(char32_t code)
{
    for (std::size_t i = 0; i + entry_length <= accented.size(); i += entry_length)
        if (accented[i] == code)
            return Letter{.ascii = {static_cast<char>(accented[i + 1])}, .mark = mark_of(accented[i + 2])};
    for (std::size_t i = 0; i + 2 <= same_shapes.size(); i += 2)
        if (same_shapes[i] == code) return Letter{.ascii = {static_cast<char>(same_shapes[i + 1])}};
    if (const auto* pair = std::ranges::find(pairs, code, &GlyphPair::code); pair != pairs.end())
        return Letter{.ascii = pair->letters};
    if (const auto* glyph = std::ranges::find(composed_glyphs, code, &ComposedGlyph::code);
        glyph != composed_glyphs.end())
        return Letter{.strokes = glyph->strokes};
    return std::nullopt;
}

// A lowercase letter with the shape of its capital.
std::optional<Letter> find_compressed(char32_t code)
{
    const auto capital = capital_of(code);
    auto letter = capital != code ? find_composed(capital) : std::nullopt;
    if (letter) letter->small = true;
    return letter;
}

std::optional<Letter> find_marked_greek_or_cyrillic(char32_t code)
{
    const auto with = [](char32_t base, char32_t mark) {
        auto letter = find_letter(base);
        if (letter) letter->mark = mark_of(mark);
        return letter;
    };
    switch (code) {
    case U'Й': return with(U'И', U'u');
    case U'й': return with(U'и', U'u');
    case U'Ў': return with(U'У', U'u');
    case U'ў': return with(U'у', U'u');
    case U'Ώ': return with(U'Ω', U'\'');
    case U'ά': return with(U'α', U'\'');
    case U'έ': return with(U'ε', U'\'');
    case U'ή': return with(U'η', U'\'');
    case U'ί': return with(U'ι', U'\'');
    case U'ό': return with(U'ο', U'\'');
    case U'ύ': return with(U'υ', U'\'');
    case U'ώ': return with(U'ω', U'\'');
    default: return std::nullopt;
    }
}

} // namespace

std::optional<Letter> find_letter(char32_t code)
{
    if (code > U' ' && code <= U'~') return Letter{.ascii = {static_cast<char>(code)}};
    if (auto letter = find_composed(code)) return letter;
    if (auto letter = find_compressed(code)) return letter;
    return find_marked_greek_or_cyrillic(code);
}

} // namespace vitrine::render
