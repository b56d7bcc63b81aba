// TGA is stb_image's but for one bit that it passes over: rows that are stored from right to left.

#include <algorithm>
#include <cstring>

#include "loaders/images/codecs.hpp"

namespace vitrine::images {

Decoded<Pixels> tga_pixels(Bytes bytes, Size size)
{
    constexpr std::size_t descriptor_at = 17;
    constexpr std::byte right_to_left{0x10};
    auto pixels = stb_pixels(bytes, size);
    if (!pixels || bytes.size() <= descriptor_at || (bytes[descriptor_at] & right_to_left) == std::byte{0})
        return pixels;
    for (std::uint32_t y = 0; y < size.height; ++y) {
        std::uint8_t* row = pixels->data() + std::size_t{4} * y * size.width;
        for (std::uint32_t left = 0, right = size.width - 1; left < right; ++left, --right)
            std::swap_ranges(row + std::size_t{4} * left, row + std::size_t{4} * left + 4,
                             row + std::size_t{4} * right);
    }
    return pixels;
}

} // namespace vitrine::images
