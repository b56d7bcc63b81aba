#pragma once
// Text in scripts that the stroke font lacks, as strokes derived from the bitmaps of a font file: a run of
// pixels in a row or column is one stroke. The file is opened when text is first requested. Used by one
// thread at a time.

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vk_renderer/labels/stroke_font.hpp"

namespace vitrine::render {

inline constexpr int glyph_height = 16;

struct Glyph {
    int width = 0;                                  // 8 or 16 pixels
    std::array<std::uint16_t, glyph_height> rows{}; // the leftmost pixel is bit width - 1

    bool operator==(const Glyph&) const = default;
};

// A file in GNU Unifont's .hex format: one line per code point, in ascending order, with the code point, a
// colon and the pixel rows from the top in hexadecimal. The file is not loaded; glyphs are found by binary
// search.
class GlyphFile {
public:
    // is_open() returns whether the file can be read.
    explicit GlyphFile(const std::filesystem::path& file);
    bool is_open() const { return size_ > 0; }
    // Returns an empty optional if the glyph is missing or the file is malformed at its place.
    std::optional<Glyph> find(char32_t code);

private:
    struct Line;
    std::optional<Line> first_line_from(std::uint64_t at);

    std::ifstream in_;
    std::uint64_t size_ = 0; // bytes
};

// Returns the strokes of a bitmap, from pixel center to pixel center.
std::vector<Stroke> strokes_of(const Glyph& glyph);

// Whether the script is written left to right in letters that do not interact: not scripts whose letters join
// (Arabic), reorder (Devanagari, Thai), run right to left (Hebrew) or stack (combining marks).
bool needs_no_shaping(char32_t code);

class GlyphFont {
public:
    // Called once if the file cannot be read.
    using LogFunction = std::function<void(const std::string&)>;

    explicit GlyphFont(std::filesystem::path file, LogFunction on_log_message = {});
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
    LogFunction on_log_message_;
    std::optional<GlyphFile> file_;
    std::unordered_map<char32_t, Shape> shapes_; // cache of requested letters
};

} // namespace vitrine::render
