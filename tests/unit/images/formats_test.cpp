// What stb_image leaves to us of the formats it reads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/images/samples.hpp"

namespace vitrine::test {
namespace {

using Colours = std::vector<Colour>;
using testing::HasSubstr;

// Three pixels of 24 bits.
std::string tga(unsigned descriptor, const std::string& pixels)
{
    return from_list({0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 1, 0, 24, descriptor}) + pixels;
}

const std::string palette = from_list({3, 2, 1, 0, 30, 20, 10, 0});
constexpr Colour first{1, 2, 3, 255}, second{10, 20, 30, 255};

TEST(Bmp, RowsFromTheTopDown)
{
    const auto rows = from_list({1, 2, 3, 0, 4, 5, 6, 0}); // blue, green, red and padding
    EXPECT_EQ(colours_of(decode(bmp(1, -2, 24, 0, rows))), (Colours{{3, 2, 1, 255}, {6, 5, 4, 255}}));
    EXPECT_EQ(colours_of(decode(bmp(1, 2, 24, 0, rows))), (Colours{{6, 5, 4, 255}, {3, 2, 1, 255}}));
    EXPECT_THAT(decode(bmp(1, 0, 24, 0, rows)).error().detail, HasSubstr("no pixels"));
}

TEST(Bmp, RunsOfBytes)
{
    // Bottom row: a run of two; then on by one column, a literal of three padded to four bytes.
    const auto codes = from_list({2, 1, 0, 0, 0, 2, 1, 0, 0, 3, 1, 0, 1, 0, 0, 1});
    EXPECT_EQ(colours_of(decode(bmp(4, 2, 8, 1, codes, palette))),
              (Colours{first, second, first, second, second, second, first, first}));
    EXPECT_EQ(colours_of(decode(bmp(2, 1, 8, 1, from_list({1, 1}), palette))), (Colours{second, first}))
        << "what is missing is the first colour";
    EXPECT_EQ(colours_of(decode(bmp(2, 1, 8, 1, from_list({200, 1, 0, 0, 200, 1}), palette))),
              (Colours{second, second}));
}

TEST(Bmp, RunsOfNibbles)
{
    const auto codes = from_list({3, 0x10, 0, 0, 0, 3, 0x01, 0x10, 0, 1});
    EXPECT_EQ(colours_of(decode(bmp(3, 2, 4, 2, codes, palette))),
              (Colours{first, second, second, second, first, second}));
}

TEST(Tga, RowsFromRightToLeft)
{
    const auto row = from_list({1, 1, 1, 2, 2, 2, 3, 3, 3});
    EXPECT_EQ(colours_of(decode(tga(0x20, row), "a.tga")),
              (Colours{{1, 1, 1, 255}, {2, 2, 2, 255}, {3, 3, 3, 255}}));
    EXPECT_EQ(colours_of(decode(tga(0x30, row), "a.tga")),
              (Colours{{3, 3, 3, 255}, {2, 2, 2, 255}, {1, 1, 1, 255}}));
}

TEST(Psd, GreyIndexedAndInk)
{
    EXPECT_EQ(colours_of(decode(psd(1, 8, 1, 2, 1, 0, from_list({7, 200})))),
              (Colours{{7, 7, 7, 255}, {200, 200, 200, 255}}));
    EXPECT_EQ(colours_of(decode(psd(2, 16, 1, 1, 1, 0, from_list({7, 99, 128, 1})))),
              (Colours{{7, 7, 7, 128}}));
    EXPECT_EQ(colours_of(decode(psd(1, 1, 0, 2, 1, 0, from_list({0x40})))),
              (Colours{{255, 255, 255, 255}, {0, 0, 0, 255}}));
    std::string colours(768, '\0');
    colours[1] = 10, colours[257] = 20, colours[513] = 30;
    EXPECT_EQ(colours_of(decode(psd(1, 8, 2, 2, 1, 0, from_list({1, 0}), colours))),
              (Colours{second, {0, 0, 0, 255}}));
    EXPECT_EQ(colours_of(decode(psd(4, 8, 4, 1, 1, 0, from_list({255, 128, 0, 255})))),
              (Colours{{255, 128, 0, 255}}));
    EXPECT_EQ(colours_of(decode(psd(5, 8, 4, 1, 1, 0, from_list({255, 255, 255, 0, 9})))),
              (Colours{{0, 0, 0, 9}}));
}

TEST(Psd, PackedRows)
{
    const auto rows = from_list({0, 2, 0, 3, 0xFF, 7, 1, 8, 9}); // lengths; a run of two; two literals
    EXPECT_EQ(colours_of(decode(psd(1, 8, 1, 2, 2, 1, rows))),
              (Colours{{7, 7, 7, 255}, {7, 7, 7, 255}, {8, 8, 8, 255}, {9, 9, 9, 255}}));
}

TEST(Psd, SaysWhatItCannotShow)
{
    EXPECT_THAT(decode(psd(3, 8, 9, 1, 1, 0, "abc")).error().detail, HasSubstr("colour mode 9 with 8 bits"));
    EXPECT_THAT(decode(psd(1, 8, 1, 1, 1, 2, "abc")).error().detail, HasSubstr("ZIP"));
    EXPECT_THAT(decode(psd(1, 8, 1, 9'000, 9'000, 0, "")).error().detail,
                HasSubstr("9000 x 9000 pixels are more than the limit image_pixels = 1000000"));
}

// Larger than stb_image takes.
TEST(Png, TooLargeIsTheLimits)
{
    const auto huge = "\x89PNG\r\n\x1a\n" + big_endian({13}) + "IHDR" + big_endian({60'000, 60'000}) +
                      from_list({8, 2, 0, 0, 0});
    EXPECT_EQ(decode(huge).error().detail,
              "60000 x 60000 pixels are more than the limit image_pixels = 1000000");
}

} // namespace
} // namespace vitrine::test
