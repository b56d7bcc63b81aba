// WebP with libwebp; for an animation ("WebP Container Specification") the first frame, on a transparent
// canvas.

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string_view>

#include <webp/decode.h>

#include "loaders/images/codecs.hpp"
#include "loaders/images/reduction.hpp"
#include "loaders/io/byte_reader.hpp"

namespace vitrine::images {
namespace {

struct WebpFrame {
    std::uint32_t left = 0, top = 0;
    ImageSize size;
    std::vector<std::uint8_t> file; // a complete WebP file
};

std::uint32_t read_24_bits(io::ByteReader& in)
{
    const auto bytes = in.read<std::array<std::uint8_t, 3>>();
    return bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16;
}

void append(std::vector<std::uint8_t>& out, std::string_view text)
{
    out.insert(out.end(), text.begin(), text.end());
}

void append_bits(std::vector<std::uint8_t>& out, std::uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        out.push_back(static_cast<std::uint8_t>(value >> 8 * i & 255));
}

// Builds a file from the chunks of a frame, with a header that declares whether alpha is in a separate chunk.
std::vector<std::uint8_t> to_file(ImageSize size, Bytes chunks)
{
    const bool has_alpha = chunks.size() >= 4 && std::memcmp(chunks.data(), "ALPH", 4) == 0;
    constexpr std::uint32_t extended_bytes = 18;
    std::vector<std::uint8_t> file;
    append(file, "RIFF");
    append_bits(file, static_cast<std::uint32_t>(4 + (has_alpha ? extended_bytes : 0) + chunks.size()), 4);
    append(file, "WEBP");
    if (has_alpha) {
        append(file, "VP8X");
        append_bits(file, 10, 4);
        append_bits(file, 0x10, 4);
        append_bits(file, size.width - 1, 3);
        append_bits(file, size.height - 1, 3);
    }
    const auto* data = reinterpret_cast<const std::uint8_t*>(chunks.data());
    file.insert(file.end(), data, data + chunks.size());
    return file;
}

// Empty if the file is not animated or is invalid.
std::optional<WebpFrame> first_frame(Bytes bytes)
{
    io::ByteReader in(bytes);
    in.skip(12); // "RIFF", its size, "WEBP"
    while (!in.failed() && in.remaining() >= 8) {
        const std::string kind = in.read_text(4);
        const auto size = in.read<std::uint32_t>();
        if (kind != "ANMF") {
            in.skip(std::uint64_t{size} + size % 2);
            continue;
        }
        io::ByteReader chunk(in.read_bytes(std::min<std::uint64_t>(size, in.remaining())));
        WebpFrame frame;
        frame.left = 2 * read_24_bits(chunk);
        frame.top = 2 * read_24_bits(chunk);
        frame.size = {read_24_bits(chunk) + 1, read_24_bits(chunk) + 1};
        chunk.skip(4); // duration and flags
        if (chunk.failed()) return std::nullopt;
        frame.file = to_file(frame.size, chunk.read_bytes(chunk.remaining()));
        return frame;
    }
    return std::nullopt;
}

bool decode(const std::uint8_t* data, std::size_t bytes, ImageSize size, PixelBytes& pixels)
{
    pixels.resize(4 * pixel_count(size));
    const auto stride = static_cast<int>(size.width * 4);
    return WebPDecodeRGBAInto(data, bytes, pixels.data(), pixels.size(), stride) != nullptr;
}

DecodeResult<PixelBytes> frame_on_canvas(Bytes bytes, ImageSize canvas)
{
    const std::optional<WebpFrame> frame = first_frame(bytes);
    if (!frame || frame->left + std::uint64_t{frame->size.width} > canvas.width ||
        frame->top + std::uint64_t{frame->size.height} > canvas.height)
        return std::unexpected("the first frame of the animation is invalid");
    PixelBytes shown;
    if (!decode(frame->file.data(), frame->file.size(), frame->size, shown))
        return std::unexpected("the first frame of the animation is invalid or incomplete");
    PixelBytes pixels(4 * pixel_count(canvas));
    for (std::size_t y = 0; y < frame->size.height; ++y)
        std::memcpy(pixels.data() + 4 * ((frame->top + y) * canvas.width + frame->left),
                    shown.data() + 4 * y * frame->size.width, std::size_t{4} * frame->size.width);
    return pixels;
}

DecodeResult<WebPBitstreamFeatures> features_of(Bytes bytes)
{
    WebPBitstreamFeatures features;
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    if (WebPGetFeatures(data, bytes.size(), &features) != VP8_STATUS_OK)
        return std::unexpected("the WebP header is invalid");
    return features;
}

} // namespace

DecodeResult<ImageSize> webp_size(Bytes bytes)
{
    const auto features = features_of(bytes);
    if (!features) return std::unexpected(features.error());
    return ImageSize{static_cast<std::uint32_t>(features->width),
                     static_cast<std::uint32_t>(features->height)};
}

DecodeResult<PixelBytes> webp_pixels(Bytes bytes, ImageSize size)
{
    const auto features = features_of(bytes);
    if (!features) return std::unexpected(features.error());
    if (features->has_animation != 0) return frame_on_canvas(bytes, size);
    PixelBytes pixels;
    if (!decode(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), size, pixels))
        return std::unexpected("the WebP data is invalid or incomplete");
    return pixels;
}

// The library scales each row that it has decoded; colors are weighted by alpha.
DecodeResult<PixelBytes> webp_reduced(Bytes bytes, ImageSize size, const Reduction& reduction)
{
    const auto features = features_of(bytes);
    if (!features) return std::unexpected(features.error());
    if (features->has_animation != 0) return decode_and_reduce(webp_pixels, bytes, size, reduction);
    const ImageSize to = reduced_size(size, reduction.factor);
    PixelBytes pixels(4 * pixel_count(to));
    WebPDecoderConfig config;
    if (WebPInitDecoderConfig(&config) == 0) return std::unexpected("the library has another version");
    config.options.use_scaling = 1;
    config.options.scaled_width = static_cast<int>(to.width);
    config.options.scaled_height = static_cast<int>(to.height);
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = {
        .rgba = pixels.data(), .stride = static_cast<int>(to.width * 4), .size = pixels.size()};
    if (WebPDecode(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), &config) !=
        VP8_STATUS_OK)
        return std::unexpected("the WebP data is invalid or incomplete");
    return pixels;
}

} // namespace vitrine::images
