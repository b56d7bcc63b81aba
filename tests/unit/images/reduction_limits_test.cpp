// Limits of images that are reduced while they are decoded: size, memory, and files that are damaged.

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/largest_allocation.hpp"
#include "tests/unit/images/jpeg_samples.hpp"
#include "tests/unit/images/png_samples.hpp"
#include "tests/unit/images/reduction_samples.hpp"
#include "tests/unit/images/samples.hpp"
#include "tests/unit/images/tiff_samples.hpp"

namespace vitrine::test {
namespace {

using testing::HasSubstr;

// One large file for each decoder that reduces while it decodes.
std::vector<std::string> every_large_file()
{
    const PngKind rgb{160, 131};
    PngKind interlaced = rgb;
    interlaced.interlaced = true;
    const std::string rows = noise(rgb.height * row_bytes(rgb));
    return {
        write_png(rgb, rows),
        write_png(interlaced, rows),
        jpeg({.side = 160}),
        jpeg({.progressive = true, .side = 160}),
        webp_of(160, 131, false),
        webp_of(160, 131, true),
        tiff({.width = 160, .height = 131, .compression = 5}, noise(std::size_t{3} * 160 * 131)),
        tiff({.width = 160, .height = 131, .compression = 8, .tile = 32}, noise(std::size_t{3} * 160 * 131)),
        dds_with_mipmaps(128, 2, 2)};
}

TEST(ReducedImage, HasALimitedFileSize)
{
    const Limits limits{.image_pixels = 5'000};
    const auto error_of = [&](const std::string& file) {
        const auto image = reduced(file, no_cap, "a", limits);
        return image ? "decoded" : image.error().detail;
    };
    const auto png_of = [](std::uint32_t width, std::uint32_t height) {
        const PngKind kind{width, height, 1, 0};
        return write_png(kind, std::string(kind.height * row_bytes(kind), '\0'));
    };
    EXPECT_EQ(error_of(png_of(400, 200)), "decoded");
    EXPECT_EQ(error_of(png_of(401, 200)),
              "401 x 200 pixels: more than 16 times the limit image_pixels = 5000");
    EXPECT_EQ(error_of(large_tga(200, 100)), "decoded");
    EXPECT_EQ(error_of(large_tga(201, 100)),
              "201 x 100 pixels: more than 4 times the limit image_pixels = 5000");
    std::string claim = jpeg({});
    const std::size_t frame = claim.find("\xFF\xC0");
    claim.replace(frame + 5, 4, "\xFF\xDC\xFF\xDC");
    EXPECT_THAT(reduced(claim, no_cap).error().detail,
                HasSubstr("65500 x 65500 pixels: more than 16 times the limit image_pixels = 67108864"));
}

// A progressive file is held as a whole by the library.
TEST(ReducedImage, HasLimitedMemoryForJpegScans)
{
    std::string claim = jpeg({.progressive = true, .chroma = 1});
    const std::size_t frame = claim.find("\xFF\xC2");
    claim.replace(frame + 5, 4, from_list({0x4E, 0x20, 0x4E, 0x20})); // 20000 x 20000
    EXPECT_EQ(reduced(claim, no_cap).error().detail,
              "JPEG image: the image data is invalid (its scans need more than 2 GiB of memory)");
}

// 64 MB of pixels in a file of a few kilobytes.
TEST(ReducedImage, KeepsOnlyRowsInMemory)
{
    const Limits limits{.image_pixels = 1'048'576};
    for (const bool interlaced : {false, true}) {
        const PngKind kind{4'096, 4'096, 8, 0, interlaced};
        const std::string file = write_png(kind, std::string(kind.height * row_bytes(kind), '\0'));
        ASSERT_LT(file.size(), 100'000u);
        expect_no_allocation_above("a PNG of 4096 x 4096", 5'000'000, [&] {
            const auto image = reduced(file, no_cap, "a", limits);
            ASSERT_TRUE(image);
            EXPECT_EQ(image->width, 1'024u);
        });
    }
    const std::string file = jpeg({.side = 4'096});
    expect_no_allocation_above("a JPEG of 4096 x 4096", 5'000'000, [&] {
        const auto image = reduced(file, no_cap, "a", limits);
        ASSERT_TRUE(image);
        EXPECT_EQ(image->width, 1'024u);
    });
}

TEST(ReducedImage, IsRejectedIfTheFileIsTruncated)
{
    for (const std::string& file : every_large_file()) {
        ASSERT_TRUE(reduced(file, 5'000)) << reduced(file, 5'000).error().detail;
        for (std::size_t cut = 0; cut < 40; ++cut) {
            const std::string part = file.substr(0, file.size() * cut / 50);
            const auto image = reduced(part, 5'000);
            const bool is_dds_level = part.starts_with("DDS ") && cut >= 39;     // level 0 is complete
            const bool is_passes = file[28] == 1 && file.starts_with("\x89PNG"); // the last ones are not read
            if (!is_dds_level && !is_passes) EXPECT_FALSE(image) << file.substr(0, 4) << " cut at " << cut;
        }
    }
}

TEST(ReducedImage, NeverCrashesOnFlippedBytes)
{
    std::mt19937 random(11);
    const Limits limits{.image_pixels = 200'000};
    for (const std::string& file : every_large_file()) {
        for (int i = 0; i < 300; ++i) {
            std::string flipped = file;
            const std::size_t range = i % 2 == 0 ? std::min<std::size_t>(file.size(), 200) : file.size();
            char& byte = flipped[random() % range];
            byte = static_cast<char>(byte ^ 1 << random() % 8);
            const auto image = reduced(flipped, 5'000, "a", limits);
            if (image) {
                EXPECT_LE(std::uint64_t{image->width} * image->height, 5'000u);
                EXPECT_EQ(image->pixels.size(), std::size_t{4} * image->width * image->height);
            }
        }
    }
}

} // namespace
} // namespace vitrine::test
