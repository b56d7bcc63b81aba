#pragma once
// Reads glyph bitmaps from a file in GNU Unifont's .hex format: one line per code point, in ascending order,
// with the code point, a colon and the pixel rows from the top in hexadecimal. The file is not loaded; glyphs
// are found by binary search.

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>

namespace vitrine::render {

inline constexpr int glyph_height = 16;

struct Glyph {
    int width = 0;                                  // 8 or 16 pixels
    std::array<std::uint16_t, glyph_height> rows{}; // the leftmost pixel is bit width - 1

    bool operator==(const Glyph&) const = default;
};

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

} // namespace vitrine::render
