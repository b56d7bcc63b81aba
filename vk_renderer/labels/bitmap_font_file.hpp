#pragma once
// Letters as bitmaps, in a file as GNU Unifont's .hex: a line for each code point, in their order, which is
// the code point, a colon and the rows of pixels from the top, in hexadecimal digits. Nothing of the file is
// kept in memory: a letter is looked for by halves.

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
    // Whether it can be read is_open() says.
    explicit GlyphFile(const std::filesystem::path& file);
    bool is_open() const { return size_ > 0; }
    // Empty: the file has no such letter, or is no such file where it would have to be.
    std::optional<Glyph> find(char32_t code);

private:
    struct Line;
    std::optional<Line> line_behind(std::uint64_t at);

    std::ifstream in_;
    std::uint64_t size_ = 0; // bytes
};

} // namespace vitrine::render
