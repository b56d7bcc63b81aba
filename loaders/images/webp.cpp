#include "loaders/images/codecs.hpp"

#include <webp/decode.h>

namespace vitrine::images {

Decoded<Size> webp_size(Bytes bytes)
{
    WebPBitstreamFeatures features;
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    if (WebPGetFeatures(data, bytes.size(), &features) != VP8_STATUS_OK)
        return std::unexpected("the WebP header is broken");
    if (features.has_animation != 0) return std::unexpected("animated WebP images are not decoded");
    return Size{static_cast<std::uint32_t>(features.width), static_cast<std::uint32_t>(features.height)};
}

Decoded<Pixels> webp_pixels(Bytes bytes, Size size)
{
    Pixels pixels(std::size_t{4} * size.width * size.height);
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const auto stride = static_cast<int>(size.width * 4);
    if (WebPDecodeRGBAInto(data, bytes.size(), pixels.data(), pixels.size(), stride) == nullptr)
        return std::unexpected("the WebP data is broken or incomplete");
    return pixels;
}

} // namespace vitrine::images
