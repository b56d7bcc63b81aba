#include "vk_renderer/labels/bitmap_font.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "vk_renderer/labels/utf8.hpp"

namespace vitrine::render {
namespace {

constexpr std::size_t max_cached_shapes = 4096; // exceeds the number of letters in typical rigs

struct CodePointRange {
    char32_t first, last;
};

constexpr std::array ranges{
    CodePointRange{0x20, 0x7E},       // ASCII
    CodePointRange{0xA1, 0xAC},       // Latin-1 without the soft hyphen
    CodePointRange{0xAE, 0x2FF},      // Latin
    CodePointRange{0x370, 0x482},     // Greek, Cyrillic
    CodePointRange{0x48A, 0x58F},     // Cyrillic, Armenian
    CodePointRange{0x10A0, 0x10FF},   // Georgian
    CodePointRange{0x1200, 0x135A},   // Ethiopic
    CodePointRange{0x13A0, 0x16FF},   // Cherokee, Canadian syllabics, runes
    CodePointRange{0x1E00, 0x1FFF},   // Latin and Greek with marks
    CodePointRange{0x2010, 0x2027},   // punctuation
    CodePointRange{0x2030, 0x205E},   // punctuation
    CodePointRange{0x2070, 0x20CF},   // superscripts, subscripts, currency symbols
    CodePointRange{0x2100, 0x2CEE},   // symbols, arrows, enclosed digits
    CodePointRange{0x2D00, 0x2D7E},   // Georgian, Tifinagh
    CodePointRange{0x2E80, 0x3029},   // Han radicals, punctuation
    CodePointRange{0x3030, 0x3098},   // hiragana
    CodePointRange{0x309B, 0xA4CF},   // kana, Bopomofo, Korean letters, Han, Yi
    CodePointRange{0xAC00, 0xD7A3},   // Korean
    CodePointRange{0xF900, 0xFB17},   // Han, Latin and Armenian ligatures
    CodePointRange{0xFE30, 0xFE6F},   // East Asian punctuation forms
    CodePointRange{0xFF01, 0xFFEE},   // full-width Latin, half-width kana
    CodePointRange{0x20000, 0x3FFFF}, // Han
};

// Appends each run of two or more set pixels along a line; `lit` tests the pixel (x, y). `along` and `across`
// are the sides of the bitmap.
template <class Lit, class Add>
void each_run(int along, int across, Lit lit, Add add)
{
    for (int line = 0; line < across; ++line)
        for (int at = 0; at < along;) {
            int end = at;
            while (end < along && lit(end, line))
                ++end;
            if (end - at > 1) add(at, end - 1, line);
            at = end + 1;
        }
}

} // namespace

std::vector<Stroke> strokes_of(const Glyph& glyph)
{
    const auto lit = [&](int x, int y) {
        return x >= 0 && x < glyph.width && y >= 0 && y < glyph_height &&
               (glyph.rows[static_cast<std::size_t>(y)] >> (glyph.width - 1 - x) & 1) != 0;
    };
    std::vector<Stroke> strokes;
    each_run(glyph.width, glyph_height, lit,
             [&](int first, int last, int y) { strokes.push_back({{first, y}, {last, y}}); });
    each_run(
        glyph_height, glyph.width, [&](int y, int x) { return lit(x, y); },
        [&](int first, int last, int x) { strokes.push_back({{x, first}, {x, last}}); });
    for (int y = 0; y < glyph_height; ++y)
        for (int x = 0; x < glyph.width; ++x)
            if (lit(x, y) && !lit(x - 1, y) && !lit(x + 1, y) && !lit(x, y - 1) && !lit(x, y + 1))
                strokes.push_back({{x, y}, {x, y}});
    return strokes;
}

bool needs_no_shaping(char32_t code)
{
    const auto* range = std::ranges::lower_bound(ranges, code, {}, &CodePointRange::last);
    return range != ranges.end() && code >= range->first;
}

GlyphFont::GlyphFont(std::filesystem::path file, LogFunction on_log_message)
    : path_(std::move(file)), on_log_message_(std::move(on_log_message))
{
}

bool GlyphFont::write(std::string_view text, StrokedText& out)
{
    out.strokes.clear();
    out.width = 0.0f;
    for (std::size_t at = 0; at < text.size();) {
        const auto code = next_code(text, at);
        if (!needs_no_shaping(code)) return false;
        const auto& shape = shape_of(code);
        if (shape.width == 0) return false;
        const glm::vec2 shift(out.width, 0.0f);
        for (const auto& [from, to] : shape.strokes)
            out.strokes.push_back({from + shift, to + shift});
        out.width += static_cast<float>(shape.width);
    }
    return true;
}

// Missing letters are cached too.
const GlyphFont::Shape& GlyphFont::shape_of(char32_t code)
{
    if (const auto cached = shapes_.find(code); cached != shapes_.end()) return cached->second;
    if (shapes_.size() >= max_cached_shapes) shapes_.clear();
    return shapes_.emplace(code, read(code)).first->second;
}

GlyphFont::Shape GlyphFont::read(char32_t code)
{
    if (!file_) {
        file_.emplace(path_);
        if (!file_->is_open() && on_log_message_)
            on_log_message_(
                fmt::format("{} cannot be read (Debian package unifont); joint names in scripts other "
                            "than Latin, Greek and Cyrillic are drawn as node numbers",
                            path_.native()));
    }
    const auto glyph = file_->find(code);
    if (!glyph) return {};
    return {glyph->width, strokes_of(*glyph)};
}

} // namespace vitrine::render
