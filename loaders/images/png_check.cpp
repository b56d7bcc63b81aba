// Checks PNGs of 8-bit RGB and RGBA without interlacing, as most textures are: the data is inflated, but rows
// are neither unfiltered nor stored. "9 Filtering" of the specification (https://www.w3.org/TR/png) defines
// the filters.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include "loaders/images/codecs.hpp"
#include "loaders/io/byte_reader.hpp"
#include "loaders/io/zlib/inflater.hpp"

namespace vitrine::images {
namespace {

constexpr std::uint32_t max_png_side = 1'000'000; // as libpng
constexpr std::size_t png_piece_bytes = std::size_t{64} << 10;

struct PngChunk {
    std::string_view type;
    Bytes data;
};

std::uint32_t read_big_endian(io::ByteReader& in)
{
    return std::byteswap(in.read<std::uint32_t>());
}

// Checksums are ignored, as by png_pixels().
std::optional<PngChunk> read_png_chunk(io::ByteReader& in)
{
    const std::uint32_t length = read_big_endian(in);
    const Bytes type = in.read_bytes(4), data = in.read_bytes(length);
    in.skip(4);
    if (in.failed()) return std::nullopt;
    return PngChunk{{reinterpret_cast<const char*>(type.data()), type.size()}, data};
}

struct PngHeader {
    ImageSize size;
    std::size_t channels = 0;

    std::size_t row_bytes() const { return size.width * channels; }
};

std::optional<PngHeader> read_png_header(const PngChunk& chunk)
{
    io::ByteReader in(chunk.data);
    PngHeader header;
    header.size.width = read_big_endian(in);
    header.size.height = read_big_endian(in);
    const auto bits = in.read<std::uint8_t>(), color_type = in.read<std::uint8_t>();
    const auto compression = in.read<std::uint8_t>(), filter = in.read<std::uint8_t>(),
               interlace = in.read<std::uint8_t>();
    header.channels = color_type == 2 ? 3 : color_type == 6 ? 4 : 0;
    const bool is_size = header.size.width - 1 < max_png_side && header.size.height - 1 < max_png_side;
    if (chunk.type != "IHDR" || in.failed() || in.remaining() > 0 || !is_size || bits != 8 ||
        header.channels == 0 || compression != 0 || filter != 0 || interlace != 0)
        return std::nullopt;
    return header;
}

// The first IDAT; empty if a chunk before it may matter for the pixels.
std::optional<PngChunk> find_png_data(io::ByteReader& in)
{
    while (const auto chunk = read_png_chunk(in)) {
        if (chunk->type == "IDAT") return chunk;
        const bool is_ancillary = (chunk->type[0] & 0x20) != 0;
        if ((!is_ancillary && chunk->type != "PLTE") || chunk->type == "tRNS") return std::nullopt;
    }
    return std::nullopt;
}

// The filtered alpha of the first pixel of a row and of the others if all alphas are 255.
struct OpaqueRow {
    std::uint8_t first = 0, others = 0;
};

std::optional<OpaqueRow> filtered_opaque_row(std::uint8_t filter, bool is_first_row)
{
    const int above = is_first_row ? 0 : 255;
    const auto less = [](int predicted) { return static_cast<std::uint8_t>(255 - predicted); };
    switch (filter) {
    case 0: return OpaqueRow{255, 255};                                 // None
    case 1: return OpaqueRow{255, 0};                                   // Sub
    case 2: return OpaqueRow{less(above), less(above)};                 // Up
    case 3: return OpaqueRow{less(above / 2), less((255 + above) / 2)}; // Average
    case 4: return OpaqueRow{less(above), 0};                           // Paeth: left and above are 0 or 255
    default: return std::nullopt;
    }
}

bool is_opaque(std::span<const std::uint8_t> rgba, OpaqueRow expected)
{
    unsigned difference = rgba[3] ^ expected.first;
    for (std::size_t i = 7; i < rgba.size(); i += 4)
        difference |= static_cast<unsigned>(rgba[i] ^ expected.others);
    return difference == 0;
}

// Whether the row is valid and opaque. It begins with the number of its filter.
bool accepts(std::span<const std::uint8_t> row, const PngHeader& header, bool is_first_row)
{
    const auto expected = filtered_opaque_row(row[0], is_first_row);
    return expected && (header.channels == 3 || is_opaque(row.subspan(1), *expected));
}

bool accepts_all(const PngHeader& header, io::Inflater& data)
{
    const std::size_t stride = 1 + header.row_bytes();
    const auto rows_at_once =
        static_cast<std::uint32_t>(std::clamp<std::size_t>(png_piece_bytes / stride, 1, header.size.height));
    std::vector<std::uint8_t> piece(rows_at_once * stride);
    for (std::uint32_t y = 0; y < header.size.height; y += rows_at_once) {
        const std::size_t rows = std::min(rows_at_once, header.size.height - y);
        const auto filled = std::span(piece).first(rows * stride);
        if (!data.fill(std::as_writable_bytes(filled))) return false;
        for (std::size_t row = 0; row < rows; ++row)
            if (!accepts(filled.subspan(row * stride, stride), header, y + row == 0)) return false;
    }
    return data.ends();
}

} // namespace

// Unknown for other kinds and for invalid data, which other decoders may accept.
DecodeResult<Opacity> png_check(Bytes bytes, ImageSize size)
{
    io::ByteReader in(bytes);
    in.skip(8); // signature
    const auto first = read_png_chunk(in);
    const auto header = first ? read_png_header(*first) : std::nullopt;
    auto chunk = header && header->size == size ? find_png_data(in) : std::nullopt;
    if (!chunk) return Opacity::unknown;
    io::Inflater data(chunk->data, [&] {
        do
            chunk = read_png_chunk(in);
        while (chunk && chunk->type == "IDAT" && chunk->data.empty());
        return chunk && chunk->type == "IDAT" ? chunk->data : Bytes();
    });
    return accepts_all(*header, data) ? Opacity::opaque : Opacity::unknown;
}

} // namespace vitrine::images
