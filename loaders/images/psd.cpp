// The flattened image of a Photoshop file ("Adobe Photoshop File Formats Specification"): bitmap, gray,
// indexed, RGB, CMYK, duotone (shown as gray) and Lab.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "loaders/base/srgb.hpp"
#include "loaders/images/codecs.hpp"
#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {
namespace {

// The color mode of the header.
struct PsdMode {
    enum : std::uint16_t { bitmap = 0, gray = 1, indexed = 2, rgb = 3, cmyk = 4, duotone = 8, lab = 9 };
};

struct PsdHeader {
    bool is_large = false; // PSB: some lengths have twice as many bytes
    unsigned channels = 0;
    unsigned depth = 0;
    unsigned mode = 0;
    ImageSize size;
};

struct PsdImage {
    PsdHeader header;
    Bytes palette;
    std::vector<PixelBytes> channels; // 8 bits each: color channels, then alpha if present
    bool has_matte = false;           // alpha is the layers' transparency: colors are blended with white
};

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
PixelBytes unpack(io::ByteReader& in, std::size_t expected_bytes)
{
    PixelBytes out(expected_bytes);
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

PixelBytes copy(io::ByteReader& in, std::size_t expected_bytes)
{
    PixelBytes out(expected_bytes);
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

std::uint8_t channel_byte(const std::uint8_t* row, std::uint32_t x, unsigned depth, bool is_radiance)
{
    if (depth == 16) return row[std::size_t{2} * x];
    if (depth == 1) return (row[x / 8] >> (7 - x % 8) & 1) != 0 ? 0 : 255; // 1 is black
    const std::uint8_t* at = row + std::size_t{4} * x;
    if (is_radiance) return from_radiance(at);
    std::uint32_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    const auto fraction = std::bit_cast<float>(std::byteswap(bits));
    return fraction > 0.0f ? static_cast<std::uint8_t>(std::lround(255.0f * std::min(fraction, 1.0f))) : 0;
}

// Converts a channel to 8 bits per pixel.
PixelBytes to_bytes(PixelBytes stored, const PsdHeader& header, std::size_t row_bytes, bool is_radiance)
{
    if (header.depth == 8) return stored;
    PixelBytes out(pixel_count(header.size));
    for (std::uint32_t y = 0; y < header.size.height; ++y)
        for (std::uint32_t x = 0; x < header.size.width; ++x)
            out[std::size_t{y} * header.size.width + x] =
                channel_byte(stored.data() + y * row_bytes, x, header.depth, is_radiance);
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

DecodeResult<PsdHeader> read_psd_header(io::ByteReader& in)
{
    PsdHeader header;
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

// The reader is positioned after the header. `colors`: number of color channels of a pixel.
DecodeResult<PsdImage> read_psd_image(io::ByteReader& in, const PsdHeader& header, unsigned colors)
{
    PsdImage image{header, {}, {}};
    image.palette = in.read_bytes(read<std::uint32_t>(in));
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
        image.channels.push_back(to_bytes(compression == 1 ? unpack(in, row_bytes * header.size.height)
                                                           : copy(in, row_bytes * header.size.height),
                                          header, row_bytes, i < colors));
    image.has_matte = expected_bytes > colors && is_transparency(layers, header.is_large);
    return image;
}

constexpr std::size_t psd_palette_bytes = 768; // 256 red values, then green, then blue

// Number of color channels without alpha; 0 if the image is not supported.
unsigned colors_of(const PsdHeader& header)
{
    const bool is_deep = header.depth == 8 || header.depth == 16;
    switch (header.mode) {
    case PsdMode::bitmap: return header.depth == 1 ? 1 : 0;
    case PsdMode::indexed: return header.depth == 8 ? 1 : 0;
    case PsdMode::duotone: return is_deep ? 1 : 0;
    case PsdMode::gray: return is_deep || header.depth == 32 ? 1 : 0;
    case PsdMode::rgb: return is_deep || header.depth == 32 ? 3 : 0;
    case PsdMode::cmyk: return is_deep ? 4 : 0;
    case PsdMode::lab: return is_deep ? 3 : 0;
    default: return 0;
    }
}

std::uint8_t to_srgb(double light)
{
    return static_cast<std::uint8_t>(std::lround(255.0 * std::clamp(srgb_from_linear(light), 0.0, 1.0)));
}

// Converts CIE Lab with D50 white (L from 0 to 255, a and b around 128) to sRGB, with the Bradford-adapted
// D50 matrix.
void paint_lab(unsigned l, unsigned a, unsigned b, std::uint8_t* to)
{
    const double y = (l * 100.0 / 255.0 + 16.0) / 116.0;
    const auto cube = [](double t) { return t > 6.0 / 29.0 ? t * t * t : (t - 4.0 / 29.0) * 108.0 / 841.0; };
    const double x = 0.96422 * cube(y + (a - 128.0) / 500.0);
    const double z = 0.82521 * cube(y - (b - 128.0) / 200.0);
    const double light = cube(y);
    to[0] = to_srgb(3.1338561 * x - 1.6168667 * light - 0.4906146 * z);
    to[1] = to_srgb(-0.9787684 * x + 1.9161415 * light + 0.0334540 * z);
    to[2] = to_srgb(0.0719453 * x - 0.2289914 * light + 1.4052427 * z);
}

void paint(const PsdImage& from, std::size_t pixel, std::uint8_t* to)
{
    const auto at = [&](std::size_t channel) { return unsigned{from.channels[channel][pixel]}; };
    const auto set = [&](unsigned red, unsigned green, unsigned blue) {
        to[0] = static_cast<std::uint8_t>(red);
        to[1] = static_cast<std::uint8_t>(green);
        to[2] = static_cast<std::uint8_t>(blue);
    };
    const auto entry = [&](std::size_t i) { return std::to_integer<unsigned>(from.palette[i]); };
    switch (from.header.mode) {
    case PsdMode::rgb: return set(at(0), at(1), at(2));
    case PsdMode::lab: return paint_lab(at(0), at(1), at(2), to);
    case PsdMode::cmyk: // stored as 255 minus ink
        return set(at(0) * at(3) / 255, at(1) * at(3) / 255, at(2) * at(3) / 255);
    case PsdMode::indexed:
        if (from.palette.size() == psd_palette_bytes)
            return set(entry(at(0)), entry(256 + at(0)), entry(512 + at(0)));
        [[fallthrough]];
    default: return set(at(0), at(0), at(0));
    }
}

// Restores a color that was blended with white by its alpha.
void remove_white_matte(std::uint8_t* pixel)
{
    const int alpha = pixel[3];
    if (alpha == 0 || alpha == 255) return;
    for (int i = 0; i < 3; ++i)
        pixel[i] = static_cast<std::uint8_t>(std::clamp(255 - (255 - pixel[i]) * 255 / alpha, 0, 255));
}

} // namespace

DecodeResult<ImageSize> psd_size(Bytes bytes)
{
    io::ByteReader in(bytes);
    return size_of(read_psd_header(in));
}

DecodeResult<PixelBytes> psd_pixels(Bytes bytes, ImageSize size)
{
    io::ByteReader in(bytes);
    const auto header = read_psd_header(in);
    if (!header) return std::unexpected(header.error());
    const unsigned colors = colors_of(*header);
    if (colors == 0)
        return std::unexpected(fmt::format("color mode {} with {} bits per channel is not supported",
                                           header->mode, header->depth));
    const auto image = read_psd_image(in, *header, colors);
    if (!image) return std::unexpected(image.error());
    PixelBytes pixels(4 * pixel_count(size));
    for (std::size_t i = 0; i < pixel_count(size); ++i) {
        std::uint8_t* to = pixels.data() + 4 * i;
        paint(*image, i, to);
        to[3] = image->channels.size() > colors ? image->channels[colors][i] : 255;
        if (image->has_matte) remove_white_matte(to);
    }
    return pixels;
}

} // namespace vitrine::images
