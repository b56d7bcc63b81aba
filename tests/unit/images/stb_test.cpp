#include <gtest/gtest.h>
#include <zlib.h>

#include "tests/unit/images/samples.hpp"

namespace vitrine::test {
namespace {

std::string big_endian(std::uint32_t value)
{
    return from_list({value >> 24, value >> 16 & 0xFF, value >> 8 & 0xFF, value & 0xFF});
}

std::string png_chunk(std::string_view type, std::string_view content)
{
    return big_endian(static_cast<std::uint32_t>(content.size())).append(type).append(content) +
           big_endian(0);
}

// 8 bits, gray.
std::string png(unsigned width, unsigned height, std::string_view unpacked)
{
    uLongf size = compressBound(unpacked.size());
    std::string packed(size, '\0');
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(unpacked.data()),
             unpacked.size());
    packed.resize(size);
    return "\x89PNG\r\n\x1a\n" +
           png_chunk("IHDR", big_endian(width) + big_endian(height) + from_list({8, 0, 0, 0, 0})) +
           png_chunk("IDAT", packed) + png_chunk("IEND", "");
}

TEST(Png, LimitsTheUnpackedSize)
{
    EXPECT_EQ(colors_of(decode(png(2, 1, from_list({0, 10, 20})))),
              (std::vector<Color>{{10, 10, 10, 255}, {20, 20, 20, 255}}));
    EXPECT_TRUE(decode(png(2, 1, std::string(1000, '\0')))) << "a few more are common";
    const auto bomb = decode(png(2, 1, std::string(std::size_t{16} << 20, '\0')));
    ASSERT_FALSE(bomb);
    EXPECT_EQ(bomb.error().detail, "PNG image: it unpacks to far more than its pixels");
    EXPECT_EQ(decode("\x89PNG\r\n\x1a\nnothing").error().detail.find("unpacks"), std::string::npos);
}

TEST(Png, AcceptsAMissingEndAfterThePixels)
{
    const auto whole = png(2, 1, from_list({0, 10, 20}));
    const auto shown = [](const std::string& bytes) {
        const auto image = decode(bytes);
        return image ? colors_of(image) : std::vector<Color>();
    };
    const std::vector<Color> colors{{10, 10, 10, 255}, {20, 20, 20, 255}};
    for (std::size_t cut = 1; cut <= 16; ++cut) // IEND, then the checksum before it
        EXPECT_EQ(shown(whole.substr(0, whole.size() - cut)), colors) << cut;
    EXPECT_EQ(decode(whole.substr(0, whole.size() - 17)).error().detail,
              "PNG image: a chunk exceeds the file");
    const auto head = whole.substr(0, 33);
    EXPECT_EQ(decode(head).error().detail, "PNG image: the image data is invalid (no IDAT)");
    EXPECT_EQ(decode(head + std::string(12, '\0')).error().detail,
              "PNG image: the image data is invalid (a chunk has no name)");
}

TEST(Tga, MissingPixelsAreBlackAndNotUninitialized)
{
    const std::string header = from_list({0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, 64, 0, 24, 0x20});
    for (int i = 0; i < 4; ++i) { // fill the heap with values other than black
        std::vector<std::string> dirt(50, std::string(std::size_t{64} * 64 * 3, '\xAB'));
        EXPECT_EQ(dirt.back().back(), '\xAB');
    }
    const auto colors = colors_of(decode(header + from_list({1, 2, 3}), "a.tga"));
    ASSERT_EQ(colors.size(), std::size_t{64} * 64);
    for (std::size_t i = 0; i < colors.size(); ++i)
        ASSERT_TRUE(colors[i] == (Color{0, 0, 0, 255}) || (i == 0 && colors[i] == (Color{3, 2, 1, 255})))
            << i;
}

} // namespace
} // namespace vitrine::test
