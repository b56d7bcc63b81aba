#include <array>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

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

// 8 bits per channel. `color_type` 0: gray, 2: RGB, 6: RGBA.
std::string png(unsigned width, unsigned height, std::string_view unpacked, unsigned color_type = 0,
                std::size_t parts = 1)
{
    uLongf size = compressBound(unpacked.size());
    std::string packed(size, '\0');
    compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(unpacked.data()),
             unpacked.size());
    packed.resize(size);
    std::string chunks;
    const std::size_t part_size = packed.size() / parts + 1;
    for (std::size_t at = 0; at < packed.size(); at += part_size)
        chunks += png_chunk("IDAT", std::string_view(packed).substr(at, part_size));
    return "\x89PNG\r\n\x1a\n" +
           png_chunk("IHDR", big_endian(width) + big_endian(height) + from_list({8, color_type, 0, 0, 0})) +
           png_chunk("pHYs", std::string(9, '\1')) + chunks + png_chunk("IEND", "");
}

// Bytes with a filter per row, as the specification defines them (section 9.2, on single bytes).
std::string filtered(const std::string& bytes, std::size_t row_bytes, std::size_t pixel_bytes,
                     const std::vector<unsigned>& filters)
{
    std::string out;
    for (std::size_t y = 0; y < filters.size(); ++y) {
        out += static_cast<char>(filters[y]);
        for (std::size_t x = 0; x < row_bytes; ++x) {
            const auto value = [&](std::size_t row, std::size_t column) {
                return int{static_cast<unsigned char>(bytes[row * row_bytes + column])};
            };
            const int a = x >= pixel_bytes ? value(y, x - pixel_bytes) : 0, b = y > 0 ? value(y - 1, x) : 0;
            const int c = x >= pixel_bytes && y > 0 ? value(y - 1, x - pixel_bytes) : 0;
            const int p = a + b - c;
            const int pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
            const int paeth = pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
            const std::array predicted{0, a, b, (a + b) / 2, paeth};
            out += static_cast<char>(value(y, x) - predicted[filters[y]]);
        }
    }
    return out;
}

TEST(Png, DecodesEveryFilterOfColors)
{
    constexpr unsigned width = 19;
    const std::vector<unsigned> filters{4, 3, 2, 1, 0, 4, 4, 3, 2, 1}; // the first row has none above it
    const auto height = static_cast<unsigned>(filters.size());
    for (const unsigned channels : {3u, 4u}) {
        std::string bytes;
        std::minstd_rand random(7);
        std::vector<Color> expected;
        for (unsigned i = 0; i < width * height; ++i) {
            Color color{0, 0, 0, 255};
            for (unsigned c = 0; c < channels; ++c) {
                color[c] = i % 5 < 2 ? std::uint8_t{200} : static_cast<std::uint8_t>(random());
                bytes += static_cast<char>(color[c]);
            }
            expected.push_back(color);
        }
        const auto rows = filtered(bytes, std::size_t{width} * channels, channels, filters);
        for (const std::size_t parts : {1u, 2u, 3u})
            EXPECT_EQ(colors_of(decode(png(width, height, rows, channels == 3 ? 2 : 6, parts))), expected)
                << channels << " channels, " << parts << " parts";
    }
}

// Rows of every filter after every other one.
TEST(Png, ChecksOpacityWithoutDecoding)
{
    constexpr unsigned width = 6, height = 26;
    std::vector<unsigned> filters{0};
    for (unsigned i = 0; i < height - 1; ++i)
        filters.push_back((i / 5 + i % 5) % 5);
    for (const unsigned first : {0u, 1u, 2u, 3u, 4u}) {
        filters[0] = first;
        std::string rgba;
        std::minstd_rand random(7);
        for (unsigned i = 0; i < width * height; ++i)
            rgba += from_list({static_cast<unsigned>(random() % 256), i % 200, 7, 255});
        const auto file_of = [&](const std::string& bytes) {
            return png(width, height, filtered(bytes, std::size_t{4} * width, 4, filters), 6, 2);
        };
        const auto opaque = check(file_of(rgba));
        ASSERT_TRUE(opaque);
        EXPECT_TRUE(opaque->is_checked);
        EXPECT_EQ(opaque->width, width);
        for (std::size_t i = 3; i < rgba.size(); i += 4) {
            std::string changed = rgba;
            changed[i] = '\xFE';
            EXPECT_EQ(colors_of(check(file_of(changed))), colors_of(decode(file_of(changed))))
                << "pixel " << i / 4;
        }
    }
    const auto rgb = png(1, 1, from_list({0, 1, 2, 3}), 2);
    EXPECT_TRUE(check(rgb)->is_checked);
    EXPECT_FALSE(check(png(1, 1, from_list({0, 9})))->is_checked) << "gray is decoded";
    const std::size_t data = rgb.find("IDAT") - 4;
    auto color_key = rgb;
    color_key.insert(data, png_chunk("tRNS", from_list({0, 1, 0, 2, 0, 3})));
    EXPECT_EQ(colors_of(check(color_key)), (std::vector<Color>{{1, 2, 3, 0}}));
}

TEST(Png, RejectsColorsThatAreDamaged)
{
    const auto pixel = from_list({0, 1, 2, 3});
    EXPECT_EQ(colors_of(decode(png(1, 1, pixel, 2))), (std::vector<Color>{{1, 2, 3, 255}}));
    EXPECT_EQ(decode(png(1, 1, from_list({5, 1, 2, 3}), 2)).error().detail,
              "PNG image: the image data is invalid (invalid filter)");
    EXPECT_FALSE(decode(png(1, 2, pixel, 2))) << "the second row is missing";
    EXPECT_EQ(colors_of(decode(png(1, 1, pixel + pixel, 2))), (std::vector<Color>{{1, 2, 3, 255}}))
        << "a row too many";
    auto wrong_sum = png(1, 1, pixel, 2);
    wrong_sum[wrong_sum.find("IEND") - 9] ^= 1; // the last byte of the zlib stream
    EXPECT_EQ(colors_of(decode(wrong_sum)), (std::vector<Color>{{1, 2, 3, 255}}));
}

TEST(Png, LimitsTheUnpackedSize)
{
    EXPECT_EQ(colors_of(decode(png(2, 1, from_list({0, 10, 20})))),
              (std::vector<Color>{{10, 10, 10, 255}, {20, 20, 20, 255}}));
    EXPECT_TRUE(decode(png(2, 1, std::string(1000, '\0')))) << "a few more are common";
    const std::size_t large = std::size_t{16} << 20;
    EXPECT_TRUE(decode(png(2, 1, std::string(large, '\0')))) << "what follows the last row is not unpacked";
    const auto damaged = decode(png(2, 1, std::string(large, '\7'))); // an unknown filter
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().detail, "PNG image: it unpacks to far more than its pixels");
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
