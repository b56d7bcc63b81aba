#include "vk_renderer/labels/bitmap_font.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "loaders/base/parse_whole.hpp"

namespace vitrine::render {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_code_digits = 6;
constexpr std::size_t max_line_bytes = max_code_digits + 1 + std::size_t{glyph_height} * 4 + 1;

std::optional<Glyph> parse_rows(std::string_view digits)
{
    const auto of_row = digits.size() / glyph_height;
    if (digits.size() % glyph_height != 0 || (of_row != 2 && of_row != 4)) return std::nullopt;
    Glyph glyph{.width = static_cast<int>(of_row) * 4};
    for (std::size_t i = 0; i < glyph.rows.size(); ++i) {
        const auto row = parse_whole<std::uint16_t>(digits.substr(i * of_row, of_row), 16);
        if (!row) return std::nullopt;
        glyph.rows[i] = *row;
    }
    return glyph;
}

} // namespace

struct GlyphFile::Line {
    std::uint64_t begin = 0, end = 0; // offsets in the file; `end` is after the line's end
    char32_t code = 0;
    std::optional<Glyph> glyph; // empty: the rows are malformed
};

GlyphFile::GlyphFile(const fs::path& file)
{
    std::error_code none;
    if (!fs::is_regular_file(file, none)) return; // reading a pipe would block
    in_.rdbuf()->pubsetbuf(nullptr, 0);           // unbuffered: otherwise each step of the search reads 8 KiB
    in_.open(file, std::ios::binary);
    if (!in_) return;
    const auto bytes = fs::file_size(file, none);
    if (!none) size_ = bytes;
}

// Returns the first line that begins at or after `at`, or an empty range at the end of the file. Empty
// optional: the text there is not a line of such a file.
std::optional<GlyphFile::Line> GlyphFile::first_line_from(std::uint64_t at)
{
    std::array<char, 2 * max_line_bytes> buffer{};
    const auto from = at > 0 ? at - 1 : 0; // `at` is the beginning of a line if the previous byte ends one
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(from));
    in_.read(buffer.data(),
             static_cast<std::streamsize>(std::min<std::uint64_t>(buffer.size(), size_ - from)));
    const std::string_view text(buffer.data(), static_cast<std::size_t>(in_.gcount()));
    const bool to_end = from + text.size() >= size_;

    std::size_t begin = 0;
    if (at > 0) begin = text.find('\n');
    if (begin == std::string_view::npos && !to_end) return std::nullopt;
    if (at > 0 && begin != std::string_view::npos) ++begin;
    if (begin >= size_ - from) return Line{.begin = size_, .end = size_, .code = 0, .glyph = {}};
    const auto end = text.find('\n', begin);
    if (end == std::string_view::npos && !to_end) return std::nullopt;
    const auto line = text.substr(begin, end - begin);
    const auto colon = line.find(':');
    if (colon > max_code_digits) return std::nullopt;
    const auto code = parse_whole<std::uint32_t>(line.substr(0, colon), 16);
    if (!code) return std::nullopt;
    return Line{from + begin, from + begin + line.size() + 1, *code, parse_rows(line.substr(colon + 1))};
}

std::optional<Glyph> GlyphFile::find(char32_t code)
{
    // Both are line starts or the end of the file; the line of `code` begins between them.
    std::uint64_t low = 0, high = size_;
    while (low < high) {
        const auto middle = low + (high - low) / 2;
        const auto line = first_line_from(middle);
        if (!line) return std::nullopt;
        const bool between = line->begin < high;
        if (between && line->code == code) return line->glyph;
        if (between && line->code < code)
            low = line->end;
        else
            high = middle;
    }
    return std::nullopt;
}

} // namespace vitrine::render
