// Encoders, checked by decoding their output.

#include <algorithm>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>
#include <turbojpeg.h>
#include <webp/decode.h>
#include <webp/encode.h>

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
            frame.pixels.own().insert(frame.pixels.own().end(), {r, g, 90, a});
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
    for (auto& value : noise.pixels.own())
        value = static_cast<std::uint8_t>((state = state * 1664525u + 1013904223u) >> 24);
    for (std::size_t i = 3; i < noise.pixels.size(); i += 4)
        noise.pixels.own()[i] = 255;
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

// Like a rendered model: a backdrop that fades to the corners, a lit sphere with a fine pattern and a hard
// rim.
Frame patterned_sphere(std::uint32_t side)
{
    Frame frame{.width = side, .height = side, .pixels = {}, .bounds = {}, .render_us = 0};
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x) {
            const double u = 2.0 * x / side - 1.0, v = 2.0 * y / side - 1.0, r2 = (u * u + v * v) / 0.36;
            double r = 190.0 - 50.0 * (u * u + v * v), g = r, b = r;
            if (r2 < 1.0) {
                const double z = std::sqrt(1.0 - r2), lit = 40.0 + 190.0 * std::max(0.0, 0.6 * z - 0.8 * v);
                const double pattern = 0.75 + 0.25 * std::sin(40.0 * u) * std::sin(55.0 * v + 9.0 * u);
                r = lit * pattern, g = lit * (0.5 + 0.4 * pattern), b = lit * 0.6;
            }
            const auto byte = [](double c) { return static_cast<std::uint8_t>(std::clamp(c, 0.0, 255.0)); };
            frame.pixels.own().insert(frame.pixels.own().end(), {byte(r), byte(g), byte(b), 255});
        }
    return frame;
}

std::vector<std::byte> webp_with_segments(const Frame& frame, int quality)
{
    WebPConfig config;
    WebPPicture picture;
    EXPECT_TRUE(WebPConfigInit(&config) != 0 && WebPPictureInit(&picture) != 0);
    config.quality = static_cast<float>(quality);
    config.method = 2;
    config.segments = 4;
    picture.width = static_cast<int>(frame.width);
    picture.height = static_cast<int>(frame.height);
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    EXPECT_NE(WebPPictureImportRGBA(&picture, frame.pixels.data(), picture.width * 4), 0);
    EXPECT_NE(WebPEncode(&config, &picture), 0);
    const auto* first = reinterpret_cast<const std::byte*>(writer.mem);
    std::vector<std::byte> bytes(first, first + writer.size);
    WebPMemoryWriterClear(&writer);
    WebPPictureFree(&picture);
    return bytes;
}

double psnr(const Frame& frame, const std::vector<std::byte>& webp)
{
    int width = 0, height = 0;
    auto* pixels = WebPDecodeRGBA(data_of(webp), webp.size(), &width, &height);
    double squares = 0.0;
    for (std::size_t i = 0; i < frame.pixels.size(); ++i)
        squares += (frame.pixels[i] - pixels[i]) * (frame.pixels[i] - pixels[i]);
    WebPFree(pixels);
    return 10.0 * std::log10(255.0 * 255.0 * static_cast<double>(frame.pixels.size()) / squares);
}

// Stills do without segments, at a quality that compensates for it.
TEST(WebP, IsAsAccurateAndSmallAsWithSegments)
{
    const auto frame = patterned_sphere(256);
    for (const int quality : {10, 30, 50, 70, 85, 95, 100}) {
        const auto stored = encode(frame, ImageFormat::webp, {.quality = quality});
        const auto segmented = webp_with_segments(frame, quality);
        EXPECT_LT(static_cast<double>(stored.size()), 1.15 * static_cast<double>(segmented.size()))
            << quality;
        EXPECT_GT(psnr(frame, stored), psnr(frame, segmented) - 0.4) << quality;
    }
}

TEST(Encode, RejectsInvalidFrames)
{
    EXPECT_THROW(encode(Frame{}, ImageFormat::png), std::runtime_error);
    auto broken = gradient(8, 8, false);
    broken.pixels.own().pop_back();
    EXPECT_THROW(encode(broken, ImageFormat::jpeg), std::runtime_error);
}

} // namespace
} // namespace vitrine::render
