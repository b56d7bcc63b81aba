#include <cstring>
#include <span>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tiff.h>

#include "tests/unit/images/samples.hpp"
#include "tests/unit/images/tiff_samples.hpp"

namespace vitrine::test {
namespace {

using Colors = std::vector<Color>;
using testing::HasSubstr;

std::string words(std::initializer_list<std::uint16_t> values)
{
    std::string out(2 * values.size(), '\0');
    std::memcpy(out.data(), values.begin(), out.size());
    return out;
}

Colors decoded(const TiffKind& kind, const std::string& pixels)
{
    const auto image = decode(tiff(kind, pixels));
    EXPECT_TRUE(image) << image.error().detail;
    return image ? colors_of(image) : Colors{};
}

std::string reason(const std::string& bytes)
{
    const auto image = decode(bytes);
    return image ? "decoded" : image.error().detail;
}

// 20 x 20 pixels; neighbors differ.
std::string ramp(std::size_t samples)
{
    std::string out;
    for (std::size_t i = 0; i < 400 * samples; ++i)
        out += static_cast<char>(i * 37 + i / 256);
    return out;
}

TEST(Tiff, SamplesOfEightAndSixteenBits)
{
    EXPECT_EQ(decoded({}, from_list({1, 2, 3, 200, 100, 50})), (Colors{{1, 2, 3, 255}, {200, 100, 50, 255}}));
    EXPECT_EQ(decoded({.bits = 16}, words({0, 0x8080, 0xFFFF, 0x0101, 0xFEFE, 0x4040})),
              (Colors{{0, 128, 255, 255}, {1, 254, 64, 255}}));
    const TiffKind gray{.samples = 1, .photometric = PHOTOMETRIC_MINISBLACK};
    EXPECT_EQ(decoded(gray, from_list({0, 128})), (Colors{{0, 0, 0, 255}, {128, 128, 128, 255}}));
    TiffKind deep = gray;
    deep.bits = 16;
    EXPECT_EQ(decoded(deep, words({0xFFFF, 0x8080})), (Colors{{255, 255, 255, 255}, {128, 128, 128, 255}}));
    const TiffKind inverted{.samples = 1, .photometric = PHOTOMETRIC_MINISWHITE};
    EXPECT_EQ(decoded(inverted, from_list({0, 255})), (Colors{{255, 255, 255, 255}, {0, 0, 0, 255}}));
}

TEST(Tiff, Palette)
{
    std::vector<std::uint16_t> map(3 * 256, 0);
    map[7] = 0xFFFF, map[256 + 7] = 0x8080, map[512 + 7] = 0x0101;
    EXPECT_EQ(
        decoded({.samples = 1, .photometric = PHOTOMETRIC_PALETTE, .color_map = map}, from_list({7, 0})),
        (Colors{{255, 128, 1, 255}, {0, 0, 0, 255}}));
}

TEST(Tiff, StraightAlphaDoesNotChangeColors)
{
    const TiffKind kind{.samples = 4, .extra = EXTRASAMPLE_UNASSALPHA};
    EXPECT_EQ(decoded(kind, from_list({200, 100, 50, 0, 200, 100, 50, 3})),
              (Colors{{200, 100, 50, 0}, {200, 100, 50, 3}}));
    TiffKind deep = kind;
    deep.bits = 16;
    EXPECT_EQ(decoded(deep, words({0xFFFF, 0x8080, 0, 0x0101, 0xFFFF, 0, 0, 0xFFFF})),
              (Colors{{255, 128, 0, 1}, {255, 0, 0, 255}}));
    const TiffKind gray{.samples = 2, .photometric = PHOTOMETRIC_MINISBLACK, .extra = EXTRASAMPLE_UNASSALPHA};
    EXPECT_EQ(decoded(gray, from_list({200, 10, 100, 255})),
              (Colors{{200, 200, 200, 10}, {100, 100, 100, 255}}));
}

// "Associated alpha": colors are multiplied by it. 100 * 255 / 128 = 199.2, 50 -> 99.6, 25 -> 49.8.
TEST(Tiff, ConvertsAssociatedAlpha)
{
    EXPECT_EQ(
        decoded({.samples = 4, .extra = EXTRASAMPLE_ASSOCALPHA}, from_list({100, 50, 25, 128, 0, 0, 0, 0})),
        (Colors{{199, 100, 50, 128}, {0, 0, 0, 0}}));
}

TEST(Tiff, UnspecifiedFourthSampleIsAlphaUnlessItIsZero)
{
    const TiffKind kind{.samples = 4, .extra = EXTRASAMPLE_UNSPECIFIED};
    EXPECT_EQ(decoded(kind, from_list({9, 8, 7, 0, 6, 5, 4, 0})), (Colors{{9, 8, 7, 255}, {6, 5, 4, 255}}));
    EXPECT_EQ(decoded(kind, from_list({9, 8, 7, 0, 6, 5, 4, 1})), (Colors{{9, 8, 7, 0}, {6, 5, 4, 1}}));
}

TEST(Tiff, CompressionsStripsTilesPlanesAndByteOrders)
{
    for (const std::uint16_t samples : {std::uint16_t{1}, std::uint16_t{3}, std::uint16_t{4}}) {
        const std::string pixels = ramp(samples);
        for (const int compression : {COMPRESSION_NONE, COMPRESSION_PACKBITS, COMPRESSION_LZW,
                                      COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE})
            for (const std::uint32_t tile : {0u, 16u})
                for (const bool planes : {false, true})
                    for (const char* mode : {"wl", "wb", "w8"}) {
                        TiffKind kind{.width = 20, .height = 20, .samples = samples};
                        if (samples == 1) kind.photometric = PHOTOMETRIC_MINISBLACK;
                        if (samples == 4) kind.extra = EXTRASAMPLE_UNASSALPHA;
                        kind.compression = static_cast<std::uint16_t>(compression);
                        kind.tile = tile, kind.planes = planes, kind.mode = mode;
                        SCOPED_TRACE(fmt::format("{} samples, compression {}, tile {}, planes {}, mode {}",
                                                 samples, compression, tile, planes, mode));
                        const Colors found = decoded(kind, pixels);
                        ASSERT_EQ(found.size(), 400u);
                        for (std::size_t i = 0; i < 400; ++i)
                            for (std::size_t s = 0; s < samples; ++s)
                                ASSERT_EQ(found[i][s], static_cast<std::uint8_t>(pixels[i * samples + s]))
                                    << i;
                    }
    }
}

TEST(Tiff, Jpeg)
{
    std::string red;
    for (int i = 0; i < 32 * 32; ++i)
        red += from_list({220, 40, 20});
    for (const auto photometric :
         {static_cast<std::uint16_t>(PHOTOMETRIC_RGB), static_cast<std::uint16_t>(PHOTOMETRIC_YCBCR)})
        for (const std::uint32_t tile : {0u, 16u}) {
            const Colors found = decoded({.width = 32,
                                          .height = 32,
                                          .photometric = photometric,
                                          .compression = COMPRESSION_JPEG,
                                          .tile = tile},
                                         red);
            ASSERT_EQ(found.size(), 1024u);
            for (const Color& color : found) {
                ASSERT_NEAR(color[0], 220, 4);
                ASSERT_NEAR(color[1], 40, 4);
                ASSERT_NEAR(color[2], 20, 4);
                ASSERT_EQ(color[3], 255);
            }
        }
}

// "Orientation" of the specification: the meaning of row 0 and column 0. Stored: AB, CD, EF.
TEST(Tiff, AllOrientations)
{
    const std::vector<std::string> shown{"ABCDEF", "BADCFE", "FEDCBA", "EFCDAB",
                                         "ACEBDF", "ECAFDB", "FDBECA", "BDFACE"};
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto image = decode(tiff({.width = 2,
                                        .height = 3,
                                        .samples = 1,
                                        .photometric = PHOTOMETRIC_MINISBLACK,
                                        .orientation = static_cast<std::uint16_t>(i + 1)},
                                       "ABCDEF"));
        ASSERT_TRUE(image);
        EXPECT_EQ(image->width, i < 4 ? 2u : 3u);
        std::string found;
        for (const Color& color : colors_of(image))
            found += static_cast<char>(color[0]);
        EXPECT_EQ(found, shown[i]) << i + 1;
    }
}

TEST(Tiff, ReportsUnsupportedFiles)
{
    EXPECT_THAT(reason(tiff({.width = 1, .bits = 32, .format = SAMPLEFORMAT_IEEEFP}, std::string(12, '\0'))),
                HasSubstr("samples of 32 bits are not supported"));
    EXPECT_THAT(reason(tiff({.compression = COMPRESSION_LZMA}, std::string(6, '\0'))),
                HasSubstr("its compression 34925 is not supported"));
    EXPECT_THAT(reason(std::string("II*\0", 4)), HasSubstr("TIFF image: the image data is invalid"));
    EXPECT_THAT(reason(std::string("II*\0\0\0\0\0", 8)), HasSubstr("TIFF image: the image data is invalid"));
    const std::string whole = tiff({.width = 20, .height = 20}, ramp(3));
    EXPECT_EQ(reason(whole), "decoded");
}

// A file of a few hundred bytes whose header declares an image of 2^60 pixels.
TEST(Tiff, ChecksLimitsFirst)
{
    const auto entry = [](std::uint32_t tag, std::uint32_t value) {
        return little_endian({tag | 4u << 16, 1, value}); // LONG
    };
    const std::uint32_t edge = 1u << 30;
    const std::string bytes = std::string("II*\0", 4) + little_endian({8}) + from_list({8, 0}) +
                              entry(256, edge) + entry(257, edge) + entry(258, 8) + entry(259, 1) +
                              entry(262, 1) + entry(273, 8) + entry(278, edge) + entry(279, 100) +
                              little_endian({0});
    const auto image = decode(bytes);
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().code, LoadErrc::limit_exceeded) << image.error().detail;
}

TEST(Tiff, CorruptFilesDoNotCrashOrPrint)
{
    testing::internal::CaptureStderr();
    for (const std::string& file : every_tiff()) {
        for (std::size_t size = 0; size < file.size(); size += size < 64 ? 1 : 1 + file.size() / 64)
            (void)decode(file.substr(0, size));
        for (std::size_t at = 0; at < file.size(); at += file.size() < 600 ? 1 : 1 + file.size() / 300)
            for (const char flip : {'\x01', '\x80', '\xFF'}) {
                std::string broken = file;
                broken[at] = static_cast<char>(broken[at] ^ flip);
                const auto bytes = std::as_bytes(std::span(broken.data(), broken.size()));
                const auto image = images::decode_image(bytes, "a.tif", {.image_pixels = 1'000'000});
                if (image) EXPECT_EQ(image->pixels.size(), std::size_t{4} * image->width * image->height);
            }
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

} // namespace
} // namespace vitrine::test
