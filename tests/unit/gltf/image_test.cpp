#include "loaders/images/image.hpp"

#include <gtest/gtest.h>

#include "tests/unit/gltf/pictures.hpp"

namespace vitrine::images {
namespace {

Bytes bytes_of(const std::string& text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

LoadResult<scene::Image> decode(const std::string& text, std::string_view name = "a.png")
{
    return decode_image(bytes_of(text), name, Limits());
}

TEST(Image, EveryFormat)
{
    for (const std::string& file : {test::two_pixels_png(), test::two_pixels_webp()}) {
        const auto image = decode(file, "wrong.xyz");
        ASSERT_TRUE(image) << image.error().detail;
        EXPECT_EQ(image->width, 2u);
        EXPECT_EQ(image->height, 1u);
        EXPECT_EQ(image->name, "wrong.xyz");
        EXPECT_EQ(image->pixels, test::two_pixels());
    }
    EXPECT_EQ(decode(test::two_pixels_tga(), "a.TGA")->pixels, test::two_pixels());
    EXPECT_EQ(decode(test::two_pixels_bmp())->pixels,
              (std::vector<std::uint8_t>{255, 0, 0, 255, 0, 128, 255, 255}));
    EXPECT_EQ(decode(test::two_pixels_psd())->pixels,
              (std::vector<std::uint8_t>{255, 0, 0, 255, 0, 128, 255, 255}));
    const auto jpeg = decode(test::red_jpeg());
    ASSERT_TRUE(jpeg);
    EXPECT_EQ(jpeg->width, 8u);
    EXPECT_GT(jpeg->pixels[0], 240);
    EXPECT_LT(jpeg->pixels[1], 15);
}

TEST(Image, SixteenBitGrayBecomesRgba)
{
    EXPECT_EQ(decode(test::gray16_png())->pixels,
              (std::vector<std::uint8_t>{255, 255, 255, 255, 128, 128, 128, 255}));
}

TEST(Image, UnknownAndUndecodedKindsAreNamed)
{
    EXPECT_EQ(decode("hello", "a.png").error().code, LoadErrc::unknown_format);
    EXPECT_EQ(decode("", "a.png").error().code, LoadErrc::unknown_format);
    const auto ktx2 = decode("\xABKTX 20\xBB\r\n\x1A\n and more");
    EXPECT_EQ(ktx2.error().code, LoadErrc::unsupported);
    EXPECT_EQ(ktx2.error().detail, "it is a KTX2 image, a format that is not supported");
}

TEST(Image, PixelsAreComparedWithTheLimitFirst)
{
    Limits limits;
    limits.image_pixels = 1;
    const std::string png = test::two_pixels_png();
    const auto rejected = decode_image(bytes_of(png), "big.png", limits);
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code, LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected.error().where, "big.png");
    std::string huge = png;
    huge.replace(16, 8, std::string("\x7F\xFF\xFF\xFF\x7F\xFF\xFF\xFF", 8));
    EXPECT_FALSE(decode(huge));
}

TEST(Image, PngsChunkMayNotStateMoreThanThereIs)
{
    std::string png = test::two_pixels_png();
    png[png.find("IDAT") - 4] = 0x40; // a gigabyte
    const auto image = decode_image(bytes_of(png), "a.png", {});
    ASSERT_FALSE(image);
    EXPECT_TRUE(image.error().detail.contains("exceeds the file")) << image.error().detail;
}

TEST(Image, AnimatedWebpShowsItsFirstFrame)
{
    const auto image = decode(test::animated_webp());
    ASSERT_TRUE(image) << image.error().detail;
    EXPECT_EQ(image->width, 4u);
    std::vector<std::uint8_t> pixels(8, 0);
    for (const std::uint8_t part : test::two_pixels())
        pixels.push_back(part);
    EXPECT_EQ(image->pixels, pixels);
    std::string outside = test::animated_webp();
    outside[outside.find("ANMF") + 8] = 2;
    EXPECT_TRUE(decode(outside).error().detail.contains("first frame")) << decode(outside).error().detail;
}

TEST(Image, CutAndFlippedBytesNeverCrash)
{
    for (const std::string& file :
         {test::two_pixels_png(), test::two_pixels_webp(), test::animated_webp(), test::two_pixels_bmp(),
          test::two_pixels_psd(), test::two_pixels_tga(), test::red_jpeg()}) {
        for (std::size_t size = 0; size < file.size(); ++size)
            (void)decode(file.substr(0, size), "a.tga");
        for (std::size_t at = 0; at < file.size(); ++at)
            for (const char flip : {'\x01', '\x80', '\xFF'}) {
                std::string broken = file;
                broken[at] = static_cast<char>(broken[at] ^ flip);
                Limits limits;
                limits.image_pixels = 1'000'000;
                (void)decode_image(bytes_of(broken), "a.tga", limits);
            }
    }
}

} // namespace
} // namespace vitrine::images
