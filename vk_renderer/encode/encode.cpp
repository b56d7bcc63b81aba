#include "vk_renderer/encode/encode.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <stdexcept>

#include "vk_renderer/encode/codecs.hpp"

namespace vitrine::render {

void require_pixels(const Frame& frame)
{
    if (frame.width == 0 || frame.height == 0 ||
        frame.pixels.size() != std::size_t{frame.width} * frame.height * 4)
        throw std::runtime_error("the frame to encode has no pixels");
}

// Reads every pixel without an early exit, so that compilers vectorize the loop.
bool is_opaque(const Frame& frame)
{
    std::uint32_t all = ~0u;
    const std::span<const std::uint8_t> pixels = frame.pixels;
    for (std::size_t i = 0; i + 4 <= pixels.size(); i += 4) {
        std::uint32_t pixel = 0;
        std::memcpy(&pixel, pixels.data() + i, 4);
        all &= pixel;
    }
    return std::bit_cast<std::array<std::uint8_t, 4>>(all)[3] == 255;
}

std::vector<std::byte> encode(const Frame& frame, ImageFormat format, const EncodeOptions& options)
{
    require_pixels(frame);
    const int quality = std::clamp(options.quality, 1, 100);
    switch (format) {
    case ImageFormat::png: return encode_png(frame);
    case ImageFormat::jpeg: return encode_jpeg(frame, quality);
    case ImageFormat::webp: break;
    }
    return encode_webp(frame, quality);
}

} // namespace vitrine::render
