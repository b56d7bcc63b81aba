#include <gtest/gtest.h>

#include "tests/unit/images/samples.hpp"

namespace vitrine::test {
namespace {

using Colors = std::vector<Color>;

TEST(Pcx, ReadsEightBitsWithThePaletteAtTheEnd)
{
    const auto image = decode(pcx({.width = 3, .height = 2, .line_bytes = 4},
                                  from_list({0xC2, 1, 0, 9, 0xC1, 0xFF, 1, 0xC2, 0})) // padding at 3 and 7
                              + vga_palette({{10, 20, 30}, {40, 50, 60}}));
    ASSERT_TRUE(image) << image.error().detail;
    EXPECT_EQ(image->width, 3u);
    EXPECT_EQ(image->height, 2u);
    const Color first{10, 20, 30, 255}, second{40, 50, 60, 255}, last{0, 0, 0, 255};
    EXPECT_EQ(colors_of(image), (Colors{second, second, first, last, second, first}));
}

TEST(Pcx, WithoutPaletteIsGray)
{
    EXPECT_EQ(colors_of(decode(pcx({}, from_list({7, 0xC1, 200})))),
              (Colors{{7, 7, 7, 255}, {200, 200, 200, 255}}));
}

TEST(Pcx, FourPlanesOfOneBitUseEgaColors)
{
    std::string palette(48, '\0');
    palette.replace(3 * 9, 3, from_list({1, 2, 3}));
    palette.replace(3 * 6, 3, from_list({4, 5, 6}));
    const PcxHeader header{.bits = 1, .planes = 4, .line_bytes = 1, .palette = palette};
    const auto planes = from_list({0x80, 0x40, 0x40, 0x80}); // pixel 0: planes 0 and 3; pixel 1: 1 and 2
    EXPECT_EQ(colors_of(decode(pcx(header, planes))), (Colors{{1, 2, 3, 255}, {4, 5, 6, 255}}));
    PcxHeader old = header;
    old.version = 3;
    EXPECT_EQ(colors_of(decode(pcx(old, planes))), (Colors{{85, 85, 255, 255}, {170, 85, 0, 255}}))
        << "version 3 has no palette";
}

TEST(Pcx, ReadsPackedBits)
{
    const auto palette = from_list({1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4});
    const PcxHeader two{.bits = 2, .width = 4, .line_bytes = 1, .palette = palette};
    EXPECT_EQ(colors_of(decode(pcx(two, from_list({0x1B})))),
              (Colors{{1, 1, 1, 255}, {2, 2, 2, 255}, {3, 3, 3, 255}, {4, 4, 4, 255}}));
    const PcxHeader four{.bits = 4, .line_bytes = 1, .palette = palette};
    EXPECT_EQ(colors_of(decode(pcx(four, from_list({0x31})))), (Colors{{4, 4, 4, 255}, {2, 2, 2, 255}}));
    const PcxHeader one{.bits = 1, .line_bytes = 1};
    EXPECT_EQ(colors_of(decode(pcx(one, from_list({0x40})))), (Colors{{0, 0, 0, 255}, {255, 255, 255, 255}}))
        << "a palette of one color: black and white";
}

TEST(Pcx, ReadsRgbPlanes)
{
    EXPECT_EQ(colors_of(decode(pcx({.planes = 3}, from_list({1, 2, 3, 4, 5, 6})))),
              (Colors{{1, 3, 5, 255}, {2, 4, 6, 255}}));
    EXPECT_EQ(colors_of(decode(pcx({.runs = false, .planes = 4}, from_list({1, 2, 3, 4, 5, 6, 7, 0xFF})))),
              (Colors{{1, 3, 5, 7}, {2, 4, 6, 255}}));
}

TEST(Pcx, RejectsInvalidFilesWithAReason)
{
    EXPECT_EQ(decode(pcx({}, "a"), "a.pcx").error().detail, "PCX image: the lines end early");
    EXPECT_EQ(decode(pcx({.width = 60'000, .height = 1000, .line_bytes = 60'000}, "a"), "a.pcx").error().code,
              LoadErrc::limit_exceeded);
    EXPECT_EQ(decode(pcx({.width = 900, .height = 900, .line_bytes = 900}, "a"), "a.pcx").error().detail,
              "PCX image: the lines end early");
    EXPECT_EQ(decode(pcx({.planes = 2}, "abcd"), "a.pcx").error().detail,
              "PCX image: 2 planes of 8 bits are not a PCX format");
    EXPECT_EQ(decode(pcx({.line_bytes = 1}, "abcd"), "a.pcx").error().detail,
              "PCX image: a line has fewer bytes than its width needs");
    EXPECT_EQ(decode("hello", "a.pcx").error().detail, "PCX image: the header is truncated");
}

TEST(Images, TruncatedAndFlippedBytesNeverCrash)
{
    for (const std::string& file : every_picture()) {
        ASSERT_TRUE(decode(file)) << decode(file).error().detail;
        for (std::size_t size = 0; size < file.size(); ++size)
            (void)decode(file.substr(0, size), "a.pcx");
        for (std::size_t at = 0; at < file.size(); ++at)
            for (const char flip : {'\x01', '\x80', '\xFF'}) {
                std::string broken = file;
                broken[at] = static_cast<char>(broken[at] ^ flip);
                (void)decode(broken);
            }
    }
}

TEST(Images, AreDetectedByTheirBytes)
{
    const auto kind = [](const std::string& bytes, std::string_view name = "skin.jpg") {
        return images::detect_kind(std::as_bytes(std::span(bytes)), name);
    };
    EXPECT_EQ(kind(pcx({}, "ab")), images::ImageFileKind::pcx);
    EXPECT_EQ(kind(std::string(18, '\0') + std::string("TRUEVISION-XFILE.\0", 18)),
              images::ImageFileKind::tga);
    EXPECT_EQ(kind(pcx({}, "ab"), "skin.tga"), images::ImageFileKind::tga)
        << "a TGA may start with the same numbers";
}

} // namespace
} // namespace vitrine::test
