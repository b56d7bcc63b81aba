// Targa as specified in "Truevision TGA File Format Specification 2.0": palettes, colors of 15 to 32 bits and
// gray, uncompressed or run-length encoded, with any origin corner. Missing pixels of a truncated file are
// black.

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "loaders/images/codecs.hpp"
#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {
namespace {

using TgaColor = std::array<std::uint8_t, 4>; // RGBA

enum TgaType : unsigned {
    palette = 1,
    colors = 2,
    gray = 3,
    runs = 8
}; // `runs` is added to one of the others

struct TgaHeader {
    unsigned type = 0; // without `runs`
    bool has_runs = false;
    unsigned bits = 0; // per pixel
    unsigned map_first = 0, map_count = 0, map_bits = 0;
    bool right_to_left = false, top_down = false;
    ImageSize size;
};

bool is_color_depth(unsigned bits)
{
    return bits == 15 || bits == 16 || bits == 24 || bits == 32;
}

bool is_depth(unsigned type, unsigned bits)
{
    return type == colors ? is_color_depth(bits) : bits == 8 || bits == 16;
}

// Leaves the reader at the palette.
DecodeResult<TgaHeader> read_tga_header(io::ByteReader& in)
{
    const unsigned name_bytes = in.read<std::uint8_t>();
    const unsigned has_map = in.read<std::uint8_t>();
    TgaHeader header;
    header.type = in.read<std::uint8_t>();
    header.map_first = in.read<std::uint16_t>();
    header.map_count = in.read<std::uint16_t>();
    header.map_bits = in.read<std::uint8_t>();
    in.skip(4); // screen position
    header.size.width = in.read<std::uint16_t>();
    header.size.height = in.read<std::uint16_t>();
    header.bits = in.read<std::uint8_t>();
    const unsigned descriptor = in.read<std::uint8_t>();
    in.skip(name_bytes);
    if (in.failed()) return std::unexpected("the header is truncated");
    header.has_runs = (header.type & runs) != 0;
    header.type &= ~unsigned{runs};
    header.right_to_left = (descriptor & 0x10) != 0;
    header.top_down = (descriptor & 0x20) != 0;
    if (has_map == 0) header.map_count = 0;
    if (header.type < palette || header.type > gray || !is_depth(header.type, header.bits))
        return std::unexpected(
            fmt::format("pixels of type {} with {} bits are not supported", header.type, header.bits));
    if (header.size.width == 0 || header.size.height == 0) return std::unexpected("it has no pixels");
    if (header.type == palette && (header.map_count == 0 || !is_color_depth(header.map_bits)))
        return std::unexpected("its palette has no colors");
    return header;
}

unsigned bytes_of(unsigned bits)
{
    return (bits + 7) / 8;
}

TgaColor to_color(const std::byte* at, unsigned bits)
{
    const auto byte = [&](unsigned i) { return std::to_integer<std::uint8_t>(at[i]); };
    if (bits >= 24) return {byte(2), byte(1), byte(0), bits == 32 ? byte(3) : std::uint8_t{255}};
    const unsigned word = byte(0) | unsigned{byte(1)} << 8;
    const auto five = [&](unsigned shift) {
        return static_cast<std::uint8_t>((word >> shift & 31) * 255 / 31);
    };
    return {five(10), five(5), five(0), 255};
}

std::vector<TgaColor> read_tga_palette(io::ByteReader& in, const TgaHeader& header)
{
    const unsigned size = bytes_of(header.map_bits);
    const std::uint64_t bytes = std::min(std::uint64_t{header.map_count} * size, in.remaining());
    const Bytes stored = in.read_bytes(bytes);
    std::vector<TgaColor> map;
    if (header.type != palette) return map; // unused palette, a hint for old screens
    for (std::size_t at = 0; at + size <= stored.size(); at += size)
        map.push_back(to_color(stored.data() + at, header.map_bits));
    return map;
}

class Decoder {
public:
    Decoder(const TgaHeader& header, std::vector<TgaColor> map)
        : header_(header), map_(std::move(map)), pixels_(4 * pixel_count(header.size))
    {
    }

