#include "vk_renderer/encode/encode.hpp"

#include <algorithm>
#include <stdexcept>

#include "vk_renderer/encode/codecs.hpp"

namespace vitrine::render {

bool is_opaque(const Frame& frame)
{
    for (std::size_t i = 3; i < frame.pixels.size(); i += 4)
        if (frame.pixels[i] != 255) return false;
    return true;
}

std::vector<std::byte> encode(const Frame& frame, ImageFormat format, const EncodeOptions& options)
{
    if (frame.width == 0 || frame.height == 0 ||
        frame.pixels.size() != std::size_t{frame.width} * frame.height * 4)
        throw std::runtime_error("the frame to encode has no pixels");
    const int quality = std::clamp(options.quality, 1, 100);
    switch (format) {
    case ImageFormat::png: return encode_png(frame);
    case ImageFormat::jpeg: return encode_jpeg(frame, quality);
    case ImageFormat::webp: break;
    }
    return encode_webp(frame, quality);
}

} // namespace vitrine::render
