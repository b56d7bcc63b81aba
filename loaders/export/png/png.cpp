// stb_image_write filters and writes the chunks, libdeflate compresses: 3 to 5 times as fast as stb's own
// compressor, and smaller.
#include "loaders/export/png/png.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <libdeflate.h>

namespace {

// stb keeps one compression level for the process and passes it here; the caller's level is per thread.
thread_local int zlib_level_of_call = 2;

// stb frees the result with STBIW_FREE.
unsigned char* compress_zlib(unsigned char* data, int size, int* out_size, int /*quality*/)
{
    const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
        libdeflate_alloc_compressor(zlib_level_of_call), libdeflate_free_compressor);
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
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace vitrine::exporting {
namespace {

// Textures are most of what an export costs.
constexpr int texture_zlib_level = 2;

bool is_opaque(std::span<const std::uint8_t> rgba)
{
    constexpr std::size_t block_bytes = 4096; // without a branch within, so that it is vectorized
    for (; !rgba.empty(); rgba = rgba.subspan(std::min(block_bytes, rgba.size()))) {
        std::uint8_t all = 255;
        for (std::size_t i = 3; i < std::min(block_bytes, rgba.size()); i += 4)
            all &= rgba[i];
        if (all != 255) return false;
    }
    return true;
}

std::vector<std::uint8_t> without_alpha(std::span<const std::uint8_t> rgba)
{
    std::vector<std::uint8_t> rgb(rgba.size() / 4 * 3 + 1);
    for (std::size_t i = 0; i < rgba.size() / 4; ++i) // the fourth byte is overwritten by the next pixel
        std::memcpy(&rgb[i * 3], &rgba[i * 4], 4);
    rgb.pop_back();
    return rgb;
}

void append_bytes(void* context, void* data, int size)
{
    auto& out = *static_cast<std::vector<std::byte>*>(context);
    const auto* first = static_cast<const std::byte*>(data);
    out.insert(out.end(), first, first + size);
}

} // namespace

void append_png(std::vector<std::byte>& out, const PngPixels& pixels, int zlib_level)
{
    assert(!pixels.rgba.empty() && pixels.rgba.size() == std::size_t{4} * pixels.width * pixels.height);
    const bool opaque = is_opaque(pixels.rgba);
    const auto rgb = opaque ? without_alpha(pixels.rgba) : std::vector<std::uint8_t>{};
    const int channels = opaque ? 3 : 4;
    const auto width = static_cast<int>(pixels.width);
    zlib_level_of_call = zlib_level;
    if (stbi_write_png_to_func(append_bytes, &out, width, static_cast<int>(pixels.height), channels,
                               opaque ? rgb.data() : pixels.rgba.data(), width * channels) == 0)
        throw std::runtime_error("the PNG encoder ran out of memory");
}

std::vector<std::byte> write_png(const scene::Image& image)
{
    std::vector<std::byte> bytes;
    append_png(bytes, {image.width, image.height, image.pixels}, texture_zlib_level);
    return bytes;
}

} // namespace vitrine::exporting