    PixelBytes run(io::ByteReader& in)
    {
        const unsigned size = bytes_of(header_.bits);
        const std::uint64_t count = pixel_count(header_.size);
        while (next_ < count && in.remaining() >= size) {
            std::uint64_t length = count;
            bool repeats = false;
            if (header_.has_runs) {
                const unsigned packet = in.read<std::uint8_t>();
                length = (packet & 127) + 1;
                repeats = packet >= 128;
            }
            length = std::min(length, count - next_);
            const Bytes stored = in.read_bytes(std::min(repeats ? 1 : length, in.remaining() / size) * size);
            if (stored.empty()) break;
            if (repeats)
                put_repeated(to_pixel(stored.data()), length);
            else
                put_stored(stored, size);
        }
        const bool has_alpha = has_alpha_;
        put_repeated({0, 0, 0, 255}, count - next_);
        if (!has_alpha) // ignored: all-zero alpha would make the image invisible
            for (std::size_t i = 3; i < pixels_.size(); i += 4)
                pixels_[i] = 255;
        return std::move(pixels_);
    }

private:
    TgaColor to_pixel(const std::byte* at) const
    {
        if (header_.type == colors) return to_color(at, header_.bits);
        const auto low = std::to_integer<std::uint8_t>(at[0]);
        const auto high = header_.bits == 16 ? std::to_integer<std::uint8_t>(at[1]) : std::uint8_t{0};
        if (header_.type == gray) return {low, low, low, header_.bits == 16 ? high : std::uint8_t{255}};
        const unsigned index = (low | unsigned{high} << 8) - header_.map_first;
        return index < map_.size() ? map_[index] : TgaColor{0, 0, 0, 255};
    }

    // Calls write(first pixel, distance of the following ones, their number) for each row, or part of one,
    // of the next `count` pixels.
    template <class Write>
    void put(std::uint64_t count, Write write)
    {
        while (count > 0) {
            const std::uint64_t x = next_ % header_.size.width;
            const std::uint64_t y = next_ / header_.size.width;
            const std::uint64_t column = header_.right_to_left ? header_.size.width - 1 - x : x;
            const std::uint64_t row = header_.top_down ? y : header_.size.height - 1 - y;
            const auto part = std::min(count, header_.size.width - x);
            write(pixels_.data() + 4 * (row * header_.size.width + column), header_.right_to_left ? -4 : 4,
                  part);
            next_ += part;
            count -= part;
        }
    }

    void put_repeated(const TgaColor& color, std::uint64_t count)
    {
        has_alpha_ |= count > 0 && color[3] != 0;
        put(count, [&](std::uint8_t* to, std::ptrdiff_t step, std::uint64_t part) {
            for (; part > 0; --part, to += step)
                std::memcpy(to, color.data(), color.size());
        });
    }

    void put_stored(Bytes stored, unsigned size)
    {
        const std::byte* from = stored.data();
        unsigned alpha = 0;
        put(stored.size() / size, [&](std::uint8_t* to, std::ptrdiff_t step, std::uint64_t part) {
            for (; part > 0; --part, to += step, from += size) {
                const TgaColor color =
                    header_.type == colors && size == 3 ? to_color(from, 24) : to_pixel(from);
                std::memcpy(to, color.data(), color.size());
                alpha |= color[3];
            }
        });
        has_alpha_ |= alpha != 0;
    }

    const TgaHeader& header_;
    std::vector<TgaColor> map_;
    PixelBytes pixels_;
    std::uint64_t next_ = 0;
    bool has_alpha_ = false;
};

} // namespace

DecodeResult<ImageSize> tga_size(Bytes bytes)
{
    io::ByteReader in(bytes);
    return size_of(read_tga_header(in));
}

// Any bytes after the header are pixels, and missing ones are opaque.
DecodeResult<Opacity> tga_check(Bytes bytes, ImageSize)
{
    io::ByteReader in(bytes);
    const auto header = read_tga_header(in);
    if (!header) return std::unexpected(header.error());
    const unsigned alpha_depth = header->type == gray ? 16 : 32;
    const unsigned depth = header->type == palette ? header->map_bits : header->bits;
    return depth == alpha_depth ? Opacity::unknown : Opacity::opaque;
}

DecodeResult<PixelBytes> tga_pixels(Bytes bytes, ImageSize)
{
    io::ByteReader in(bytes);
    const auto header = read_tga_header(in);
    if (!header) return std::unexpected(header.error());
    std::vector<TgaColor> map = read_tga_palette(in, *header);
    return Decoder(*header, std::move(map)).run(in);
}

} // namespace vitrine::images
