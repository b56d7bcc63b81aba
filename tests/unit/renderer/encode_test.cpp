// Encoders, checked by decoding their output.

#include <cmath>
#include <thread>

#include <gtest/gtest.h>
#include <turbojpeg.h>
#include <webp/decode.h>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

#include "vk_renderer/encode/encode.hpp"

namespace vitrine::render {
namespace {

// A smooth image, for which lossy codecs are accurate.
Frame gradient(std::uint32_t width, std::uint32_t height, bool transparent)
{
    Frame frame{.width = width, .height = height, .pixels = {}, .bounds = {}, .render_us = 0};
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x) {
            const auto r = static_cast<std::uint8_t>(x * 255 / width);
            const auto g = static_cast<std::uint8_t>(y * 255 / height);
            const auto a = static_cast<std::uint8_t>(transparent && x < width / 2 ? 0 : 255);
            frame.pixels.insert(frame.pixels.end(), {r, g, 90, a});
        }
    return frame;
}

const unsigned char* data_of(const std::vector<std::byte>& bytes)
{
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

double mean_difference(const Frame& frame, const unsigned char* rgba)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < frame.pixels.size(); ++i)
        sum += std::abs(frame.pixels[i] - rgba[i]);
    return sum / static_cast<double>(frame.pixels.size());
}

TEST(Png, IsLosslessAndOmitsOpaqueAlpha)
{
    for (const bool transparent : {false, true}) {
        const auto frame = gradient(37, 23, transparent);
        const auto png = encode(frame, ImageFormat::png);
        int width = 0, height = 0, components = 0;
        auto* pixels = stbi_load_from_memory(data_of(png), static_cast<int>(png.size()), &width, &height,
                                             &components, 4);
        ASSERT_NE(pixels, nullptr);
        EXPECT_EQ(width, 37);
        EXPECT_EQ(height, 23);
        EXPECT_EQ(components, transparent ? 4 : 3);
        EXPECT_EQ(mean_difference(frame, pixels), 0.0);
        stbi_image_free(pixels);
    }
}

TEST(Jpeg, IsAccurateAndSelectsChromaSubsampling)
{
    const auto frame = gradient(64, 48, false);
    for (const auto& [quality, chroma] : {std::pair(85, TJSAMP_420), std::pair(95, TJSAMP_444)}) {
        const auto jpeg = encode(frame, ImageFormat::jpeg, {.quality = quality});
        auto* handle = tjInitDecompress();
        int width = 0, height = 0, subsampling = 0, space = 0;
        ASSERT_EQ(
            tjDecompressHeader3(handle, data_of(jpeg), jpeg.size(), &width, &height, &subsampling, &space),
            0);
        EXPECT_EQ(width, 64);
        EXPECT_EQ(subsampling, chroma);
        std::vector<unsigned char> pixels(64 * 48 * 4);
        ASSERT_EQ(tjDecompress2(handle, data_of(jpeg), jpeg.size(), pixels.data(), 64, 0, 48, TJPF_RGBA, 0),
                  0);
        EXPECT_LT(mean_difference(frame, pixels.data()), 3.0);
        tjDestroy(handle);
    }
}

TEST(Jpeg, CompositesOverWhite)
{
    Frame clear{.width = 16,
                .height = 16,
                .pixels = std::vector<std::uint8_t>(16 * 16 * 4, 0),
                .bounds = {},
                .render_us = 0};
    const auto jpeg = encode(clear, ImageFormat::jpeg);
    int width = 0, height = 0, components = 0;
    auto* pixels =
        stbi_load_from_memory(data_of(jpeg), static_cast<int>(jpeg.size()), &width, &height, &components, 3);
    ASSERT_NE(pixels, nullptr);
    EXPECT_GT(pixels[0], 250);
    stbi_image_free(pixels);
}

TEST(Jpeg, ClearsThePreviousImage)
{
    // Each thread keeps its compressor: encodes large and small images in both orders, and one whose buffer
    // is too large to keep.
    auto noise = gradient(2500, 2000, false);
    std::uint32_t state = 1;
    for (auto& value : noise.pixels)
        value = static_cast<std::uint8_t>((state = state * 1664525u + 1013904223u) >> 24);
    for (std::size_t i = 3; i < noise.pixels.size(); i += 4)
        noise.pixels[i] = 255;
    std::vector<Frame> frames{gradient(16, 16, false), gradient(700, 500, false), gradient(9, 33, true),
                              noise, gradient(64, 48, false)};
    std::vector<std::vector<std::byte>> first;
    for (const auto& frame : frames)
        first.push_back(encode(frame, ImageFormat::jpeg, {.quality = 95}));
    EXPECT_GT(first[3].size(), std::size_t{4} << 20);
    for (auto i = frames.size(); i-- > 0;)
        EXPECT_EQ(encode(frames[i], ImageFormat::jpeg, {.quality = 95}), first[i]) << i;
    std::vector<std::byte> elsewhere;
    std::thread([&] { elsewhere = encode(frames[1], ImageFormat::jpeg, {.quality = 95}); }).join();
    EXPECT_EQ(elsewhere, first[1]);
}

TEST(WebP, IsAccurateAndKeepsAlpha)
{
    const auto frame = gradient(64, 48, true);
    const auto webp = encode(frame, ImageFormat::webp, {.quality = 90});
    int width = 0, height = 0;
    auto* pixels = WebPDecodeRGBA(data_of(webp), webp.size(), &width, &height);
    ASSERT_NE(pixels, nullptr);
    EXPECT_EQ(width, 64);
    EXPECT_EQ(height, 48);
    EXPECT_EQ(pixels[3], 0);
    EXPECT_EQ(pixels[63 * 4 + 3], 255);
    WebPFree(pixels);
}

TEST(Encode, RejectsInvalidFrames)
{
    EXPECT_THROW(encode(Frame{}, ImageFormat::png), std::runtime_error);
    auto broken = gradient(8, 8, false);
    broken.pixels.pop_back();
    EXPECT_THROW(encode(broken, ImageFormat::jpeg), std::runtime_error);
}

} // namespace
} // namespace vitrine::render
