#include "tests/unit/images/reduction_samples.hpp"

#include <random>

#include <webp/encode.h>

#include "tests/unit/images/samples.hpp"

namespace vitrine::test {

LoadResult<scene::Image> reduced(const std::string& bytes, std::uint64_t max_pixels, std::string_view name,
                                 const Limits& limits)
{
    return images::decode_reduced(std::as_bytes(std::span(bytes)), name, limits, max_pixels);
}

std::string noise(std::size_t count)
{
    std::mt19937 random(5);
    std::string bytes(count, '\0');
    for (char& byte : bytes)
        byte = static_cast<char>(random());
    return bytes;
}

std::string webp_of(std::uint32_t width, std::uint32_t height, bool lossless)
{
    std::string rgb;
    for (std::uint32_t i = 0; i < width * height; ++i)
        rgb += from_list({i % width, i / width, 100});
    std::uint8_t* data = nullptr;
    const auto* from = reinterpret_cast<const std::uint8_t*>(rgb.data());
    const int w = static_cast<int>(width), h = static_cast<int>(height);
    const std::size_t size = lossless ? WebPEncodeLosslessRGB(from, w, h, 3 * w, &data)
                                      : WebPEncodeRGB(from, w, h, 3 * w, 95.0f, &data);
    std::string out(reinterpret_cast<const char*>(data), size);
    WebPFree(data);
    return out;
}

std::string large_tga(unsigned width, unsigned height)
{
    return tga({.width = width, .height = height, .bits = 32}, noise(std::size_t{4} * width * height));
}

std::string dds_with_mipmaps(unsigned side, unsigned levels, unsigned declared)
{
    std::string data;
    for (unsigned level = 0; level < levels; ++level)
        data.append(std::size_t{4} * (side >> level) * (side >> level), static_cast<char>(10 * (level + 1)));
    std::string file = dds(side, side, {0x41, 0, 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000}, data);
    file[28] = static_cast<char>(declared);
    return file;
}

} // namespace vitrine::test
