// PCX as specified in ZSoft's technical reference manual (version 5): 1, 2, 4 or 8 bits in one plane with a
// palette, 1 bit in two to four planes (EGA), 8 bits in three or four planes (RGB, RGBA).

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "loaders/images/codecs.hpp"
#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {
namespace {

constexpr std::uint64_t pcx_header_bytes = 128;
constexpr std::size_t vga_palette_bytes = 769; // 0x0C and 256 RGB triples at the end of the file
constexpr std::uint8_t max_run_length = 63;

using PcxColor = std::array<std::uint8_t, 3>;
using PcxPalette = std::array<PcxColor, 256>;

// Default EGA colors for files without a palette.
constexpr std::array<PcxColor, 16> ega = {{{0, 0, 0},
                                           {0, 0, 170},
                                           {0, 170, 0},
                                           {0, 170, 170},
                                           {170, 0, 0},
                                           {170, 0, 170},
                                           {170, 85, 0},
                                           {170, 170, 170},
                                           {85, 85, 85},
                                           {85, 85, 255},
                                           {85, 255, 85},
                                           {85, 255, 255},
                                           {255, 85, 85},
                                           {255, 85, 255},
                                           {255, 255, 85},
                                           {255, 255, 255}}};

struct PcxHeader {
    std::uint8_t version = 0;
    bool runs = false; // run-length encoded; else uncompressed
    unsigned bits = 0; // per pixel in each plane
    unsigned planes = 0;
    std::size_t plane_bytes = 0; // per line
    ImageSize size;
    std::array<PcxColor, 16> palette{};
};

DecodeResult<PcxHeader> read_pcx_header(Bytes bytes)
{
    io::ByteReader in(bytes);
    PcxHeader header;
    in.skip(1);
    header.version = in.read<std::uint8_t>();
    header.runs = in.read<std::uint8_t>() == 1;
    header.bits = in.read<std::uint8_t>();
    const auto window = in.read<std::array<std::uint16_t, 4>>(); // first column and row, last column and row
    in.skip(4);                                                  // dots per inch
    header.palette = in.read<std::array<PcxColor, 16>>();
    in.skip(1);
    header.planes = in.read<std::uint8_t>();
    header.plane_bytes = in.read<std::uint16_t>();
    if (in.failed() || bytes.size() < pcx_header_bytes) return std::unexpected("the header is truncated");
    if (window[2] < window[0] || window[3] < window[1])
        return std::unexpected("the image window ends before it starts");
    header.size = {window[2] - window[0] + 1u, window[3] - window[1] + 1u};
    const bool is_supported = header.bits == 1 ? header.planes >= 1 && header.planes <= 4
                              : header.bits == 8
                                  ? header.planes == 1 || header.planes == 3 || header.planes == 4
                                  : (header.bits == 2 || header.bits == 4) && header.planes == 1;
    if (!is_supported)
        return std::unexpected(std::to_string(header.planes) + " planes of " + std::to_string(header.bits) +
                               " bits are not a PCX format");
    if (header.plane_bytes * 8 < std::size_t{header.size.width} * header.bits)
        return std::unexpected("a line has fewer bytes than its width needs");
    return header;
}

// Decodes the bytes of all lines, concatenated. Runs may continue in the next line, as some programs write
// them.
DecodeResult<PixelBytes> read_lines(Bytes data, const PcxHeader& header)
{
    const std::uint64_t expected_bytes =
        std::uint64_t{header.plane_bytes} * header.planes * header.size.height;
    const std::uint64_t max_decoded_bytes = data.size() * (header.runs ? std::uint64_t{max_run_length} : 1);
    if (max_decoded_bytes < expected_bytes) return std::unexpected("the lines end early");
    PixelBytes lines(expected_bytes);
    const auto* source = reinterpret_cast<const std::uint8_t*>(data.data());
    if (!header.runs) {
        std::memcpy(lines.data(), source, expected_bytes);
        return lines;
    }
    const auto* const end = source + data.size();
    for (std::size_t at = 0; at < expected_bytes;) {
        if (source == end) return std::unexpected("the lines end early");
        const std::uint8_t byte = *source++;
        if (byte < 0xC0) {
            lines[at++] = byte;
            continue;
        }
        if (source == end) return std::unexpected("the lines end early");
        const std::size_t count = std::min<std::size_t>(byte & max_run_length, expected_bytes - at);
        std::memset(lines.data() + at, *source++, count);
        at += count;
    }
    return lines;
}

// If there is none, 256 shades of gray.
PcxPalette vga_palette(Bytes bytes)
{
    PcxPalette palette{};
    const bool there = bytes.size() >= pcx_header_bytes + vga_palette_bytes &&
                       bytes[bytes.size() - vga_palette_bytes] == std::byte{0x0C};
    if (there) {
        std::memcpy(palette.data(), bytes.data() + bytes.size() - sizeof palette, sizeof palette);
    } else {
        for (std::size_t i = 0; i < palette.size(); ++i)
            palette[i].fill(static_cast<std::uint8_t>(i));
    }
    return palette;
}

PcxPalette palette_of(Bytes bytes, const PcxHeader& header)
{
    constexpr std::uint8_t without_palette = 3; // the version of PC Paintbrush 2.8
    if (header.bits == 8) return vga_palette(bytes);
    PcxPalette palette{};
    if (header.bits == 1 && header.planes == 1 && header.palette[0] == header.palette[1]) {
        palette[1].fill(255);
    } else {
        std::ranges::copy(header.version == without_palette ? ega : header.palette, palette.begin());
    }
    return palette;
}

unsigned index_at(const std::uint8_t* line, const PcxHeader& header, std::uint32_t x)
{
    if (header.bits == 8) return line[x];
    const std::size_t bit = std::size_t{x} * header.bits;
    const unsigned shift = 8 - header.bits - static_cast<unsigned>(bit % 8);
    unsigned index = 0;
    for (unsigned plane = 0; plane < header.planes; ++plane) {
        const unsigned byte = line[plane * header.plane_bytes + bit / 8];
        index |= (byte >> shift & ((1u << header.bits) - 1)) << plane;
    }
    return index;
}

void put_true_color(std::uint8_t* out, const std::uint8_t* line, const PcxHeader& header)
{
    for (std::uint32_t x = 0; x < header.size.width; ++x, out += 4) {
        out[3] = 255;
        for (unsigned plane = 0; plane < header.planes; ++plane)
            out[plane] = line[plane * header.plane_bytes + x];
    }
}

void put_pcx_line(std::uint8_t* out, const std::uint8_t* line, const PcxHeader& header,
                  const PcxPalette& palette)
{
    for (std::uint32_t x = 0; x < header.size.width; ++x, out += 4) {
        const PcxColor& color = palette[index_at(line, header, x)];
        std::ranges::copy(color, out);
        out[3] = 255;
    }
}

} // namespace

DecodeResult<ImageSize> pcx_size(Bytes bytes)
{
    return size_of(read_pcx_header(bytes));
}

DecodeResult<PixelBytes> pcx_pixels(Bytes bytes, ImageSize size)
{
    const auto header = read_pcx_header(bytes);
    if (!header) return std::unexpected(header.error());
    const auto lines = read_lines(bytes.subspan(pcx_header_bytes), *header);
    if (!lines) return lines;
    const PcxPalette palette = palette_of(bytes, *header);
    PixelBytes pixels(4 * pixel_count(size));
    for (std::uint32_t y = 0; y < size.height; ++y) {
        std::uint8_t* out = pixels.data() + std::size_t{4} * y * size.width;
        const std::uint8_t* line = lines->data() + std::size_t{y} * header->planes * header->plane_bytes;
        if (header->bits == 8 && header->planes >= 3)
            put_true_color(out, line, *header);
        else
            put_pcx_line(out, line, *header, palette);
    }
    return pixels;
}

} // namespace vitrine::images
