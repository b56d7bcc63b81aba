#pragma once
// Text of other scripts than the stroke font's, in the strokes of a file's bitmaps: a letter's pixels in a
// row or a column are one stroke. The file is opened at the first text that is asked for. One thread at a
// time.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vk_renderer/labels/bitmap_font_file.hpp"
#include "vk_renderer/labels/stroke_font.hpp"

namespace vitrine::render {

// The strokes of a bitmap, from the centre of one pixel to the centre of another.
std::vector<Stroke> strokes_of(const Glyph& glyph);

// Whether the script is written from left to right in letters that each stand by themselves: not those whose
// letters join (Arabic), change places (Devanagari, Thai), run to the left (Hebrew) or stand on others
// (combining marks).
bool needs_no_shaping(char32_t code);

class GlyphFont {
public:
    // Told once, where the file cannot be read.
    using Notice = std::function<void(const std::string&)>;

    explicit GlyphFont(std::filesystem::path file, Notice notice = {});
    // As stroke_text(), a unit a pixel. False, and `out` is anything: a letter is not there.
    bool write(std::string_view text, StrokedText& out);

private:
    struct Shape {
        int width = 0; // 0: the font has no such letter
        std::vector<Stroke> strokes;
    };

    const Shape& shape_of(char32_t code);
    Shape read(char32_t code);

    std::filesystem::path path_;
    Notice notice_;
    std::optional<GlyphFile> file_;
    std::unordered_map<char32_t, Shape> shapes_; // that were asked for
};

} // namespace vitrine::render
