// Images that are reduced while they are decoded, against the average of the whole image.

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/images/jpeg_samples.hpp"
#include "tests/unit/images/png_samples.hpp"
#include "tests/unit/images/reduction_samples.hpp"
#include "tests/unit/images/samples.hpp"
#include "tests/unit/images/tiff_samples.hpp"

namespace vitrine::test {
namespace {

// The mean of each box of factor x factor pixels, in double precision.
std::vector<Color> box_means(const scene::Image& image, std::uint32_t factor)
{
    const std::uint32_t width = (image.width + factor - 1) / factor;
    const std::uint32_t height = (image.height + factor - 1) / factor;
    std::vector<Color> means;
    for (std::uint32_t i = 0; i < width * height; ++i) {
        const std::uint32_t left = i % width * factor, top = i / width * factor;
        std::array<double, 4> sum{};
        double count = 0;
        for (std::uint32_t y = top; y < std::min(top + factor, image.height); ++y)
            for (std::uint32_t x = left; x < std::min(left + factor, image.width); ++x, ++count)
                for (std::size_t c = 0; c < 4; ++c)
                    sum[c] += image.pixels[4 * (std::size_t{y} * image.width + x) + c];
        Color& mean = means.emplace_back();
        for (std::size_t c = 0; c < 4; ++c)
            mean[c] = static_cast<std::uint8_t>(std::floor(sum[c] / count + 0.5));
    }
    return means;
}

int largest_difference(const std::vector<Color>& a, const std::vector<Color>& b)
{
    if (a.size() != b.size()) return 256;
    int largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t c = 0; c < 4; ++c)
            largest = std::max(largest, std::abs(a[i][c] - b[i][c]));
    return largest;
}

// Expects the means of the whole image's pixels, with the factor that 5000 pixels require.
void expect_means(const std::string& bytes, int tolerance = 0, std::string_view name = "picture")
{
    const auto whole = images::decode_image(std::as_bytes(std::span(bytes)), name, {});
    ASSERT_TRUE(whole) << whole.error().detail;
    std::uint32_t factor = 1;
    while (((whole->width + factor - 1) / factor) * ((whole->height + factor - 1) / factor) > 5'000)
        factor *= 2;
    ASSERT_GT(factor, 1u);
    const auto small = reduced(bytes, 5'000, name);
    ASSERT_TRUE(small) << small.error().detail;
    EXPECT_EQ(small->width, (whole->width + factor - 1) / factor);
    EXPECT_EQ(small->height, (whole->height + factor - 1) / factor);
    EXPECT_LE(largest_difference(colors_of(small), box_means(*whole, factor)), tolerance);
}

TEST(ReducedImage, IsTheWholeImageWithinTheLimits)
{
    const std::string file = large_tga(64, 64);
    EXPECT_EQ(colors_of(reduced(file, 4'096)), colors_of(decode(file)));
    EXPECT_EQ(reduced(file, no_cap)->width, 64u);
}

TEST(ReducedImage, HasTheMeansOfEveryPngKind)
{
    for (const PngKind& kind : every_png_kind(150, 131)) {
        SCOPED_TRACE("type " + std::to_string(kind.color_type) + " bits " + std::to_string(kind.bits));
        expect_means(write_png(kind, noise(kind.height * row_bytes(kind))));
    }
}

// In a file of random pixels each sample is distinguishable from its neighbors.
TEST(ReducedImage, SamplesInterlacedPngs)
{
    const PngKind kind{.width = 331, .height = 150, .interlaced = true};
    const std::string file = write_png(kind, noise(kind.height * row_bytes(kind)));
    const auto whole = decode(file);
    ASSERT_TRUE(whole);
    for (const std::uint32_t factor : {2u, 4u}) {
        const auto small = reduced(file, factor == 2 ? 13'000 : 4'096);
        ASSERT_TRUE(small) << small.error().detail;
        ASSERT_EQ(small->width, (331 + factor - 1) / factor);
        std::vector<Color> expected;
        const auto all = colors_of(whole);
        for (std::size_t y = 0; y < 150; y += factor)
            for (std::size_t x = 0; x < 331; x += factor)
                expected.push_back(all[y * 331 + x]);
        EXPECT_EQ(colors_of(small), expected) << factor;
    }
    const PngKind large{.width = 1'031, .height = 1'025, .bits = 1, .color_type = 0, .interlaced = true};
    const auto tiny = reduced(write_png(large, std::string(large.height * row_bytes(large), '\xFF')), 5'000);
    ASSERT_TRUE(tiny);
    EXPECT_EQ(tiny->width, 65u) << "reduced by 16, of which 8 are the first pass";
    EXPECT_EQ(colors_of(tiny), std::vector<Color>(std::size_t{65} * 65, Color{255, 255, 255, 255}));
}

// The library averages in the frequency domain, which differs at the edge between the halves.
TEST(ReducedImage, HasTheColorsOfEveryJpegKind)
{
    for (JpegKind kind : every_jpeg_kind()) {
        for (const unsigned side : {160u, 320u, 640u, 1'280u}) { // reduced by 4, 8, 16 and 32
            kind.side = side;
            const std::string file = jpeg(kind);
            const auto small = reduced(file, 4'096);
            ASSERT_TRUE(small) << small.error().detail;
            ASSERT_EQ(small->width, 40u);
            const auto colors = colors_of(small);
            const auto whole = colors_of(images::decode_image(std::as_bytes(std::span(file)), "a.jpg", {}));
            for (const std::size_t at : {0u, 10u, 30u, 39u}) {
                const Color& expected = whole[std::size_t{side} * side / 2 + at * side / 40];
                EXPECT_LE(largest_difference({colors[std::size_t{20} * 40 + at]}, {expected}), 3)
                    << side << " at " << at;
            }
        }
    }
}

TEST(ReducedImage, HasTheMeansOfWebpImages)
{
    for (const bool lossless : {false, true})
        expect_means(webp_of(160, 131, lossless), 4);
}

TEST(ReducedImage, HasTheMeansOfTiffImages)
{
    const std::string pixels = noise(std::size_t{150} * 131 * 4 * 2);
    for (const std::uint32_t tile : {0u, 32u})
        for (const std::uint16_t compression : {std::uint16_t{1}, std::uint16_t{5}, std::uint16_t{8}})
            expect_means(
                tiff({.width = 150, .height = 131, .compression = compression, .tile = tile}, pixels));
    expect_means(tiff({.width = 150, .height = 131, .samples = 4, .extra = 2, .planes = true}, pixels));
    expect_means(tiff({.width = 150, .height = 131, .samples = 4, .extra = 1}, pixels));
    expect_means(tiff({.width = 150, .height = 131, .bits = 16}, pixels), 1);
    expect_means(tiff({.width = 150, .height = 128, .orientation = 6}, pixels));
    expect_means(tiff({.width = 150, .height = 128, .orientation = 3}, pixels));
}

TEST(ReducedImage, HasTheMeansOfFormatsThatAreDecodedAsAWhole)
{
    expect_means(large_tga(150, 131));
    expect_means(bmp(160, 131, 24, 0, noise(std::size_t{3} * 160 * 131)));
    expect_means(dds_with_mipmaps(128, 1, 1));
}

TEST(ReducedImage, IsAMipmapOfADds)
{
    const auto color_of = [](const std::string& file) {
        const auto image = reduced(file, 5'000);
        EXPECT_TRUE(image);
        return image ? colors_of(image).front() : Color{};
    };
    EXPECT_EQ(color_of(dds_with_mipmaps(128, 3, 3)), (Color{20, 20, 20, 20}));
    EXPECT_EQ(color_of(dds_with_mipmaps(128, 1, 3)), (Color{10, 10, 10, 10})) << "without the mipmaps";
    EXPECT_EQ(color_of(dds_with_mipmaps(256, 3, 3)), (Color{30, 30, 30, 30}));
}

TEST(ReducedImage, IsNotSmallerThanTheLeastSize)
{
    const auto error = [](const LoadResult<scene::Image>& image) { return image.error().detail; };
    const std::string file = large_tga(70, 70);
    EXPECT_EQ(reduced(file, 4'096)->width, 35u);
    EXPECT_EQ(error(reduced(file, 4'095)), "70 x 70 pixels: more than the limit image_pixels = 67108864");
    EXPECT_EQ(error(reduced(file, no_cap, "a.tga", {.image_pixels = 4'095})),
              "70 x 70 pixels: more than the limit image_pixels = 4095");
}

} // namespace
} // namespace vitrine::test
