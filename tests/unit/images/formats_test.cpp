// Features of the formats of stb_image that stb_image does not decode.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/images/samples.hpp"

namespace vitrine::test {
namespace {

using Colors = std::vector<Color>;
using testing::HasSubstr;

const std::string two_colors = from_list({3, 2, 1, 0, 30, 20, 10, 0});
constexpr Color first_color{1, 2, 3, 255}, second_color{10, 20, 30, 255};

TEST(Bmp, ReadsTopDownRows)
{
    const auto rows = from_list({1, 2, 3, 0, 4, 5, 6, 0}); // blue, green, red and padding
    EXPECT_EQ(colors_of(decode(bmp(1, -2, 24, 0, rows))), (Colors{{3, 2, 1, 255}, {6, 5, 4, 255}}));
    EXPECT_EQ(colors_of(decode(bmp(1, 2, 24, 0, rows))), (Colors{{6, 5, 4, 255}, {3, 2, 1, 255}}));
    EXPECT_THAT(decode(bmp(1, 0, 24, 0, rows)).error().detail, HasSubstr("no pixels"));
}

TEST(Bmp, ReadsRunsOfBytes)
{
    // Bottom row: a run of two; then skip one column, a literal of three padded to four bytes.
    const auto codes = from_list({2, 1, 0, 0, 0, 2, 1, 0, 0, 3, 1, 0, 1, 0, 0, 1});
    EXPECT_EQ(colors_of(decode(bmp(4, 2, 8, 1, codes, two_colors))),
              (Colors{first_color, second_color, first_color, second_color, second_color, second_color,
                      first_color, first_color}));
    EXPECT_EQ(colors_of(decode(bmp(2, 1, 8, 1, from_list({1, 1}), two_colors))),
              (Colors{second_color, first_color}))
        << "missing pixels have the first color";
    EXPECT_EQ(colors_of(decode(bmp(2, 1, 8, 1, from_list({200, 1, 0, 0, 200, 1}), two_colors))),
              (Colors{second_color, second_color}));
}

TEST(Bmp, ReadsRunsOfNibbles)
{
    const auto codes = from_list({3, 0x10, 0, 0, 0, 3, 0x01, 0x10, 0, 1});
    EXPECT_EQ(colors_of(decode(bmp(3, 2, 4, 2, codes, two_colors))),
              (Colors{first_color, second_color, second_color, second_color, first_color, second_color}));
}

// BITMAPV2INFOHEADER and V3, as written by Photoshop, and the second version of OS/2.
TEST(Bmp, ReadsHeadersOfOtherSizes)
{
    const auto longer = [](std::string bytes, unsigned header, const std::string& more) {
        bytes.insert(54, more + std::string(header - 40 - more.size(), '\0'));
        bytes[10] = static_cast<char>(static_cast<unsigned char>(bytes[10]) + header - 40);
        bytes[14] = static_cast<char>(header);
        return bytes;
    };
    const auto masks = little_endian({0xF800, 0x07E0, 0x001F});
    const auto words = from_list({0x00, 0xF8, 0x1F, 0x00}); // red, blue
    EXPECT_EQ(colors_of(decode(longer(bmp(2, 1, 16, 3, words), 52, masks))),
              (Colors{{255, 0, 0, 255}, {0, 0, 255, 255}}));
    const auto with_alpha = little_endian({0xFF0000, 0xFF00, 0xFF, 0xFF000000});
    const auto pixel = little_endian({0x4D010203});
    EXPECT_EQ(colors_of(decode(longer(bmp(1, 1, 32, 3, pixel), 56, with_alpha))), (Colors{{1, 2, 3, 77}}));
    EXPECT_EQ(colors_of(decode(longer(bmp(1, 1, 24, 0, from_list({1, 2, 3, 0})), 56, ""))),
              (Colors{{3, 2, 1, 255}}));
    const auto indices = from_list({1, 0, 0, 0});
    for (const unsigned header : {52u, 56u, 64u})
        EXPECT_EQ(colors_of(decode(longer(bmp(2, 1, 8, 0, indices, two_colors), header, ""))),
                  (Colors{second_color, first_color}))
            << header;
    EXPECT_THAT(decode(longer(bmp(2, 1, 1, 3, indices, two_colors), 64, "")).error().detail,
                HasSubstr("OS/2 compression"));
    const auto whole = longer(bmp(1, 1, 32, 3, pixel), 56, with_alpha);
    for (std::size_t size = 0; size < whole.size(); ++size)
        if (const auto cut = decode(whole.substr(0, size)); !cut) EXPECT_FALSE(cut.error().detail.empty());
}

TEST(Tga, ReadsRowsFromEveryCorner)
{
    const auto from = [](unsigned descriptor) {
        const auto pixels = from_list({1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4});
        std::string order;
        for (const Color& c : colors_of(decode(tga({.height = 2, .descriptor = descriptor}, pixels))))
            order += static_cast<char>('0' + c[0]);
        return order;
    };
    EXPECT_EQ(from(0x20), "1234");
    EXPECT_EQ(from(0x30), "2143");
    EXPECT_EQ(from(0x00), "3412");
    EXPECT_EQ(from(0x10), "4321");
}

TEST(Tga, ReadsPalettesOfEveryDepthWithAnyFirstIndex)
{
    const auto shown = [](const TgaHeader& header, const std::string& data) {
        return colors_of(decode(tga(header, data)));
    };
    const Colors both{first_color, second_color}, red_and_blue{{255, 0, 0, 255}, {0, 0, 255, 255}};
    const auto map = from_list({3, 2, 1, 30, 20, 10});
    EXPECT_EQ(shown({.type = 1, .bits = 8, .map_count = 2}, map + from_list({0, 1})), both);
    EXPECT_EQ(shown({.type = 1, .bits = 8, .map_first = 7, .map_count = 2}, map + from_list({7, 8})), both);
    EXPECT_EQ(shown({.type = 1, .bits = 8, .map_first = 7, .map_count = 2}, map + from_list({6, 9})),
              (Colors(2, {0, 0, 0, 255})))
        << "no such color";
    EXPECT_EQ(
        shown({.type = 1, .bits = 16, .map_first = 300, .map_count = 2}, map + from_list({44, 1, 45, 1})),
        both);
    EXPECT_EQ(
        shown({.type = 1, .bits = 8, .map_count = 2, .map_bits = 16}, from_list({0, 0x7C, 0x1F, 0, 0, 1})),
        red_and_blue);
    EXPECT_EQ(shown({.type = 1, .bits = 8, .map_count = 2, .map_bits = 32},
                    from_list({0, 0, 255, 9, 255, 0, 0, 255, 0, 1})),
              (Colors{{255, 0, 0, 9}, {0, 0, 255, 255}}));
    EXPECT_EQ(shown({.type = 2, .map_count = 1}, "map" + map), both) << "true colors with an unused palette";
    EXPECT_THAT(decode(tga({.type = 1, .bits = 8}, "ab")).error().detail, HasSubstr("no colors"));
    EXPECT_THAT(decode(tga({.type = 3, .bits = 24}, "ab")).error().detail, HasSubstr("type 3 with 24 bits"));
}

TEST(Tga, RunsMayCrossRows)
{
    const TgaHeader header{.type = 10, .width = 2, .height = 2};
    EXPECT_EQ(colors_of(decode(tga(header, from_list({0x82, 3, 2, 1, 0, 30, 20, 10})))),
              (Colors{first_color, first_color, first_color, second_color}));
    EXPECT_EQ(colors_of(decode(tga({.type = 11, .bits = 16}, from_list({0x81, 7, 200})))),
              (Colors(2, {7, 7, 7, 200})));
}

TEST(Tga, IgnoresAlphaThatIsZeroEverywhere)
{
    const TgaHeader header{.bits = 32};
    EXPECT_EQ(colors_of(decode(tga(header, from_list({3, 2, 1, 0, 30, 20, 10, 0})))),
              (Colors{first_color, second_color}));
    EXPECT_EQ(colors_of(decode(tga(header, from_list({3, 2, 1, 0, 30, 20, 10, 1})))),
              (Colors{{1, 2, 3, 0}, {10, 20, 30, 1}}));
}

TEST(Psd, ReadsGrayIndexedAndCmyk)
{
    EXPECT_EQ(colors_of(decode(psd(1, 8, 1, 2, 1, 0, from_list({7, 200})))),
              (Colors{{7, 7, 7, 255}, {200, 200, 200, 255}}));
    EXPECT_EQ(colors_of(decode(psd(2, 16, 1, 1, 1, 0, from_list({7, 99, 128, 1})))),
              (Colors{{7, 7, 7, 128}}));
    EXPECT_EQ(colors_of(decode(psd(1, 1, 0, 2, 1, 0, from_list({0x40})))),
              (Colors{{255, 255, 255, 255}, {0, 0, 0, 255}}));
    std::string colors(768, '\0');
    colors[1] = 10, colors[257] = 20, colors[513] = 30;
    EXPECT_EQ(colors_of(decode(psd(1, 8, 2, 2, 1, 0, from_list({1, 0}), colors))),
              (Colors{second_color, {0, 0, 0, 255}}));
    EXPECT_EQ(colors_of(decode(psd(4, 8, 4, 1, 1, 0, from_list({255, 128, 0, 255})))),
              (Colors{{255, 128, 0, 255}}));
    EXPECT_EQ(colors_of(decode(psd(5, 8, 4, 1, 1, 0, from_list({255, 255, 255, 0, 9})))),
              (Colors{{0, 0, 0, 9}}));
}

TEST(Psd, ReadsPackedRows)
{
    const auto rows = from_list({0, 2, 0, 3, 0xFF, 7, 1, 8, 9}); // lengths; a run of two; two literals
    EXPECT_EQ(colors_of(decode(psd(1, 8, 1, 2, 2, 1, rows))),
              (Colors{{7, 7, 7, 255}, {7, 7, 7, 255}, {8, 8, 8, 255}, {9, 9, 9, 255}}));
}

TEST(Psd, ReadsColorsOfEveryDepth)
{
    EXPECT_EQ(colors_of(decode(psd(3, 8, 3, 1, 1, 0, from_list({10, 20, 30})))), (Colors{second_color}));
    const auto deep =
        from_list({0, 2, 0, 2, 0, 2, 1, 10, 99, 1, 20, 99, 1, 30, 99}); // lengths, then literals
    EXPECT_EQ(colors_of(decode(psd(3, 16, 3, 1, 1, 1, deep))), (Colors{second_color}));
    const auto half = from_list({0x3F, 0, 0, 0}), one = from_list({0x3F, 0x80, 0, 0});
    EXPECT_EQ(colors_of(decode(psd(4, 32, 3, 1, 1, 0, half + one + std::string(4, '\0') + half))),
              (Colors{{186, 255, 0, 128}}))
        << "radiance, of which 0.5 is 186, and a fraction of opacity";
    EXPECT_EQ(colors_of(decode(psd(1, 32, 1, 1, 1, 0, half))), (Colors{{186, 186, 186, 255}}));
    std::string large = psd(1, 8, 1, 1, 1, 1, from_list({0, 0, 0, 2, 0, 7})); // a PSB
    large[5] = 2;
    large.insert(34, 4, '\0'); // the length of its layers has eight bytes
    EXPECT_EQ(colors_of(decode(large)), (Colors{{7, 7, 7, 255}}));
}

TEST(Psd, ConvertsLabFromD50)
{
    const auto shown = [](unsigned l, unsigned a, unsigned b) {
        return colors_of(decode(psd(3, 8, 9, 1, 1, 0, from_list({l, a, b})))).at(0);
    };
    EXPECT_EQ(shown(255, 128, 128), (Color{255, 255, 255, 255}));
    EXPECT_EQ(shown(0, 128, 128), (Color{0, 0, 0, 255}));
    EXPECT_EQ(shown(137, 128, 128), (Color{128, 128, 128, 255})); // L* 53.7
    const Color red = shown(138, 209, 198);                       // L* 54.3, a* 81, b* 70 is sRGB's red
    EXPECT_GE(red[0], 253);
    EXPECT_LE(red[1], 12);
    EXPECT_LE(red[2], 12);
}

// Negative layer count: colors are blended with white by alpha.
TEST(Psd, RemovesTheWhiteMatte)
{
    const auto shown = [](const std::string& layers) {
        const auto data = from_list({255, 155, 205, 100}); // half of white over 255, 55, 155
        return colors_of(decode(psd(4, 8, 3, 1, 1, 0, data, {}, layers))).at(0);
    };
    const auto layers = [](unsigned count) {
        return big_endian({2}) + from_list({count >> 8, count & 255}) + big_endian({0});
    };
    EXPECT_EQ(shown({}), (Color{255, 155, 205, 100})) << "a separate channel";
    EXPECT_EQ(shown(layers(1)), (Color{255, 155, 205, 100}));
    EXPECT_EQ(shown(layers(0xFFFF)), (Color{255, 0, 128, 100}));
    EXPECT_EQ(shown(big_endian({0, 0}) + "8BIMabcd" + big_endian({2}) + "xy__8BIMMt16" + big_endian({0})),
              (Color{255, 0, 128, 100}));
}

TEST(Psd, ReportsUnsupportedFiles)
{
    EXPECT_THAT(decode(psd(3, 8, 7, 1, 1, 0, "abc")).error().detail, HasSubstr("color mode 7 with 8 bits"));
    EXPECT_THAT(decode(psd(1, 8, 1, 1, 1, 2, "abc")).error().detail, HasSubstr("ZIP"));
    EXPECT_THAT(decode(psd(1, 8, 1, 9'000, 9'000, 0, "")).error().detail,
                HasSubstr("9000 x 9000 pixels: more than the limit image_pixels = 1000000"));
}

// Larger than stb_image supports.
TEST(Png, ChecksTheSizeLimitFirst)
{
    const auto huge = "\x89PNG\r\n\x1a\n" + big_endian({13}) + "IHDR" + big_endian({60'000, 60'000}) +
                      from_list({8, 2, 0, 0, 0});
    EXPECT_EQ(decode(huge).error().detail,
              "60000 x 60000 pixels: more than the limit image_pixels = 1000000");
}

} // namespace
} // namespace vitrine::test
