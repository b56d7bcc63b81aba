#include "vk_renderer/labels/stroke_font.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "vk_renderer/labels/stroke_letters.hpp"
#include "vk_renderer/labels/utf8.hpp"

namespace vitrine::render {
namespace {

constexpr float letter_gap = 1.6f; // between letters
constexpr float space_width = 3.0f;
constexpr float lowercase_top = 2.0f; // of lowercase letters
constexpr std::string_view missing_glyph = "0040460600";

// Glyphs from '!' on. A point is two digits, x 0 .. 4 and y 0 .. 8; a space lifts the pen. Capitals extend
// from 0 to 6, lowercase letters from 2 to 6, descenders to 8.
constexpr std::array<std::string_view, 94> glyphs{
    "0004 0606",                        // !
    "0002 2022",                        // "
    "1016 3036 0242 0444",              // #
    "413010010213334445361605 2027",    // $
    "4006 0010110100 3545463635",       // %
    "4612112031320405162644",           // &
    "0002",                             // '
    "10010516",                         // (
    "00111506",                         // )
    "2125 0244 4204",                   // *
    "2125 0343",                        // +
    "151607",                           // ,
    "0333",                             // -
    "0606",                             // .
    "3006",                             // /
    "103041453616050110 1531",          // 0
    "011016 0626",                      // 1
    "01103041420646",                   // 2
    "0110304142334445361605 1333",      // 3
    "36300444",                         // 4
    "400002324345361605",               // 5
    "413010010516364544331304",         // 6
    "004016",                           // 7
    "13020110304142331304051636454433", // 8
    "051636454130100102133342",         // 9
    "0202 0606",                        // :
    "1212 151607",                      // ;
    "310335",                           // <
    "0232 0434",                        // =
    "013305",                           // >
    "01103041422324 2626",              // ?
    "453616050110304144343222132433",   // @
    "062046 1434",                      // A
    "003041423303 334445360600",        // B
    "4130100105163645",                 // C
    "00204244260600",                   // D
    "40000646 0333",                    // E
    "400006 0333",                      // F
    "41301001051636454323",             // G
    "0006 4046 0343",                   // H
    "0020 1016 0626",                   // I
    "3035261605",                       // J
    "0006 4004 1346",                   // K
    "000646",                           // L
    "0600234046",                       // M
    "06004640",                         // N
    "103041453616050110",               // O
    "06003041423303",                   // P
    "103041453616050110 2446",          // Q
    "06003041423303 2346",              // R
    "413010010213334445361605",         // S
    "0040 2026",                        // T
    "000516364540",                     // U
    "002640",                           // V
    "0016223640",                       // W
    "0046 4006",                        // X
    "002340 2326",                      // Y
    "00400646",                         // Z
    "10000616",                         // [
    "0036",                             // backslash
    "00101606",                         // ]
    "022042",                           // ^
    "0747",                             // _
    "0011",                             // `
    "3236 3322120305162635",            // a
    "0006 0312223335261605",            // b
    "3322120305162635",                 // c
    "3036 3322120305162635",            // d
    "04343322120305162635",             // e
    "30201116 0222",                    // f
    "3237281807 3322120305162635",      // g
    "0006 0312223336",                  // h
    "0206 0000",                        // i
    "121708 1010",                      // j
    "0006 3205 1436",                   // k
    "000516",                           // l
    "0206 03122326 23324346",           // m
    "0206 0312223336",                  // n
    "122233352616050312",               // o
    "0208 0312223335261605",            // p
    "3238 3322120305162635",            // q
    "0206 031222",                      // r
    "33221203142435261605",             // s
    "101526 0222",                      // t
    "0205162635 3236",                  // u
    "022642",                           // v
    "0216233642",                       // w
    "0236 3206",                        // x
    "0205162635 3237281807",            // y
    "02320636",                         // z
    "20111203141526",                   // {
    "0007",                             // |
    "00111223141506",                   // }
    "04133443",                         // ~
};

glm::vec2 point(std::string_view glyph, std::size_t at)
{
    return {static_cast<float>(glyph[at] - '0'), static_cast<float>(glyph[at + 1] - '0')};
}

// Returns the glyph's width.
float append_glyph(std::string_view glyph, float left, std::vector<Stroke>& out)
{
    float width = 0.0f;
    for (std::size_t at = 0; at + 1 < glyph.size(); at += 2) {
        if (glyph[at] == ' ') ++at;
        const auto from = point(glyph, at);
        width = std::max(width, from.x);
        if (at + 3 >= glyph.size() || glyph[at + 2] == ' ') continue; // the last point of a polyline
        out.push_back({from + glm::vec2(left, 0.0f), point(glyph, at + 2) + glm::vec2(left, 0.0f)});
    }
    return width;
}

// A mark above a capital needs room: the capital is compressed.
void compress(std::span<Stroke> strokes)
{
    for (auto& [from, to] : strokes)
        for (auto* end : {&from, &to})
            end->y = lowercase_top + end->y * (font_baseline - lowercase_top) / font_baseline;
}

bool extends_above_capitals(std::span<const Stroke> strokes)
{
    return std::ranges::any_of(strokes,
                               [](const Stroke& s) { return std::min(s.from.y, s.to.y) < lowercase_top; });
}

float append_letter(const Letter& letter, float left, std::vector<Stroke>& out)
{
    const auto first = out.size();
    const bool above = !letter.mark.empty() && letter.mark[1] < '2';
    const auto ascii = [&](char c) {
        const bool dotless = above && (c == 'i' || c == 'j');
        return glyphs[static_cast<std::size_t>(c - '!')].substr(0, dotless ? 4 : std::string_view::npos);
    };
    float width = letter.strokes.empty() ? append_glyph(ascii(letter.ascii[0]), left, out)
                                         : append_glyph(letter.strokes, left, out);
    if (letter.ascii[1] != 0) width += 1.0f + append_glyph(ascii(letter.ascii[1]), left + width + 1.0f, out);
    const auto strokes = std::span(out).subspan(first);
    if (letter.small || (above && extends_above_capitals(strokes))) compress(strokes);
    if (!letter.mark.empty()) append_glyph(letter.mark, left + std::max(0.5f * width - 1.0f, 0.0f), out);
    return std::max(width, letter.mark.empty() ? 0.0f : 2.0f);
}

} // namespace

bool can_stroke(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();)
        if (const auto code = next_code(text, at); code != U' ' && !find_letter(code)) return false;
    return true;
}

void stroke_text(std::string_view text, StrokedText& out)
{
    out.strokes.clear();
    out.width = 0.0f;
    float left = 0.0f;
    for (std::size_t at = 0; at < text.size();) {
        const auto code = next_code(text, at);
        const auto letter = find_letter(code);
        float width = space_width - letter_gap;
        if (letter)
            width = append_letter(*letter, left, out.strokes);
        else if (code != U' ')
            width = append_glyph(missing_glyph, left, out.strokes);
        out.width = left + width;
        left = out.width + letter_gap;
    }
}

} // namespace vitrine::render
