#include <gtest/gtest.h>

#include "tests/unit/images/samples.hpp"

namespace vitrine::test {
namespace {

using Colors = std::vector<Color>;

// 128 with exponent 129 is 1; 128 with 128 is 0.5, which is 186 with gamma 2.2; 255 with 136 is 255.
TEST(Hdr, ConvertsRadianceToEightBits)
{
    const auto image = decode(hdr("-Y 1 +X 3", from_list({128, 64, 0, 129, 0, 0, 0, 0, 255, 128, 1, 136})));
    ASSERT_TRUE(image) << image.error().detail;
    EXPECT_EQ(colors_of(image), (Colors{{255, 186, 0, 255}, {0, 0, 0, 255}, {255, 255, 255, 255}}));
}

TEST(Hdr, ReadsRunsOfComponents)
{
    const auto line =
        from_list({2, 2, 0, 8, 136, 128, 8, 0, 0, 0, 0, 0, 0, 0, 128, 132, 0, 132, 128, 136, 129});
    const auto colors = colors_of(decode(hdr("-Y 1 +X 8", line)));
    ASSERT_EQ(colors.size(), 8u);
    EXPECT_EQ(colors[0], (Color{255, 0, 0, 255}));
    EXPECT_EQ(colors[3], (Color{255, 0, 0, 255}));
    EXPECT_EQ(colors[4], (Color{255, 0, 255, 255}));
    EXPECT_EQ(colors[7], (Color{255, 255, 255, 255}));
}

TEST(Hdr, OldRunsRepeatThePreviousPixel)
{
    std::string pixels = from_list({128, 0, 0, 129, 1, 1, 1, 2, 1, 1, 1, 1}); // 2, then 1 << 8 more
    const auto colors = colors_of(decode(hdr("-Y 1 +X 259", pixels)));
    EXPECT_EQ(colors, Colors(259, Color{255, 0, 0, 255}));
}

TEST(Hdr, ResolutionLineDefinesTheOrientation)
{
    const auto pixels = from_list({128, 0, 0, 129, 0, 128, 0, 129});
    const Color red{255, 0, 0, 255}, green{0, 255, 0, 255};
    EXPECT_EQ(colors_of(decode(hdr("-Y 2 +X 1", pixels))), (Colors{red, green}));
    EXPECT_EQ(colors_of(decode(hdr("+Y 2 +X 1", pixels))), (Colors{green, red}));
    EXPECT_EQ(colors_of(decode(hdr("-Y 1 -X 2", pixels))), (Colors{green, red}));
}

TEST(Hdr, LinesMayBeColumns)
{
    // Two columns of three.
    const auto pixels = from_list({128, 0, 0, 129, 0, 0, 0, 0, 0, 0,   0, 0, //
                                   0,   0, 0, 0,   0, 0, 0, 0, 0, 128, 0, 129});
    const Color red{255, 0, 0, 255}, green{0, 255, 0, 255}, black{0, 0, 0, 255};
    EXPECT_EQ(colors_of(decode(hdr("+X 2 -Y 3", pixels))), (Colors{red, black, black, black, black, green}));
    EXPECT_EQ(colors_of(decode(hdr("-X 2 +Y 3", pixels))), (Colors{green, black, black, black, black, red}));
}

TEST(Hdr, XyzIsWhiteForEqualComponents)
{
    const std::string head = "#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 2\n";
    const auto colors = colors_of(decode(head + from_list({64, 64, 64, 129, 0, 64, 0, 129})));
    EXPECT_EQ(colors, (Colors{{186, 186, 186, 255}, {0, 254, 0, 255}}));
}

TEST(Hdr, RejectsInvalidFilesWithAReason)
{
    EXPECT_EQ(decode(hdr("-Y 1 +X 2", "abcd")).error().detail, "HDR image: line 0 is invalid or truncated");
    EXPECT_EQ(decode(hdr("-Y 900 +X 2", "abcd")).error().detail, "HDR image: the pixels end early");
    EXPECT_EQ(decode(hdr("+X 2 +X 1", "abcd")).error().detail,
              "HDR image: there is no line \"-Y height +X width\"");
    EXPECT_EQ(decode("#?RADIANCE\nFORMAT=32-bit_rle_luv\n\n-Y 1 +X 1\nabcd").error().detail,
              "HDR image: its colors are neither RGBE nor XYZE");
}

} // namespace
} // namespace vitrine::test
