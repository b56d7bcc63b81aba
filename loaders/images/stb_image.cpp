#include "loaders/images/codecs.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loaders/images/image.hpp"

namespace vitrine::images {
namespace {

// Memory for a palette or the decoder's internal state.
constexpr std::size_t min_block_limit_bytes = std::size_t{1} << 20;
thread_local std::size_t block_limit_bytes = min_block_limit_bytes;
thread_local bool has_rejected = false;

// Call this before each call of stb_image.
void limit_blocks(std::size_t limit_bytes)
{
    block_limit_bytes = limit_bytes;
    has_rejected = false;
}

bool allows(std::size_t size)
{
    has_rejected = has_rejected || size > block_limit_bytes;
    return size <= block_limit_bytes;
}

// Allocator for stb_image with two additions. Memory is zeroed, so that a truncated file does not reveal
// earlier contents. Blocks are limited, because a PNG of one pixel may unpack to gigabytes.
void* allocate(std::size_t size)
{
    return allows(size) ? std::calloc(1, size) : nullptr;
}

void* resize(void* block, std::size_t old_size, std::size_t size)
{
    auto* grown = allows(size) ? static_cast<std::byte*>(std::realloc(block, size)) : nullptr;
    if (grown != nullptr && size > old_size) std::memset(grown + old_size, 0, size - old_size);
    return grown;
}

} // namespace
} // namespace vitrine::images

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_BMP
#define STBI_NO_STDIO
#define STBI_MAX_DIMENSIONS 65536
#define STBI_MALLOC(size) vitrine::images::allocate(size)
#define STBI_REALLOC_SIZED(block, old, size) vitrine::images::resize(block, old, size)
#define STBI_FREE(block) std::free(block)
#include <stb/stb_image.h>

namespace vitrine::images {
namespace {

// stb_image includes bytes of the file in some of its reasons.
std::string reason()
{
    if (has_rejected) return "it unpacks to far more than its pixels";
    const char* text = stbi_failure_reason();
    std::string message = text == nullptr ? "no reason given" : text;
    if (message.empty()) message = "a chunk has no name"; // the reason starts with the chunk name
    std::ranges::replace_if(message, [](unsigned char c) { return c < 0x20 || c > 0x7e; }, '?');
    return "the image data is invalid (" + message + ")";
}

// Position of the IEND of a PNG, or where it should be; empty if a chunk exceeds the file. stb_image
// allocates the length declared by an IDAT, up to 2 GiB, before it reads the data.
struct PngEnd {
    std::size_t at = 0;
    bool is_there = false;
};
std::optional<PngEnd> find_end(Bytes png)
{
    const auto at = [&](std::size_t i) { return std::to_integer<std::uint32_t>(png[i]); };
    std::size_t chunk = 8;
    while (chunk + 8 <= png.size()) {
        const std::uint32_t length =
            at(chunk) << 24 | at(chunk + 1) << 16 | at(chunk + 2) << 8 | at(chunk + 3);
        if (length > png.size() - chunk - 8) return std::nullopt;
        if (at(chunk + 4) == 'I' && at(chunk + 5) == 'E') return PngEnd{chunk, true}; // the rest is not read
        chunk += std::size_t{12} + length; // length, type, bytes, CRC
    }
    return PngEnd{chunk, false};
}

// Appends an IEND chunk; the pixel data may be complete without it.
std::vector<std::byte> with_end(Bytes png, std::size_t at)
{
    std::vector<std::byte> completed(png.begin(),
                                     png.begin() + static_cast<std::ptrdiff_t>(std::min(at, png.size())));
    completed.resize(at + 12); // the end of a last checksum, which is not read, and the new chunk
    std::memcpy(&completed[at + 4], "IEND", 4);
    return completed;
}

DecodeResult<PixelBytes> decode_with_stb(Bytes bytes, ImageSize size)
{
    int width = 0;
    int height = 0;
    int channels = 0;
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    // 16 bits per channel, twice, because stb_image grows buffers by doubling; likewise the file's own data.
    limit_blocks(min_block_limit_bytes + 2 * bytes.size() + 16 * pixel_count(size));
    const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
        stbi_load_from_memory(data, static_cast<int>(bytes.size()), &width, &height, &channels, 4),
        &stbi_image_free);
    if (pixels == nullptr) return std::unexpected(reason());
    if (static_cast<std::uint32_t>(width) != size.width || static_cast<std::uint32_t>(height) != size.height)
        return std::unexpected("the image declares two different sizes");
    return PixelBytes(pixels.get(), pixels.get() + std::size_t{4} * size.width * size.height);
}

} // namespace

DecodeResult<ImageSize> stb_size(Bytes bytes)
{
    if (bytes.size() > std::numeric_limits<int>::max())
        return std::unexpected("the image is larger than 2 GiB");
    int width = 0;
    int height = 0;
    int channels = 0;
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    limit_blocks(min_block_limit_bytes);
    if (stbi_info_from_memory(data, static_cast<int>(bytes.size()), &width, &height, &channels) == 0 ||
        width <= 0 || height <= 0)
        return std::unexpected(reason());
    return ImageSize{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
}

DecodeResult<PixelBytes> stb_pixels(Bytes bytes, ImageSize size)
{
    if (detect_kind(bytes, {}) != ImageFileKind::png) return decode_with_stb(bytes, size);
    const auto end = find_end(bytes);
    if (!end) return std::unexpected("a chunk exceeds the file");
    return end->is_there ? decode_with_stb(bytes, size) : decode_with_stb(with_end(bytes, end->at), size);
}

} // namespace vitrine::images
