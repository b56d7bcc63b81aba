// DDS as described in Microsoft's "Programming Guide for DDS". Decodes the largest mipmap of the first face,
// slice and array element.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "loaders/images/block_compression.hpp"
#include "loaders/images/codecs.hpp"
#include "loaders/images/reduction.hpp"
#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {
namespace {

// Bit masks of a pixel's channels; an empty mask means that the channel is absent.
struct Masks {
    unsigned bits = 0;
    std::array<std::uint64_t, 4> channels{};
    bool gray = false; // the first channel is used for all three colors
};

struct PixelLayout {
    std::optional<BlockFormat> block; // if empty, masks or the palette are used
    Masks masks;
    bool palette = false;
    bool premultiplied = false;
    bool red_in_alpha = false;      // red is stored in alpha for higher precision; there is no opacity
    std::string unsupported_reason; // why the layout is unsupported
};

struct DdsHeader {
    ImageSize size;
    PixelLayout layout;
    std::size_t data_at = 0;
    std::uint32_t levels = 1; // mipmaps; 1 for volumes
};

struct PixelFormat {
    std::uint32_t size = 0, flags = 0;
    std::array<char, 4> four_cc{};
    std::uint32_t bits = 0;
    std::array<std::uint32_t, 4> masks{};
};
static_assert(sizeof(PixelFormat) == 32);

constexpr std::size_t pixel_format_at = 76, dds_header_bytes = 128, dx10_bytes = 20;
constexpr std::size_t dds_palette_bytes = 1024;
constexpr std::uint32_t max_levels = 17; // of a side of 65536

PixelLayout block(BlockFormat kind, bool premultiplied = false)
{
    return {.block = kind, .masks = {}, .premultiplied = premultiplied, .unsupported_reason = {}};
}
PixelLayout plain(unsigned bits, std::array<std::uint64_t, 4> channels, bool gray = false)
{
    return {.block = {}, .masks = {bits, channels, gray}, .unsupported_reason = {}};
}
PixelLayout unsupported(std::string reason)
{
    return {.block = {}, .masks = {}, .unsupported_reason = std::move(reason)};
}

// DXGI_FORMAT numbers: typeless, linear and sRGB variants have the same bit layout.
PixelLayout layout_of_dxgi(std::uint32_t format)
{
    constexpr std::uint64_t channel_mask = 0xFFFF;
    switch (format) {
    case 9:
    case 11: return plain(64, {channel_mask, channel_mask << 16, channel_mask << 32, channel_mask << 48});
    case 23:
    case 24: return plain(32, {0x3FF, 0x3FF << 10, 0x3FF << 20, 0xC0000000});
    case 27:
    case 28:
    case 29: return plain(32, {0xFF, 0xFF00, 0xFF0000, 0xFF000000});
    case 33:
    case 35: return plain(32, {0xFFFF, 0xFFFF0000});
    case 48:
    case 49: return plain(16, {0xFF, 0xFF00});
    case 53:
    case 56: return plain(16, {0xFFFF}, true);
    case 60:
    case 61: return plain(8, {0xFF}, true);
    case 65: return plain(8, {0, 0, 0, 0xFF});
    case 70:
    case 71:
    case 72: return block(BlockFormat::bc1);
    case 73:
    case 74:
    case 75: return block(BlockFormat::bc2);
    case 76:
    case 77:
    case 78: return block(BlockFormat::bc3);
    case 79:
    case 80: return block(BlockFormat::bc4);
    case 81: return block(BlockFormat::bc4_signed);
    case 82:
    case 83: return block(BlockFormat::bc5);
    case 84: return block(BlockFormat::bc5_signed);
    case 85: return plain(16, {0xF800, 0x7E0, 0x1F});
    case 86: return plain(16, {0x7C00, 0x3E0, 0x1F, 0x8000});
    case 87:
    case 90:
    case 91: return plain(32, {0xFF0000, 0xFF00, 0xFF, 0xFF000000});
    case 88:
    case 92:
    case 93: return plain(32, {0xFF0000, 0xFF00, 0xFF});
    case 97:
    case 98:
    case 99: return block(BlockFormat::bc7);
    case 115: return plain(16, {0xF00, 0xF0, 0xF, 0xF000});
    default: return unsupported("DXGI format " + std::to_string(format) + " is not supported");
    }
}

PixelLayout layout_of_four_cc(std::string_view code)
{
    if (code == "DXT1") return block(BlockFormat::bc1);
    if (code == "DXT2") return block(BlockFormat::bc2, true);
    if (code == "DXT3") return block(BlockFormat::bc2);
    if (code == "DXT4") return block(BlockFormat::bc3, true);
    if (code == "DXT5") return block(BlockFormat::bc3);
    if (code == "RXGB") { // normal maps of Doom 3
        PixelLayout layout = block(BlockFormat::bc3);
        layout.red_in_alpha = true;
        return layout;
    }
    if (code == "ATI1" || code == "BC4U") return block(BlockFormat::bc4);
    if (code == "BC4S") return block(BlockFormat::bc4_signed);
    if (code == "ATI2" || code == "BC5U") return block(BlockFormat::bc5);
    if (code == "BC5S") return block(BlockFormat::bc5_signed);
    if (code == std::string_view("\x24\0\0\0", 4)) return layout_of_dxgi(11); // D3DFMT_A16B16G16R16
    std::string named;
    for (const char c : code)
        named += c >= ' ' && c <= '~' ? c : '?';
    return unsupported("the pixel format '" + named + "' is not supported");
}

PixelLayout layout_of(const PixelFormat& format)
{
    constexpr std::uint32_t has_alpha = 0x1, only_alpha = 0x2, four_cc = 0x4, palette = 0x20,
                            luminance = 0x20000;
    if ((format.flags & four_cc) != 0) return layout_of_four_cc({format.four_cc.data(), 4});
    if ((format.flags & palette) != 0) {
        PixelLayout layout = plain(8, {0, 0, 0, (format.flags & has_alpha) != 0 ? 0xFFu : 0u});
        layout.palette = true;
        return layout;
    }
    if (format.bits != 8 && format.bits != 16 && format.bits != 24 && format.bits != 32)
        return unsupported(std::to_string(format.bits) + " bits per pixel are not supported");
    const std::uint32_t alpha = (format.flags & (has_alpha | only_alpha)) != 0 ? format.masks[3] : 0;
    const bool gray = (format.flags & luminance) != 0;
    if ((format.flags & only_alpha) != 0) return plain(format.bits, {0, 0, 0, alpha});
    return plain(format.bits,
                 {format.masks[0], gray ? 0 : format.masks[1], gray ? 0 : format.masks[2], alpha}, gray);
}

DecodeResult<DdsHeader> read_dds_header(Bytes bytes)
{
    io::ByteReader in(bytes);
    in.skip(12);
    DdsHeader header;
    header.size.height = in.read<std::uint32_t>();
    header.size.width = in.read<std::uint32_t>();
    in.skip(4);
    const bool is_volume = in.read<std::uint32_t>() > 1;
    const auto levels = in.read<std::uint32_t>();
    header.levels = is_volume ? 1 : std::clamp(levels, 1u, max_levels);
    in.seek(pixel_format_at);
    const auto format = in.read<PixelFormat>();
    in.seek(dds_header_bytes);
    header.data_at = dds_header_bytes;
    if (!in.failed() && std::string_view(format.four_cc.data(), 4) == "DX10" && (format.flags & 4) != 0) {
        header.layout = layout_of_dxgi(in.read<std::uint32_t>());
        in.skip(dx10_bytes - 4);
        header.data_at += dx10_bytes;
    } else {
        header.layout = layout_of(format);
    }
    if (in.failed()) return std::unexpected("the header is truncated");
    if (!header.layout.unsupported_reason.empty()) return std::unexpected(header.layout.unsupported_reason);
    constexpr std::uint32_t max_side = 65'536;
    if (header.size.width == 0 || header.size.height == 0 || header.size.width > max_side ||
        header.size.height > max_side)
        return std::unexpected("a side is 0 or longer than 65536");
    return header;
}

std::uint8_t scaled(std::uint64_t value, std::uint64_t mask)
{
    if (mask == 0) return 0;
    const int shift = std::countr_zero(mask);
    const std::uint64_t max_value = mask >> shift;
    return static_cast<std::uint8_t>(((value & mask) >> shift) * 255 / max_value);
}

void put_masked(Pixels& out, const std::uint8_t* data, const Masks& masks)
{
    const std::size_t stride = masks.bits / 8;
    const bool no_color = masks.channels[0] == 0 && masks.channels[1] == 0 && masks.channels[2] == 0;
    for (std::size_t i = 0; i < out.size(); i += 4, data += stride) {
        std::uint64_t value = 0;
        std::memcpy(&value, data, stride);
        for (std::size_t c = 0; c < 3; ++c)
            out[i + c] = no_color ? 255 : scaled(value, masks.channels[masks.gray ? 0 : c]);
        out[i + 3] = masks.channels[3] == 0 ? 255 : scaled(value, masks.channels[3]);
    }
}

void put_dds_indexed(Pixels& out, const std::uint8_t* palette, const std::uint8_t* data, bool with_alpha)
{
    for (std::size_t i = 0; i < out.size(); i += 4) {
        std::memcpy(out.data() + i, palette + std::size_t{4} * data[i / 4], 4);
        if (!with_alpha) out[i + 3] = 255;
    }
}

void put_blocks(Pixels& out, const std::uint8_t* data, ImageSize size, BlockFormat kind)
{
    for (std::uint32_t top = 0; top < size.height; top += 4) {
        for (std::uint32_t left = 0; left < size.width; left += 4, data += block_bytes(kind)) {
            const BlockPixels pixels = decode_block(kind, data);
            const std::size_t columns = std::min(4u, size.width - left);
            for (std::size_t y = 0; y < std::min(4u, size.height - top); ++y)
                std::memcpy(out.data() + 4 * ((top + y) * size.width + left), pixels.data() + 4 * y,
                            4 * columns);
        }
    }
}

// DXT2 and DXT4 store colors premultiplied by alpha.
void divide_by_alpha(Pixels& pixels)
{
    for (std::size_t i = 0; i < pixels.size(); i += 4) {
        const unsigned alpha = pixels[i + 3];
        for (std::size_t c = 0; c < 3 && alpha != 0; ++c)
            pixels[i + c] = static_cast<std::uint8_t>(std::min(pixels[i + c] * 255u / alpha, 255u));
    }
}

void move_alpha_to_red(Pixels& pixels)
{
    for (std::size_t i = 0; i < pixels.size(); i += 4)
        pixels[i] = std::exchange(pixels[i + 3], std::uint8_t{255});
}

std::uint64_t data_bytes(const DdsHeader& header)
{
    if (!header.layout.block) return pixel_count(header.size) * header.layout.masks.bits / 8;
    const ImageSize blocks{(header.size.width + 3) / 4, (header.size.height + 3) / 4};
    return pixel_count(blocks) * block_bytes(*header.layout.block);
}

DecodeResult<Pixels> pixels_of_level(Bytes bytes, std::uint32_t level)
{
    auto header = read_dds_header(bytes);
    if (!header) return std::unexpected(header.error());
    std::uint64_t before = header->data_at + (header->layout.palette ? dds_palette_bytes : 0);
    for (; level > 0; --level) {
        before += data_bytes(*header);
        header->size = {std::max(header->size.width / 2, 1u), std::max(header->size.height / 2, 1u)};
    }
    if (before > bytes.size() || bytes.size() - before < data_bytes(*header))
        return std::unexpected("the pixels end early");
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data()) + before;
    Pixels pixels(4 * pixel_count(header->size));
    if (header->layout.block) {
        put_blocks(pixels, data, header->size, *header->layout.block);
    } else if (header->layout.palette) {
        const auto* palette = reinterpret_cast<const std::uint8_t*>(bytes.data()) + header->data_at;
        put_dds_indexed(pixels, palette, data, header->layout.masks.channels[3] != 0);
    } else {
        put_masked(pixels, data, header->layout.masks);
    }
    if (header->layout.premultiplied) divide_by_alpha(pixels);
    if (header->layout.red_in_alpha) move_alpha_to_red(pixels);
    return pixels;
}

} // namespace

DecodeResult<ImageSize> dds_size(Bytes bytes)
{
    return size_of(read_dds_header(bytes));
}

DecodeResult<Pixels> dds_pixels(Bytes bytes, ImageSize /*size*/)
{
    return pixels_of_level(bytes, 0);
}

// A mipmap of the file is used if there is one of exactly that size. Some files lack mipmaps that they
// declare.
DecodeResult<Pixels> dds_reduced(Bytes bytes, ImageSize size, const Reduction& reduction)
{
    const auto header = read_dds_header(bytes);
    if (!header) return std::unexpected(header.error());
    const auto level = static_cast<std::uint32_t>(std::countr_zero(reduction.factor));
    if (level < header->levels && size.width % reduction.factor == 0 && size.height % reduction.factor == 0)
        if (auto mipmap = pixels_of_level(bytes, level)) return mipmap;
    return decode_and_reduce(dds_pixels, bytes, size, reduction);
}

} // namespace vitrine::images
