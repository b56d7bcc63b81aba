#include "tests/unit/images/samples.hpp"

#include <cstring>
#include <span>

namespace vitrine::test {

std::string from_list(std::initializer_list<unsigned> bytes)
{
    std::string out;
    for (const unsigned byte : bytes)
        out += static_cast<char>(byte);
    return out;
}

std::string little_endian(std::initializer_list<std::uint32_t> values)
{
    std::string out;
    for (const std::uint32_t value : values)
        for (unsigned shift = 0; shift < 32; shift += 8)
            out += static_cast<char>(value >> shift & 0xFF);
    return out;
}

std::string pcx(const PcxHeader& header, std::string_view lines)
{
    const auto u16 = [](unsigned value) { return little_endian({value}).substr(0, 2); };
    std::string out = from_list({10, header.version, header.runs ? 1u : 0u, header.bits});
    out += u16(3) + u16(4) + u16(header.width + 2) + u16(header.height + 3) + u16(72) + u16(72);
    std::string palette = header.palette;
    palette.resize(48);
    out += palette + from_list({0, header.planes}) + u16(header.line_bytes);
    out.resize(128);
    return out.append(lines);
}

std::string vga_palette(std::initializer_list<std::array<unsigned, 3>> first_colors)
{
    std::string out = "\x0C";
    for (const auto& color : first_colors)
        out += from_list({color[0], color[1], color[2]});
    out.resize(769);
    return out;
}

std::string dds(unsigned width, unsigned height, std::array<std::uint32_t, 7> format, std::string_view data)
{
    std::string out = "DDS " + little_endian({124, 0x1007, height, width, 0, 0, 1});
    out.resize(76);
    out += little_endian({32, format[0], format[1], format[2], format[3], format[4], format[5], format[6]});
    out.resize(128);
    return out.append(data);
}

std::string dds(unsigned width, unsigned height, std::string_view four_cc, std::string_view data)
{
    std::uint32_t code = 0;
    std::memcpy(&code, four_cc.data(), sizeof code);
    return dds(width, height, {4, code, 0, 0, 0, 0, 0}, data);
}

std::string dds_dx10(unsigned width, unsigned height, unsigned dxgi, std::string_view data)
{
    return dds(width, height, "DX10", little_endian({dxgi, 3, 0, 1, 0}).append(data));
}

std::string gif_of_data(unsigned width, unsigned height, const GifFrame& frame, std::string_view data,
                        std::string_view blocks)
{
    const auto pair = [](unsigned value) { return from_list({value & 0xFF, value >> 8}); };
    const std::string palette = from_list({255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255});
    std::string out = "GIF89a" + pair(width) + pair(height) + from_list({0x81, 0, 0}) + palette;
    out.append(blocks).append(",");
    out += pair(frame.left) + pair(frame.top) + pair(frame.width) + pair(frame.height);
    out += from_list({(frame.own_palette ? 0x81u : 0u) | (frame.interlaced ? 0x40u : 0u)});
    if (frame.own_palette) out += from_list({255, 255, 255, 0, 0, 255, 0, 255, 0, 255, 0, 0});
    return out.append(data).append(";");
}

// Codes of three bits: cleared after every two codes, so that they never grow.
std::string gif(unsigned width, unsigned height, const GifFrame& frame, std::string_view pixels,
                std::string_view blocks)
{
    std::string packed;
    unsigned bits = 0, count = 0;
    const auto put = [&](unsigned code) {
        bits |= code << count;
        for (count += 3; count >= 8; count -= 8, bits >>= 8)
            packed += static_cast<char>(bits & 0xFF);
    };
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (i % 2 == 0) put(4);
        put(static_cast<unsigned>(pixels[i] - '0'));
    }
    put(5);
    put(0);
    put(0); // fill the last byte
    std::string data = from_list({2});
    for (std::size_t at = 0; at < packed.size(); at += 255) {
        const std::string block = packed.substr(at, 255);
        data += static_cast<char>(block.size()) + block;
    }
    return gif_of_data(width, height, frame, data + '\0', blocks);
}

std::string hdr(std::string_view resolution, std::string_view pixels)
{
    std::string out = "#?RADIANCE\n# a comment\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=1\n\n";
    return out.append(resolution).append("\n").append(pixels);
}

std::string big_endian(std::initializer_list<std::uint32_t> values)
{
    std::string out;
    for (const auto value : values)
        for (int shift = 24; shift >= 0; shift -= 8)
            out += static_cast<char>(value >> shift & 255);
    return out;
}

std::string bmp(std::int32_t width, std::int32_t height, unsigned bits, unsigned compression,
                const std::string& pixels, const std::string& palette)
{
    const auto at = static_cast<std::uint32_t>(54 + palette.size());
    return "BM" +
           little_endian({at, 0, at, 40, static_cast<std::uint32_t>(width),
                          static_cast<std::uint32_t>(height), bits << 16 | 1, compression, 0, 0, 0,
                          static_cast<std::uint32_t>(palette.size() / 4), 0}) +
           palette + pixels;
}

