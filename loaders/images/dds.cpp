// Decodes the largest mipmap of the first face, slice and array element of a DDS.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "loaders/images/codecs.hpp"
#include "loaders/images/dds_header.hpp"
#include "loaders/images/reduction.hpp"

namespace vitrine::images {
namespace {

std::uint8_t scaled(std::uint64_t value, std::uint64_t mask)
{
    if (mask == 0) return 0;
    const int shift = std::countr_zero(mask);
    const std::uint64_t max_value = mask >> shift;
    return static_cast<std::uint8_t>(((value & mask) >> shift) * 255 / max_value);
}

void put_masked(PixelBytes& out, const std::uint8_t* data, const DdsMasks& masks)
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

void put_dds_indexed(PixelBytes& out, const std::uint8_t* palette, const std::uint8_t* data, bool with_alpha)
{
    for (std::size_t i = 0; i < out.size(); i += 4) {
        std::memcpy(out.data() + i, palette + std::size_t{4} * data[i / 4], 4);
        if (!with_alpha) out[i + 3] = 255;
    }
}

void put_blocks(PixelBytes& out, const std::uint8_t* data, ImageSize size, BlockFormat kind)
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
void divide_by_alpha(PixelBytes& pixels)
{
    for (std::size_t i = 0; i < pixels.size(); i += 4) {
        const unsigned alpha = pixels[i + 3];
        for (std::size_t c = 0; c < 3 && alpha != 0; ++c)
            pixels[i + c] = static_cast<std::uint8_t>(std::min(pixels[i + c] * 255u / alpha, 255u));
    }
}

void move_alpha_to_red(PixelBytes& pixels)
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

DecodeResult<PixelBytes> pixels_of_level(Bytes bytes, std::uint32_t level)
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
    PixelBytes pixels(4 * pixel_count(header->size));
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

DecodeResult<PixelBytes> dds_pixels(Bytes bytes, ImageSize /*size*/)
{
    return pixels_of_level(bytes, 0);
}

// A mipmap of the file is used if there is one of exactly that size. Some files lack mipmaps that they
// declare.
DecodeResult<PixelBytes> dds_reduced(Bytes bytes, ImageSize size, const Reduction& reduction)
{
    const auto header = read_dds_header(bytes);
    if (!header) return std::unexpected(header.error());
    const auto level = static_cast<std::uint32_t>(std::countr_zero(reduction.factor));
    if (level < header->levels && size.width % reduction.factor == 0 && size.height % reduction.factor == 0)
        if (auto mipmap = pixels_of_level(bytes, level)) return mipmap;
    return decode_and_reduce(dds_pixels, bytes, size, reduction);
}

} // namespace vitrine::images
