#include "loaders/images/psd_channels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace vitrine::images::psd {
namespace {

constexpr std::uint32_t max_side = 300'000;

// Reads a big-endian value.
template <class T>
T read(io::ByteReader& in)
{
    const auto value = in.read<T>();
    return std::byteswap(value);
}

std::uint64_t read_length(io::ByteReader& in, bool is_large)
{
    return is_large ? read<std::uint64_t>(in) : read<std::uint32_t>(in);
}

// Decodes `expected_bytes` bytes of PackBits; bytes missing in the file are 0.
Pixels unpack(io::ByteReader& in, std::size_t expected_bytes)
{
    Pixels out(expected_bytes);
    for (std::size_t at = 0; at < expected_bytes && in.remaining() >= 2;) {
        const auto code = in.read<std::int8_t>();
        if (code == -128) continue;
        const auto length = static_cast<std::size_t>(code < 0 ? 1 - code : 1 + code);
        const std::size_t output_bytes = std::min(length, expected_bytes - at);
        if (code < 0) {
            std::memset(out.data() + at, in.read<std::uint8_t>(), output_bytes);
        } else {
            const Bytes literal = in.read_bytes(std::min<std::uint64_t>(length, in.remaining()));
            if (!literal.empty()) // a reader that failed before returns no bytes
                std::memcpy(out.data() + at, literal.data(), std::min(output_bytes, literal.size()));
        }
        at += output_bytes;
    }
    return out;
}

Pixels copy(io::ByteReader& in, std::size_t expected_bytes)
{
    Pixels out(expected_bytes);
    const Bytes there = in.read_bytes(std::min<std::uint64_t>(expected_bytes, in.remaining()));
    if (!there.empty()) std::memcpy(out.data(), there.data(), there.size());
    return out;
}

// Converts radiance of a 32-bit image, as hdr.cpp does.
std::uint8_t from_radiance(const std::uint8_t* at)
{
    std::uint32_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    const auto light = std::bit_cast<float>(std::byteswap(bits));
    if (!(light > 0.0f)) return 0;
    return static_cast<std::uint8_t>(std::lround(255.0f * std::pow(std::min(light, 1.0f), 1.0f / 2.2f)));
}

std::uint8_t to_byte(const std::uint8_t* row, std::uint32_t x, unsigned depth, bool is_radiance)
{
    if (depth == 16) return row[std::size_t{2} * x];
    if (depth == 1) return (row[x / 8] >> (7 - x % 8) & 1) != 0 ? 0 : 255; // 1 is black
    const std::uint8_t* at = row + std::size_t{4} * x;
    if (is_radiance) return from_radiance(at);
    std::uint32_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    const auto share = std::bit_cast<float>(std::byteswap(bits));
    return share > 0.0f ? static_cast<std::uint8_t>(std::lround(255.0f * std::min(share, 1.0f))) : 0;
}

// Converts a channel to 8 bits per pixel.
Pixels to_bytes(Pixels stored, const Header& header, std::size_t row_bytes, bool is_radiance)
{
    if (header.depth == 8) return stored;
    Pixels out(pixel_count(header.size));
    for (std::uint32_t y = 0; y < header.size.height; ++y)
        for (std::uint32_t x = 0; x < header.size.width; ++x)
            out[std::size_t{y} * header.size.width + x] =
                to_byte(stored.data() + y * row_bytes, x, header.depth, is_radiance);
    return out;
}

// Whether the first alpha channel is the transparency of the merged layers: indicated by a negative layer
// count, or by a block in images of 16 and 32 bits, whose layers are stored elsewhere.
bool is_transparency(Bytes section, bool is_large)
{
    io::ByteReader in(section);
    const std::uint64_t layers = read_length(in, is_large);
    if (layers >= 2) return read<std::int16_t>(in) < 0;
    in.skip(layers);
    in.skip(read<std::uint32_t>(in)); // the global layer mask
    while (!in.failed() && in.remaining() >= 12) {
        in.skip(4); // "8BIM"
        const std::string key = in.read_text(4);
        if (key == "Mt16" || key == "Mt32" || key == "Mtrn") return true;
        const bool has_long_length = is_large && (key == "Lr16" || key == "Lr32" || key == "Layr");
        in.skip((read_length(in, has_long_length) + 3) & ~std::uint64_t{3});
    }
    return false;
}

} // namespace

Decoded<Header> read_header(io::ByteReader& in)
{
    Header header;
    in.skip(4); // "8BPS"
    const auto version = read<std::uint16_t>(in);
    in.skip(6);
    header.is_large = version == 2;
    header.channels = read<std::uint16_t>(in);
    header.size.height = read<std::uint32_t>(in);
    header.size.width = read<std::uint32_t>(in);
    header.depth = read<std::uint16_t>(in);
    header.mode = read<std::uint16_t>(in);
    if (in.failed()) return std::unexpected("the header is truncated");
    if (version != 1 && version != 2)
        return std::unexpected(fmt::format("version {} is not supported", version));
    if (header.size.width == 0 || header.size.height == 0 || header.size.width > max_side ||
        header.size.height > max_side)
        return std::unexpected(
            fmt::format("{} x {} is not a valid image size", header.size.width, header.size.height));
    return header;
}

Decoded<PsdImage> read_psd_image(io::ByteReader& in, const Header& header, unsigned colors)
{
    PsdImage picture{header, {}, {}};
    picture.palette = in.read_bytes(read<std::uint32_t>(in));
    in.skip(read<std::uint32_t>(in)); // resources
    const Bytes layers = in.read_bytes(read_length(in, header.is_large));
    const auto compression = read<std::uint16_t>(in);
    if (in.failed()) return std::unexpected("the file ends before its image data");
    if (compression > 1) return std::unexpected("ZIP compression is not supported");
    if (compression == 1) // row lengths
        in.skip(std::uint64_t{header.is_large ? 4u : 2u} * header.channels * header.size.height);
    if (header.channels < colors) return std::unexpected("it has fewer channels than its color mode needs");
    const std::size_t row_bytes = (std::size_t{header.size.width} * header.depth + 7) / 8;
    const unsigned expected_bytes = std::min(header.channels, colors + 1);
    for (unsigned i = 0; i < expected_bytes; ++i)
        picture.channels.push_back(to_bytes(compression == 1 ? unpack(in, row_bytes * header.size.height)
                                                             : copy(in, row_bytes * header.size.height),
                                            header, row_bytes, i < colors));
    picture.has_matte = expected_bytes > colors && is_transparency(layers, header.is_large);
    return picture;
}

} // namespace vitrine::images::psd
