// stb_image_write does the filtering and the chunks, libdeflate the compression: 3 to 5 times faster than
// stb's own and smaller.
#include "vk_renderer/encode/codecs.hpp"

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include <libdeflate.h>

namespace {

// stb frees the result with STBIW_FREE.
unsigned char* compress_zlib(unsigned char* data, int size, int* out_size, int quality)
{
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(quality), libdeflate_free_compressor);
    if (!compressor) return nullptr;
    const auto length = static_cast<std::size_t>(size);
    const auto bound = libdeflate_zlib_compress_bound(compressor.get(), length);
    auto* out = static_cast<unsigned char*>(std::malloc(bound));
    if (out == nullptr) return nullptr;
    *out_size = static_cast<int>(libdeflate_zlib_compress(compressor.get(), data, length, out, bound));
    return out;
}

} // namespace

#define STBIW_ZLIB_COMPRESS compress_zlib
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace vitrine::render {
namespace {

constexpr int compression_level =
    3; // stb's global: libdeflate's level; beyond it costs much and gains little

void append(void* context, void* data, int size)
{
    auto& out = *static_cast<std::vector<std::byte>*>(context);
    const auto* bytes = static_cast<const std::byte*>(data);
    out.insert(out.end(), bytes, bytes + size);
}

std::vector<std::uint8_t> without_alpha(const Frame& frame)
{
    std::vector<std::uint8_t> rgb(std::size_t{frame.width} * frame.height * 3);
    for (std::size_t i = 0; i < rgb.size() / 3; ++i)
        for (std::size_t c = 0; c < 3; ++c)
            rgb[i * 3 + c] = frame.pixels[i * 4 + c];
    return rgb;
}

bool write(std::vector<std::byte>& out, const Frame& frame, int components, const std::uint8_t* pixels)
{
    const auto width = static_cast<int>(frame.width);
    return stbi_write_png_to_func(append, &out, width, static_cast<int>(frame.height), components, pixels,
                                  width * components) != 0;
}

} // namespace

std::vector<std::byte> encode_png(const Frame& frame)
{
    // stb keeps its level in a variable of this file; it is written once, before any thread can read it.
    [[maybe_unused]] static const int level = stbi_write_png_compression_level = compression_level;
    std::vector<std::byte> out;
    const bool done = is_opaque(frame) ? write(out, frame, 3, without_alpha(frame).data())
                                       : write(out, frame, 4, frame.pixels.data());
    if (!done) throw std::runtime_error("the PNG encoder failed");
    return out;
}

} // namespace vitrine::render
