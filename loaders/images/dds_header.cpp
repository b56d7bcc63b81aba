#include "loaders/images/dds_header.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {
namespace {

struct PixelFormat {
    std::uint32_t size = 0, flags = 0;
    std::array<char, 4> four_cc{};
    std::uint32_t bits = 0;
    std::array<std::uint32_t, 4> masks{};
};
static_assert(sizeof(PixelFormat) == 32);

constexpr std::size_t pixel_format_at = 76, dds_header_bytes = 128, dx10_bytes = 20;
constexpr std::uint32_t max_levels = 17; // of a side of 65536

DdsPixelLayout block(BlockFormat kind, bool premultiplied = false)
{
    return {.block = kind, .masks = {}, .premultiplied = premultiplied, .unsupported_reason = {}};
}
DdsPixelLayout plain(unsigned bits, std::array<std::uint64_t, 4> channels, bool gray = false)
{
    return {.block = {}, .masks = {bits, channels, gray}, .unsupported_reason = {}};
}
DdsPixelLayout unsupported(std::string reason)
{
    return {.block = {}, .masks = {}, .unsupported_reason = std::move(reason)};
}

// DXGI_FORMAT numbers: typeless, linear and sRGB variants have the same bit layout.
DdsPixelLayout layout_of_dxgi(std::uint32_t format)
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

DdsPixelLayout layout_of_four_cc(std::string_view code)
{
    if (code == "DXT1") return block(BlockFormat::bc1);
    if (code == "DXT2") return block(BlockFormat::bc2, true);
    if (code == "DXT3") return block(BlockFormat::bc2);
    if (code == "DXT4") return block(BlockFormat::bc3, true);
    if (code == "DXT5") return block(BlockFormat::bc3);
    if (code == "RXGB") { // normal maps of Doom 3
        DdsPixelLayout layout = block(BlockFormat::bc3);
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

DdsPixelLayout layout_of(const PixelFormat& format)
{
    constexpr std::uint32_t has_alpha = 0x1, only_alpha = 0x2, four_cc = 0x4, palette = 0x20,
                            luminance = 0x20000;
    if ((format.flags & four_cc) != 0) return layout_of_four_cc({format.four_cc.data(), 4});
    if ((format.flags & palette) != 0) {
        DdsPixelLayout layout = plain(8, {0, 0, 0, (format.flags & has_alpha) != 0 ? 0xFFu : 0u});
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

} // namespace

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

} // namespace vitrine::images
