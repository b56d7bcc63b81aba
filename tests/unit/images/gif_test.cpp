#include <algorithm>

#include <gtest/gtest.h>

#include "tests/unit/images/samples.hpp"

namespace vitrine::test {
namespace {

using Colors = std::vector<Color>;

constexpr Color palette_red{255, 0, 0, 255}, palette_green{0, 255, 0, 255}, palette_blue{0, 0, 255, 255},
    palette_white{255, 255, 255, 255};
constexpr Color nothing{0, 0, 0, 0};

std::string gif_error(const std::string& file)
{
    const auto image = decode(file);
    return image ? "decoded" : image.error().detail;
}

std::string control(unsigned flags, unsigned transparent)
{
    return from_list({0x21, 0xF9, 4, flags, 0, 0, transparent, 0});
}

TEST(Gif, DecodesTheFirstImage)
{
    EXPECT_EQ(colors_of(decode(gif(2, 2, {}, "0123"))),
              (Colors{palette_red, palette_green, palette_blue, palette_white}));
    EXPECT_EQ(colors_of(decode(gif(2, 2, {.own_palette = true}, "0123"))),
              (Colors{palette_white, palette_blue, palette_green, palette_red}));
    std::string two = gif(2, 2, {}, "0123");
    two.pop_back();
    EXPECT_EQ(colors_of(decode(two + gif(2, 2, {}, "3333").substr(25))),
              (Colors{palette_red, palette_green, palette_blue, palette_white}));
}

TEST(Gif, IsTransparentWhereNothingIsDrawn)
{
    EXPECT_EQ(colors_of(decode(gif(2, 2, {}, "0123", control(1, 2)))),
              (Colors{palette_red, palette_green, nothing, palette_white}));
    EXPECT_EQ(colors_of(decode(gif(2, 2, {}, "0123", control(0, 2)))),
              (Colors{palette_red, palette_green, palette_blue, palette_white}));
    EXPECT_EQ(colors_of(decode(gif(2, 2, {.left = 1, .top = 1, .width = 1, .height = 1}, "3"))),
              (Colors{nothing, nothing, nothing, palette_white}));
    EXPECT_EQ(colors_of(decode(gif(2, 2, {}, "01"))), (Colors{palette_red, palette_green, nothing, nothing}))
        << "the end code is early";
}

TEST(Gif, InterlacedRowsAreInFourPasses)
{
    const auto shown = [](unsigned height, std::string_view rows) {
        return colors_of(decode(gif(1, height, {.width = 1, .height = height, .interlaced = true}, rows)));
    };
    // Rows 0 and 8; 4; 2 and 6; 1, 3, 5 and 7.
    EXPECT_EQ(shown(9, "001223333"),
              (Colors{palette_red, palette_white, palette_blue, palette_white, palette_green, palette_white,
                      palette_blue, palette_white, palette_red}));
    EXPECT_EQ(shown(3, "012"), (Colors{palette_red, palette_blue, palette_green}));
    EXPECT_EQ(shown(1, "3"), (Colors{palette_white}));
}

TEST(Gif, SkipsOtherBlocks)
{
    const std::string comment = from_list({0x21, 0xFE, 3, 'a', 'b', 'c', 1, ',', 0});
    const std::string loops = "\x21\xFF\x0BNETSCAPE2.0" + from_list({3, 1, 0, 0, 0});
    EXPECT_EQ(colors_of(decode(gif(2, 2, {}, "0123", comment + control(1, 0) + loops))),
              (Colors{nothing, palette_green, palette_blue, palette_white}));
}

// One string per code, each one index longer than the previous: 9 to 12 bits, then no new codes.
std::string growing_codes(std::size_t count)
{
    std::string out = from_list({8});
    std::string packed;
    unsigned bits = 0, filled = 0, width = 9;
    const auto put = [&](unsigned code) {
        bits |= code << filled;
        for (filled += width; filled >= 8; filled -= 8, bits >>= 8)
            packed += static_cast<char>(bits & 0xFF);
    };
    put(256);
    put(1);
    for (unsigned next = 258; count > 1; --count) {
        put(std::min(next, 4095u));
        if (next < 4096 && ++next == 1u << width && width < 12) ++width;
    }
    put(257);
    put(0); // fill the last byte
    for (std::size_t at = 0; at < packed.size(); at += 255) {
        const std::string block = packed.substr(at, 255);
        out += static_cast<char>(block.size()) + block;
    }
    return out + '\0';
}

TEST(Gif, CodesGrowToTwelveBits)
{
    const GifFrame frame{.width = 3000, .height = 300};
    const auto colors = colors_of(decode(gif_of_data(3000, 300, frame, growing_codes(1341))));
    ASSERT_EQ(colors.size(), 900'000u);
    EXPECT_EQ(std::ranges::count(colors, palette_green), 1341 * 1342 / 2);
    EXPECT_EQ(colors[1341 * 1342 / 2 - 1], palette_green);
}

// Each 12-bit code represents thousands of indices; codes after the last pixel are not decoded.
TEST(Gif, StopsWhenTheImageIsFull)
{
    const auto bomb = gif_of_data(2, 2, {}, growing_codes(2'000'000));
    EXPECT_EQ(colors_of(decode(bomb)), Colors(4, palette_green));
}

TEST(Gif, RejectsInvalidFilesWithAReason)
{
    const std::string whole = gif(2, 2, {}, "0123");
    for (std::size_t size = 13; size + 2 < whole.size(); ++size)
        EXPECT_FALSE(decode(whole.substr(0, size))) << size;
    EXPECT_EQ(gif_error("GIF89a"), "GIF image: the header is invalid or has no size");
    EXPECT_EQ(gif_error(whole.substr(0, whole.size() - 5)), "GIF image: the pixels end early");
    EXPECT_EQ(gif_error(gif(2, 2, {.left = 1}, "0123")),
              "GIF image: the first image is empty or outside the screen");
    EXPECT_EQ(gif_error(gif_of_data(2, 2, {}, from_list({2, 1, 0x3C, 0}))),
              "GIF image: the pixel data is invalid");
    EXPECT_EQ(gif_error(gif_of_data(2, 2, {}, from_list({12, 0}))), "GIF image: its indices have 12 bits");
    EXPECT_EQ(gif_error(whole.substr(0, 25) + ";"), "GIF image: it contains no image");
    std::string bare = whole;
    bare[10] = 0;
    bare.erase(13, 12);
    EXPECT_EQ(gif_error(bare), "GIF image: it has no palette");
}

} // namespace
} // namespace vitrine::test
