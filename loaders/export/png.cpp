// stb_image_write writes filters and chunks, libdeflate compresses, several times faster and smaller than
// stb's own compressor: images are most of the cost of an export.
#include "loaders/export/png.hpp"

#include <cassert>
#include <cstdlib>
#include <memory>

#include <libdeflate.h>

namespace {

constexpr int compression_level = 2;

// stb frees the result with STBIW_FREE.
unsigned char* compress_zlib(unsigned char* data, int size, int* out_size, int /*quality*/)
{
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(compression_level), libdeflate_free_compressor);
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
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

namespace vitrine::exporting {

namespace {

bool is_opaque(const scene::Image& image)
{
    for (std::size_t i = 3; i < image.pixels.size(); i += 4)
        if (image.pixels[i] != 255) return false;
    return true;
}

std::vector<std::uint8_t> without_alpha(const scene::Image& image)
{
    std::vector<std::uint8_t> rgb;
    rgb.reserve(image.pixels.size() / 4 * 3);
    for (std::size_t i = 0; i + 3 < image.pixels.size(); i += 4)
        rgb.insert(rgb.end(), image.pixels.begin() + static_cast<std::ptrdiff_t>(i),
                   image.pixels.begin() + static_cast<std::ptrdiff_t>(i + 3));
    return rgb;
}

void append(void* out, void* data, int size)
{
    auto& bytes = *static_cast<std::vector<std::byte>*>(out);
    const auto* first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
}

} // namespace

std::vector<std::byte> write_png(const scene::Image& image)
{
    assert(!image.pixels.empty());
    const bool opaque = is_opaque(image);
    const auto& pixels = opaque ? without_alpha(image) : image.pixels;
    const int channels = opaque ? 3 : 4;
    std::vector<std::byte> bytes;
    stbi_write_png_to_func(append, &bytes, static_cast<int>(image.width), static_cast<int>(image.height),
                           channels, pixels.data(), static_cast<int>(image.width) * channels);
    return bytes;
}

} // namespace vitrine::exporting
