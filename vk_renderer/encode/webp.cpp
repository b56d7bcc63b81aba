#include "vk_renderer/encode/codecs.hpp"

#include <cmath>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <webp/decode.h>
#include <webp/encode.h>

#include "loaders/base/stop.hpp"

namespace vitrine::render {
namespace {

// 0 (fast) .. 6 (small). Stills are stored and sent repeatedly. Of 256 x 256 samples at quality 85, method 2
// takes 1.1 ms (1.7 ms with segments, see below); method 0 takes 1.0 ms for 1.6 times the bytes, method 3
// takes 3.7 ms and saves 15 %. JPEG takes 0.13 ms for 1.5 to 1.8 times the bytes with a PSNR 1.5 dB lower.
constexpr int still_method = 2;
constexpr int animation_method = 0; // many frames: speed matters more than size

WebPConfig config_of(float quality, int method)
{
    WebPConfig config;
    if (WebPConfigInit(&config) == 0)
        throw std::runtime_error("the WebP library has an incompatible version");
    config.quality = quality;
    config.method = method;
    return config;
}

// The encoder's analysis, which divides an image into four segments with quantizers of their own, takes a
// third of the time of method 2. With one segment an image has the same PSNR, SSIM and size, within 4 %, at a
// lower quality: the segments coarsen the quantizers of most blocks, by the power `expn` in
// VP8SetSegmentParams(), on average this one. Measured at qualities 10 to 100 on the samples, 256 x 256 and
// 512 x 512, and on tubes.
constexpr float segment_exponent = 1.39f;

// The inverse of each other: QualityToCompression() in the encoder, without its cube root.
float compression_of(float quality)
{
    const float share = quality / 100.0f;
    return share < 0.75f ? share * (2.0f / 3.0f) : 2.0f * share - 1.0f;
}

float quality_of(float compression)
{
    return 100.0f * (compression < 0.5f ? compression * 1.5f : 0.5f * (compression + 1.0f));
}

WebPConfig still_config(int quality)
{
    const float compression = compression_of(static_cast<float>(quality));
    auto config = config_of(quality_of(std::pow(compression, segment_exponent)), still_method);
    config.segments = 1;
    return config;
}

std::vector<std::uint8_t> copy_of(const Frame& frame, const Rectangle& part)
{
    const auto row_bytes = std::size_t{part.width} * 4;
    std::vector<std::uint8_t> copy(row_bytes * part.height);
    for (std::uint32_t y = 0; y < part.height; ++y)
        std::memcpy(copy.data() + y * row_bytes,
                    frame.pixels.data() + (std::size_t{part.y + y} * frame.width + part.x) * 4, row_bytes);
    return copy;
}

// Owns a WebPPicture and frees its planes.
class WebpPicture {
public:
    WebpPicture(const Frame& frame, const Rectangle& part)
    {
        if (WebPPictureInit(&picture_) == 0)
            throw std::runtime_error("the WebP library has an incompatible version");
        picture_.width = static_cast<int>(part.width);
        picture_.height = static_cast<int>(part.height);
        picture_.use_argb = 0;
        if (!import(frame, part)) throw std::runtime_error("WebP does not support an image of this size");
    }
    ~WebpPicture() { WebPPictureFree(&picture_); }
    WebpPicture(const WebpPicture&) = delete;
    WebpPicture& operator=(const WebpPicture&) = delete;
    WebPPicture* get() { return &picture_; }

private:
    // The library's conversion with alpha reads each value twice and computes an index into a table from
    // both, which would be outside of the table if another process increased the value in between. The
    // conversion without alpha is safe.
    bool import(const Frame& frame, const Rectangle& part)
    {
        const auto stride = frame.width * std::size_t{4};
        const auto* pixels = frame.pixels.data() + part.y * stride + std::size_t{part.x} * 4;
        if (!frame.pixels.may_change())
            return WebPPictureImportRGBA(&picture_, pixels, static_cast<int>(stride)) != 0;
        if (is_opaque(frame)) return WebPPictureImportRGBX(&picture_, pixels, static_cast<int>(stride)) != 0;
        const auto copy = copy_of(frame, part);
        return WebPPictureImportRGBA(&picture_, copy.data(), static_cast<int>(part.width * 4)) != 0;
    }

    WebPPicture picture_;
};

std::vector<std::byte> bytes_of(const std::uint8_t* data, std::size_t size)
{
    const auto* first = reinterpret_cast<const std::byte*>(data);
    return {first, first + size};
}

// Returns 0 to end the encoder.
int continues(int, const WebPPicture*)
{
    return thread_stop_token().stop_requested() ? 0 : 1;
}

std::vector<std::byte> compress(const Frame& frame, const Rectangle& part, const WebPConfig& config)
{
    WebpPicture picture(frame, part);
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    const std::unique_ptr<WebPMemoryWriter, decltype(&WebPMemoryWriterClear)> owner(&writer,
                                                                                    WebPMemoryWriterClear);
    picture.get()->writer = WebPMemoryWrite;
    picture.get()->custom_ptr = &writer;
    picture.get()->progress_hook = continues;
    const bool encoded = WebPEncode(&config, picture.get()) != 0;
    check_stop();
    if (!encoded) throw std::runtime_error("the WebP encoder failed");
    return bytes_of(writer.mem, writer.size);
}

} // namespace

std::vector<std::byte> encode_webp(const Frame& frame, int quality)
{
    return compress(frame, {0, 0, frame.width, frame.height}, still_config(quality));
}

std::vector<std::byte> encode_webp_part(const Frame& frame, const Rectangle& part, int quality)
{
    return compress(frame, part, config_of(static_cast<float>(quality), animation_method));
}

std::optional<Frame> decode_webp(std::span<const std::byte> bytes)
{
    const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    int width = 0, height = 0;
    if (WebPGetInfo(data, bytes.size(), &width, &height) == 0) return std::nullopt;
    if (width > max_decoded_side || height > max_decoded_side) return std::nullopt;
    const auto row_bytes = static_cast<std::size_t>(width) * 4;
    std::vector<std::uint8_t> pixels(row_bytes * static_cast<std::size_t>(height));
    if (WebPDecodeRGBAInto(data, bytes.size(), pixels.data(), pixels.size(), static_cast<int>(row_bytes)) ==
        nullptr)
        return std::nullopt;
    return Frame{.width = static_cast<std::uint32_t>(width),
                 .height = static_cast<std::uint32_t>(height),
                 .pixels = std::move(pixels)};
}

} // namespace vitrine::render
