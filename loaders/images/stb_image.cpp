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

// What a palette or a decoder's own state may take.
constexpr std::size_t smallest_limit = std::size_t{1} << 20;
thread_local std::size_t largest_block = smallest_limit;
thread_local bool has_refused = false;

// Before each call of stb_image.
void limit_blocks(std::size_t largest)
{
    largest_block = largest;
    has_refused = false;
}

bool allows(std::size_t size)
{
    has_refused = has_refused || size > largest_block;
    return size <= largest_block;
}

// stb_image's memory, for two things that it does not do itself. All of it starts as zeros: what a file that
// ends early leaves unwritten would show what was there before. And a block has a limit: a PNG of one pixel
// may unpack to gigabytes.
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

// stb_image puts bytes of the file into some of its reasons.
std::string reason()
{
    if (has_refused) return "it unpacks to far more than its pixels";
    const char* text = stbi_failure_reason();
    std::string known = text == nullptr ? "no reason given" : text;
    if (known.empty()) known = "a chunk has no name"; // which would have been the beginning of the reason
    std::ranges::replace_if(known, [](unsigned char c) { return c < 0x20 || c > 0x7e; }, '?');
    return "the image data is broken (" + known + ")";
}

// Where the IEND of a PNG begins, or would where it has none; empty where a chunk ends beyond the file.
// stb_image makes room for the length that an IDAT states, up to 2 GiB, before it looks for the bytes.
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

// All pixels may be there.
std::vector<std::byte> with_end(Bytes png, std::size_t at)
{
    std::vector<std::byte> whole(png.begin(),
                                 png.begin() + static_cast<std::ptrdiff_t>(std::min(at, png.size())));
    whole.resize(at + 12); // the end of a last checksum, which nothing reads, and of the new chunk
    std::memcpy(&whole[at + 4], "IEND", 4);
    return whole;
}

Decoded<Pixels> load(Bytes bytes, Size size)
{
    int width = 0;
    int height = 0;
    int channels = 0;
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    // 16 bits a channel, twice, for stb_image grows by doubling; the file's own data likewise.
    limit_blocks(smallest_limit + 2 * bytes.size() + 16 * pixel_count(size));
    const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
        stbi_load_from_memory(data, static_cast<int>(bytes.size()), &width, &height, &channels, 4),
        &stbi_image_free);
    if (pixels == nullptr) return std::unexpected(reason());
    if (static_cast<std::uint32_t>(width) != size.width || static_cast<std::uint32_t>(height) != size.height)
        return std::unexpected("the image states two different sizes");
    return Pixels(pixels.get(), pixels.get() + std::size_t{4} * size.width * size.height);
}

} // namespace

Decoded<Size> stb_size(Bytes bytes)
{
    if (bytes.size() > std::numeric_limits<int>::max())
        return std::unexpected("the image is larger than 2 GiB");
    int width = 0;
    int height = 0;
    int channels = 0;
    const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
    limit_blocks(smallest_limit);
    if (stbi_info_from_memory(data, static_cast<int>(bytes.size()), &width, &height, &channels) == 0 ||
        width <= 0 || height <= 0)
        return std::unexpected(reason());
    return Size{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
}

Decoded<Pixels> stb_pixels(Bytes bytes, Size size)
{
    if (detect_kind(bytes, {}) != Kind::png) return load(bytes, size);
    const auto end = find_end(bytes);
    if (!end) return std::unexpected("a chunk ends beyond the file");
    return end->is_there ? load(bytes, size) : load(with_end(bytes, end->at), size);
}

} // namespace vitrine::images
