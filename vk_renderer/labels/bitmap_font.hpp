#pragma once
// Text in scripts that the stroke font lacks, as strokes derived from the bitmaps of a font file: a run of
// pixels in a row or column is one stroke. The file is opened when text is first requested. Used by one
// thread at a time.

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

// Returns the strokes of a bitmap, from pixel center to pixel center.
std::vector<Stroke> strokes_of(const Glyph& glyph);

// Whether the script is written left to right in letters that do not interact: not scripts whose letters join
// (Arabic), reorder (Devanagari, Thai), run right to left (Hebrew) or stack (combining marks).
bool needs_no_shaping(char32_t code);

class GlyphFont {
public:
    // Called once if the file cannot be read.
    using Notice = std::function<void(const std::string&)>;

    explicit GlyphFont(std::filesystem::path file, Notice notice = {});
    // Like stroke_text(), one unit per pixel. Returns false, leaving `out` unspecified, if a letter is
    // missing.
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
    std::unordered_map<char32_t, Shape> shapes_; // cache of requested letters
};

} // namespace vitrine::render