std::string psd(unsigned channels, unsigned depth, unsigned mode, unsigned width, unsigned height,
                unsigned compression, const std::string& data, const std::string& palette,
                const std::string& layers)
{
    return "8BPS" + from_list({0, 1, 0, 0, 0, 0, 0, 0, 0, channels}) + big_endian({height, width}) +
           from_list({0, depth, 0, mode}) + big_endian({static_cast<std::uint32_t>(palette.size())}) +
           palette + big_endian({0, static_cast<std::uint32_t>(layers.size())}) + layers +
           from_list({0, compression}) + data;
}

std::string tga(const TgaHeader& header, std::string_view data)
{
    const unsigned map_first = header.map_first, map_count = header.map_count;
    return from_list({0, map_count > 0 ? 1u : 0u, header.type, map_first & 255, map_first >> 8,
                      map_count & 255, map_count >> 8, header.map_bits, 0, 0, 0, 0, header.width & 255,
                      header.width >> 8, header.height & 255, header.height >> 8, header.bits,
                      header.descriptor}) +
           std::string(data) + std::string(8, '\0') + std::string("TRUEVISION-XFILE.\0", 18);
}

std::vector<std::string> every_picture()
{
    const std::string colors = from_list({0, 0xF8, 0x1F, 0, 0xE4, 0, 0, 0});
    const std::string ramp = from_list({255, 0, 0x88, 0xC6, 0xFA, 0, 0, 0});
    return {
        pcx({}, from_list({0xC2, 1}) + vga_palette({{1, 2, 3}, {4, 5, 6}})),
        pcx({.bits = 1, .planes = 4, .line_bytes = 1}, from_list({0x80, 0x40, 0xC1, 0xC0, 0})),
        pcx({.runs = false, .planes = 3}, "abcdef"),
        dds(4, 4, "DXT1", colors),
        dds(4, 4, "DXT5", ramp + colors),
        dds(5, 3, "ATI2", ramp + ramp + ramp + ramp),
        dds_dx10(4, 4, 98, "\x40 a block of 16 b"),
        dds(2, 1, {0x41, 0, 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000}, "abcdefgh"),
        dds_dx10(1, 1, 28, "abcd"),
        gif(2, 2, {}, "0123"),
        gif(3, 5, {.left = 1, .height = 5, .interlaced = true, .own_palette = true}, "0123012301",
            from_list({0x21, 0xF9, 4, 1, 0, 0, 3, 0})),
        hdr("-Y 1 +X 2", from_list({128, 64, 0, 129, 0, 0, 0, 0})),
        bmp(4, -2, 8, 0, "abcdefgh", from_list({3, 2, 1, 0, 30, 20, 10, 0})),
        bmp(4, 2, 8, 1, from_list({2, 1, 0, 0, 0, 2, 1, 0, 0, 3, 1, 0, 1, 0, 0, 1}), "abcdefgh"),
        bmp(3, 2, 4, 2, from_list({3, 0x10, 0, 0, 0, 3, 0x01, 0x10, 0, 1}), "abcdefgh"),
        psd(1, 8, 2, 2, 1, 0, "ab", std::string(768, 'c')),
        psd(5, 16, 4, 1, 1, 0, "abcdefghij"),
        psd(1, 1, 0, 9, 2, 1, from_list({0, 2, 0, 3, 0xFF, 7, 1, 8, 9})),
        psd(4, 8, 3, 1, 1, 0, "abcd", {}, big_endian({2}) + from_list({0xFF, 0xFF})),
        psd(4, 16, 3, 1, 1, 1, "lengths.abcdefgh", {}, big_endian({0, 0}) + "8BIMMt16" + big_endian({0})),
        psd(1, 32, 1, 1, 1, 0, "abcd"),
        psd(3, 8, 9, 1, 1, 0, "abc"),
        tga({.type = 2, .bits = 24}, "abcdef"),
        tga({.type = 9, .bits = 8, .map_first = 1, .map_count = 2, .map_bits = 16}, "abcd\x80\1\0\2"),
        tga({.type = 11, .bits = 16, .descriptor = 0x38}, "\x81"
                                                          "ab"),
        "#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n+X 1 +Y 2\n" + from_list({255, 255, 0, 255, 0, 255, 255, 255}),
        hdr("-Y 1 +X 8", from_list({2, 2, 0, 8, 136, 128, 136, 64, 136, 0, 136, 129})),
    };
}

LoadResult<scene::Image> decode(const std::string& bytes, std::string_view name)
{
    Limits limits;
    limits.image_pixels = 1'000'000;
    return images::decode_image(std::as_bytes(std::span(bytes)), name, limits);
}

LoadResult<scene::Image> decode_or_reduce(const std::string& bytes, images::PixelUse use,
                                          std::string_view name)
{
    Limits limits;
    limits.image_pixels = 1'000'000;
    return images::decode_reduced(std::as_bytes(std::span(bytes)), name, limits, limits.image_pixels, use);
}

LoadResult<scene::Image> check(const std::string& bytes)
{
    return decode_or_reduce(bytes, images::PixelUse::check);
}

std::vector<Color> colors_of(const LoadResult<scene::Image>& image)
{
    if (!image) return {};
    std::vector<Color> colors(image->pixels.size() / 4);
    std::memcpy(colors.data(), image->pixels.data(), image->pixels.size());
    return colors;
}

} // namespace vitrine::test
