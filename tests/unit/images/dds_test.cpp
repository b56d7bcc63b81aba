#include <gtest/gtest.h>

#include "tests/unit/images/samples.hpp"

namespace vitrine::test {
namespace {

using Colors = std::vector<Color>;

// The first four pixels of an image of one block.
Colors first_row(const LoadResult<scene::Image>& image)
{
    EXPECT_TRUE(image) << image.error().detail;
    Colors colors = colors_of(image);
    colors.resize(4);
    return colors;
}

const std::string red_to_blue = from_list({0x00, 0xF8, 0x1F, 0x00, 0xE4, 0, 0, 0}); // indices 0 1 2 3
const std::string blue_to_red = from_list({0x1F, 0x00, 0x00, 0xF8, 0xE4, 0, 0, 0});
// From 255 to 0; indices 0, 1, 2, 3 in the first row.
const std::string ramp_block = from_list({255, 0, 0x88, 0x06, 0, 0, 0, 0});

TEST(Dds, Bc1HasFourColorsOrThreeAndTransparent)
{
    EXPECT_EQ(first_row(decode(dds(4, 4, "DXT1", red_to_blue))),
              (Colors{{255, 0, 0, 255}, {0, 0, 255, 255}, {170, 0, 85, 255}, {85, 0, 170, 255}}));
    EXPECT_EQ(first_row(decode(dds(4, 4, "DXT1", blue_to_red))),
              (Colors{{0, 0, 255, 255}, {255, 0, 0, 255}, {128, 0, 128, 255}, {0, 0, 0, 0}}));
    EXPECT_EQ(first_row(decode(dds_dx10(4, 4, 71, red_to_blue)))[2], (Color{170, 0, 85, 255}));
}

TEST(Dds, Bc2AndBc3ContainAlpha)
{
    const std::string alpha = from_list({0xF0, 0x84, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(first_row(decode(dds(4, 4, "DXT3", alpha + blue_to_red))),
              (Colors{{0, 0, 255, 0}, {255, 0, 0, 255}, {85, 0, 170, 68}, {170, 0, 85, 136}}));
    EXPECT_EQ(first_row(decode(dds(4, 4, "DXT5", ramp_block + blue_to_red))),
              (Colors{{0, 0, 255, 255}, {255, 0, 0, 0}, {85, 0, 170, 219}, {170, 0, 85, 182}}));
    const std::string dark = from_list({0x10, 0x00, 0x10, 0x00, 0, 0, 0, 0}); // half blue
    EXPECT_EQ(first_row(decode(dds(4, 4, "DXT2", alpha + dark)))[3], (Color{0, 0, 247, 136}))
        << "colors are premultiplied";
}

// Doom 3's normal maps store x in alpha, which has eight bits.
TEST(Dds, RxgbStoresRedInAlpha)
{
    const auto two_hundred = from_list({200, 0, 0, 0, 0, 0, 0, 0});
    const auto colors = from_list({0xFF, 0x07, 0, 0, 0, 0, 0, 0}); // green and blue
    const auto pixels = colors_of(decode(dds(4, 4, "RXGB", two_hundred + colors)));
    EXPECT_EQ(pixels.at(0), (Color{200, 255, 255, 255}));
}

TEST(Dds, OneChannelIsGrayTwoAreANormal)
{
    EXPECT_EQ(first_row(decode(dds(4, 4, "ATI1", ramp_block)))[2], (Color{219, 219, 219, 255}));
    const std::string few = from_list({0, 255, 0xBE, 0x0F, 0, 0, 0, 0}); // 6, 7, 6, 7: minimum and maximum
    EXPECT_EQ(first_row(decode(dds_dx10(4, 4, 80, few)))[0], (Color{0, 0, 0, 255}));
    EXPECT_EQ(first_row(decode(dds_dx10(4, 4, 80, few)))[1], (Color{255, 255, 255, 255}));
    const std::string middle = from_list({128, 128, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(first_row(decode(dds(4, 4, "ATI2", ramp_block + middle)))[0], (Color{255, 128, 128, 255}));
    EXPECT_EQ(first_row(decode(dds(4, 4, "ATI2", middle + middle)))[0], (Color{128, 128, 255, 255}));
    const std::string signed_ends = from_list({127, 0x80, 0x88, 0x06, 0, 0, 0, 0});
    EXPECT_EQ(first_row(decode(dds(4, 4, "BC4S", signed_ends)))[0], (Color{255, 255, 255, 255}));
    EXPECT_EQ(first_row(decode(dds(4, 4, "BC4S", signed_ends)))[1], (Color{0, 0, 0, 255}));
}

// A BC7 block from the values of its fields, lowest bit first.
std::string bc7(std::initializer_list<std::pair<unsigned, unsigned>> fields) // value, bits
{
    std::string out(16, '\0');
    std::size_t at = 0;
    for (const auto& [value, bits] : fields)
        for (unsigned i = 0; i < bits; ++i, ++at)
            if ((value >> i & 1) != 0) out[at / 8] = static_cast<char>(out[at / 8] | 1 << at % 8);
    return dds_dx10(4, 4, 98, out);
}

TEST(Dds, DecodesBc7WithOneSubset)
{
    // Mode 6: endpoints of 7 bits plus one each; indices of 4 bits, the first of 3.
    const auto image = decode(bc7({{0x40, 7},
                                   {127, 7},
                                   {0, 7},
                                   {0, 7},
                                   {127, 7},
                                   {64, 7},
                                   {0, 7},
                                   {127, 7},
                                   {127, 7},
                                   {1, 1},
                                   {0, 1},
                                   {0, 3},
                                   {15, 4},
                                   {8, 4},
                                   {1, 4}}));
    EXPECT_EQ(first_row(image),
              (Colors{{255, 1, 129, 255}, {0, 254, 0, 254}, {120, 135, 60, 254}, {239, 17, 121, 255}}));
}

TEST(Dds, DecodesBc7WithRotationAndSeparateAlpha)
{
    // Mode 5, rotation 1: alpha and red are swapped. Colors of 7 bits, alpha of 8, indices of 2 bits each.
    const auto image = decode(bc7({{0x20, 6},
                                   {1, 2},
                                   {0, 7},
                                   {127, 7},
                                   {127, 7},
                                   {0, 7},
                                   {127, 7},
                                   {127, 7},
                                   {10, 8},
                                   {200, 8},
                                   {0, 1},
                                   {3, 2},
                                   {1, 2},
                                   {2, 2},
                                   {0, 24},
                                   {0, 1},
                                   {0, 2},
                                   {3, 2},
                                   {3, 2}}));
    EXPECT_EQ(first_row(image),
              (Colors{{10, 255, 255, 0}, {10, 0, 255, 255}, {200, 171, 255, 84}, {200, 84, 255, 171}}));
}

TEST(Dds, DecodesBc7WithTwoAndThreeSubsets)
{
    // Mode 1, partition 13: the lower half uses the second subset. Endpoints of 6 bits, a shared lowest bit
    // per pair; indices of 3 bits, all 0.
    const auto two = colors_of(decode(bc7({{2, 2},
                                           {13, 6},
                                           {63, 6},
                                           {63, 6},
                                           {0, 6},
                                           {0, 6},
                                           {0, 6},
                                           {0, 6},
                                           {63, 6},
                                           {63, 6},
                                           {0, 6},
                                           {0, 6},
                                           {0, 6},
                                           {0, 6},
                                           {1, 1},
                                           {0, 1}})));
    ASSERT_EQ(two.size(), 16u);
    EXPECT_EQ(two[7], (Color{255, 2, 2, 255}));
    EXPECT_EQ(two[8], (Color{0, 253, 0, 255}));
    // Mode 2, partition 10: rows 0 and 1, 2, 3. Endpoints of 5 bits.
    const auto three = colors_of(
        decode(bc7({{4, 3},  {10, 6}, {31, 5}, {31, 5}, {0, 5}, {0, 5}, {0, 5}, {0, 5}, {0, 5},  {0, 5},
                    {31, 5}, {31, 5}, {0, 5},  {0, 5},  {0, 5}, {0, 5}, {0, 5}, {0, 5}, {31, 5}, {31, 5}})));
    ASSERT_EQ(three.size(), 16u);
    EXPECT_EQ(three[3], (Color{255, 0, 0, 255}));
    EXPECT_EQ(three[4], (Color{0, 255, 0, 255}));
    EXPECT_EQ(three[15], (Color{0, 0, 255, 255}));
}

TEST(Dds, Bc7WithInvalidModeIsTransparent)
{
    EXPECT_EQ(first_row(decode(bc7({}))), Colors(4));
}

TEST(Dds, SizesNeedNotBeMultiplesOfFour)
{
    const auto image = decode(dds(5, 2, "DXT1", red_to_blue + blue_to_red));
    ASSERT_TRUE(image) << image.error().detail;
    const auto colors = colors_of(image);
    ASSERT_EQ(colors.size(), 10u);
    EXPECT_EQ(colors[0], (Color{255, 0, 0, 255}));
    EXPECT_EQ(colors[4], (Color{0, 0, 255, 255}));
    EXPECT_EQ(colors[9], (Color{0, 0, 255, 255}));
}

TEST(Dds, MasksDefineTheChannels)
{
    const auto one = [](std::array<std::uint32_t, 7> format, std::string_view pixel) {
        return colors_of(decode(dds(1, 1, format, pixel)));
    };
    EXPECT_EQ(one({0x41, 0, 32, 0xFF0000, 0xFF00, 0xFF, 0xFF000000}, "\1\2\3\4"), (Colors{{3, 2, 1, 4}}));
    EXPECT_EQ(one({0x40, 0, 32, 0xFF, 0xFF00, 0xFF0000, 0xFF000000}, "\1\2\3\4"), (Colors{{1, 2, 3, 255}}))
        << "no flag, no alpha";
    EXPECT_EQ(one({0x40, 0, 24, 0xFF0000, 0xFF00, 0xFF, 0}, "\1\2\3"), (Colors{{3, 2, 1, 255}}));
    EXPECT_EQ(one({0x40, 0, 16, 0xF800, 0x7E0, 0x1F, 0}, "\xE0\x07"), (Colors{{0, 255, 0, 255}}));
    EXPECT_EQ(one({0x20000, 0, 8, 0xFF, 0, 0, 0}, "\x80"), (Colors{{128, 128, 128, 255}}));
    EXPECT_EQ(one({0x20001, 0, 16, 0xFF, 0, 0, 0xFF00}, "\x80\x40"), (Colors{{128, 128, 128, 64}}));
    EXPECT_EQ(one({0x2, 0, 8, 0, 0, 0, 0xFF}, "\x40"), (Colors{{255, 255, 255, 64}}));
    EXPECT_EQ(colors_of(decode(dds_dx10(1, 1, 11, "\0\0\xFF\xFF\0\x80\xFF\xFF"))), (Colors{}))
        << "truncated: a string literal ends at its first zero";
    EXPECT_EQ(colors_of(decode(dds_dx10(1, 1, 11, std::string_view("\0\0\xFF\xFF\0\x80\xFF\xFF", 8)))),
              (Colors{{0, 255, 127, 255}}));
}

TEST(Dds, ReadsAPalette)
{
    std::string data(1024, '\0');
    data.replace(4, 4, "\1\2\3\4");
    data += '\1';
    EXPECT_EQ(colors_of(decode(dds(1, 1, {0x20, 0, 8, 0, 0, 0, 0}, data))), (Colors{{1, 2, 3, 255}}));
    EXPECT_EQ(colors_of(decode(dds(1, 1, {0x21, 0, 8, 0, 0, 0, 0}, data))), (Colors{{1, 2, 3, 4}}));
}

TEST(Dds, RejectsInvalidFilesWithAReason)
{
    EXPECT_EQ(decode("DDS |").error().detail, "DDS image: the header is truncated");
    EXPECT_EQ(decode(dds(5, 4, "DXT1", red_to_blue)).error().detail, "DDS image: the pixels end early");
    EXPECT_EQ(decode(dds(0, 4, "DXT1", red_to_blue)).error().detail,
              "DDS image: a side is 0 or longer than 65536");
    EXPECT_EQ(decode(dds(4, 4, std::string_view("Q\0@1", 4), red_to_blue)).error().detail,
              "DDS image: the pixel format 'Q?@1' is not supported");
    EXPECT_EQ(decode(dds_dx10(4, 4, 95, red_to_blue)).error().detail,
              "DDS image: DXGI format 95 is not supported");
    EXPECT_EQ(decode(dds(60'000, 60'000, "DXT1", red_to_blue)).error().code, LoadErrc::limit_exceeded);
}

} // namespace
} // namespace vitrine::test
