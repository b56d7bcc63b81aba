// The flattened picture of a Photoshop file ("Adobe Photoshop File Formats Specification"): RGB by stb_image;
// bitmap, grey, indexed, duotone (shown grey) and CMYK here.

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "loaders/images/codecs.hpp"
#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {
namespace {

enum Mode : std::uint16_t { bitmap = 0, grey = 1, indexed = 2, rgb = 3, cmyk = 4, duotone = 8 };
constexpr std::size_t palette_bytes = 768; // 256 reds, then greens, then blues
constexpr std::uint32_t largest_side = 300'000;

// Big-endian.
template <class T>
T read(io::ByteReader& in)
{
    const auto value = in.read<T>();
    return std::byteswap(value);
}

struct Header {
    unsigned channels = 0;
    unsigned depth = 0;
    unsigned mode = 0;
    Size size;
};

Decoded<Header> read_header(io::ByteReader& in)
{
    Header header;
    in.skip(12); // "8BPS", version, nothing
    header.channels = read<std::uint16_t>(in);
    header.size.height = read<std::uint32_t>(in);
    header.size.width = read<std::uint32_t>(in);
    header.depth = read<std::uint16_t>(in);
    header.mode = read<std::uint16_t>(in);
    if (in.failed()) return std::unexpected("the header is cut off");
    if (header.size.width == 0 || header.size.height == 0 || header.size.width > largest_side ||
        header.size.height > largest_side)
        return std::unexpected(
            fmt::format("{} x {} is no size of a picture", header.size.width, header.size.height));
    return header;
}

// Of a pixel's colour, without alpha; 0: such a picture is not shown.
unsigned colours_of(const Header& header)
{
    switch (header.mode) {
    case bitmap: return header.depth == 1 ? 1 : 0;
    case indexed: return header.depth == 8 ? 1 : 0;
    case grey:
    case duotone: return header.depth == 8 || header.depth == 16 ? 1 : 0;
    case cmyk: return header.depth == 8 || header.depth == 16 ? 4 : 0;
    default: return 0;
    }
}

// `wanted` bytes of PackBits: what the file lacks is 0.
Pixels unpack(io::ByteReader& in, std::size_t wanted)
{
    Pixels out(wanted);
    for (std::size_t at = 0; at < wanted && in.remaining() >= 2;) {
        const auto code = in.read<std::int8_t>();
        if (code == -128) continue;
        const auto length = static_cast<std::size_t>(code < 0 ? 1 - code : 1 + code);
        const std::size_t kept = std::min(length, wanted - at);
        if (code < 0) {
            std::memset(out.data() + at, in.read<std::uint8_t>(), kept);
        } else {
            const Bytes literal = in.read_bytes(std::min<std::uint64_t>(length, in.remaining()));
            if (!literal.empty()) // a reader that failed before gives nothing more
                std::memcpy(out.data() + at, literal.data(), std::min(kept, literal.size()));
        }
        at += kept;
    }
    return out;
}

Pixels copy(io::ByteReader& in, std::size_t wanted)
{
    Pixels out(wanted);
    const Bytes there = in.read_bytes(std::min<std::uint64_t>(wanted, in.remaining()));
    if (!there.empty()) std::memcpy(out.data(), there.data(), there.size());
    return out;
}

// A channel of the size's pixels, 8 bits each.
Pixels to_bytes(Pixels stored, const Header& header, std::size_t row_bytes)
{
    if (header.depth == 8) return stored;
    Pixels out(pixel_count(header.size));
    for (std::uint32_t y = 0; y < header.size.height; ++y) {
        const std::uint8_t* row = stored.data() + y * row_bytes;
        std::uint8_t* to = out.data() + std::size_t{y} * header.size.width;
        for (std::uint32_t x = 0; x < header.size.width; ++x)
            to[x] = header.depth == 16                     ? row[std::size_t{2} * x]
                    : (row[x / 8] >> (7 - x % 8) & 1) != 0 ? 0
                                                           : 255; // 1 is ink
    }
    return out;
}

struct Picture {
    Header header;
    Bytes palette;
    std::vector<Pixels> channels; // of the colour, then alpha where there is one
};

void put(const Picture& from, std::size_t pixel, std::uint8_t* to)
{
    const auto at = [&](std::size_t channel) { return unsigned{from.channels[channel][pixel]}; };
    const auto paint = [&](unsigned red, unsigned green, unsigned blue) {
        to[0] = static_cast<std::uint8_t>(red);
        to[1] = static_cast<std::uint8_t>(green);
        to[2] = static_cast<std::uint8_t>(blue);
    };
    if (from.header.mode == cmyk) // stored as what the ink leaves of white
        paint(at(0) * at(3) / 255, at(1) * at(3) / 255, at(2) * at(3) / 255);
    else if (from.header.mode == indexed && from.palette.size() == palette_bytes)
        paint(std::to_integer<unsigned>(from.palette[at(0)]),
              std::to_integer<unsigned>(from.palette[256 + at(0)]),
              std::to_integer<unsigned>(from.palette[512 + at(0)]));
    else
        paint(at(0), at(0), at(0));
    const std::size_t colours = from.header.mode == cmyk ? 4 : 1;
    to[3] = from.channels.size() > colours ? from.channels[colours][pixel] : 255;
}

Decoded<Picture> read_picture(io::ByteReader& in, const Header& header, unsigned colours)
{
    Picture picture{header, {}, {}};
    picture.palette = in.read_bytes(read<std::uint32_t>(in));
    in.skip(read<std::uint32_t>(in)); // resources
    in.skip(read<std::uint32_t>(in)); // layers
    const auto compression = read<std::uint16_t>(in);
    if (in.failed()) return std::unexpected("the file ends before its picture");
    if (compression > 1) return std::unexpected("a picture that is compressed as ZIP is not decoded");
    if (compression == 1) in.skip(std::uint64_t{2} * header.channels * header.size.height); // lengths of rows
    if (header.channels < colours) return std::unexpected("it has too few channels for its colours");
    const std::size_t row_bytes = (std::size_t{header.size.width} * header.depth + 7) / 8;
    const unsigned wanted = header.channels == colours + 1 ? colours + 1 : colours;
    for (unsigned i = 0; i < wanted; ++i)
        picture.channels.push_back(to_bytes(compression == 1 ? unpack(in, row_bytes * header.size.height)
                                                             : copy(in, row_bytes * header.size.height),
                                            header, row_bytes));
    return picture;
}

} // namespace

Decoded<Size> psd_size(Bytes bytes)
{
    io::ByteReader in(bytes);
    const auto header = read_header(in);
    if (!header) return std::unexpected(header.error());
    return header->size;
}

Decoded<Pixels> psd_pixels(Bytes bytes, Size size)
{
    io::ByteReader in(bytes);
    const auto header = read_header(in);
    if (!header) return std::unexpected(header.error());
    if (header->mode == rgb) return stb_pixels(bytes, size);
    const unsigned colours = colours_of(*header);
    if (colours == 0)
        return std::unexpected(
            fmt::format("colour mode {} with {} bits a channel is not decoded", header->mode, header->depth));
    const auto picture = read_picture(in, *header, colours);
    if (!picture) return std::unexpected(picture.error());
    Pixels pixels(4 * pixel_count(size));
    for (std::size_t i = 0; i < pixel_count(size); ++i)
        put(*picture, i, pixels.data() + 4 * i);
    return pixels;
}

} // namespace vitrine::images
