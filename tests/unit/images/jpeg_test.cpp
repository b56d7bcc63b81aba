#include "tests/unit/images/jpeg_samples.hpp"

#include <span>

#include <gtest/gtest.h>

#include "loaders/images/jpeg_scan.hpp"
#include "tests/unit/images/samples.hpp"

namespace vitrine::test {
namespace {

using enum JpegColors;

Bytes bytes_of(const std::string& file)
{
    return std::as_bytes(std::span(file));
}

std::string named(const JpegKind& kind)
{
    return "colors " + std::to_string(static_cast<int>(kind.colors)) +
           (kind.progressive ? ", progressive" : "") + (kind.arithmetic ? ", arithmetic" : "") + ", chroma " +
           std::to_string(kind.chroma);
}

void expect_near(const Color& shown, const Color& expected, const std::string& what)
{
    for (std::size_t c = 0; c < 4; ++c)
        EXPECT_NEAR(shown[c], expected[c], 5) << what << ", channel " << c;
}

std::size_t find_marker(const std::string& file, unsigned char marker, std::size_t from = 0)
{
    const std::size_t at = file.find(std::string("\xFF") + static_cast<char>(marker), from);
    EXPECT_NE(at, file.npos);
    return at;
}

std::string jpeg_error(const std::string& file)
{
    const auto image = decode(file);
    return image ? "decoded" : image.error().detail;
}

TEST(Jpeg, DecodesEveryKind)
{
    for (const JpegKind& kind : every_jpeg_kind()) {
        const auto image = decode(jpeg(kind));
        ASSERT_TRUE(image) << named(kind) << ": " << image.error().detail;
        ASSERT_EQ(image->width, 32u);
        ASSERT_EQ(image->height, 32u);
        const auto colors = colors_of(image);
        const bool is_gray = kind.colors == gray;
        expect_near(colors[10 * 32 + 4], is_gray ? Color{255, 255, 255, 255} : Color{255, 0, 0, 255},
                    named(kind));
        expect_near(colors[31 * 32 + 28], is_gray ? Color{128, 128, 128, 255} : Color{0, 128, 128, 255},
                    named(kind));
    }
}

// Frames of Motion JPEG omit the standard's Huffman tables.
TEST(Jpeg, StandardTablesAreTheDefault)
{
    const std::string whole = jpeg({});
    std::string file = whole;
    const std::size_t tables = find_marker(file, 0xC4), scan = find_marker(file, 0xDA);
    file.erase(tables, scan - tables);
    EXPECT_EQ(colors_of(decode(file)), colors_of(decode(whole)));
}

TEST(Jpeg, RejectsScansWithMissingTables)
{
    std::string file = jpeg({});
    const std::size_t scan = find_marker(file, 0xDA);
    file[scan + 6] = 0x33; // the tables of the first component
    EXPECT_EQ(jpeg_error(file), "JPEG image: the image data is invalid (Huffman table 0x03 was not defined)");
}

TEST(Jpeg, TruncatedFilesAreRejectedOrComplete)
{
    for (const JpegKind& kind : every_jpeg_kind()) {
        const std::string file = jpeg(kind);
        const auto whole = colors_of(decode(file));
        std::size_t rejected = 0;
        for (std::size_t size = 0; size < file.size(); ++size) {
            const auto image = decode(file.substr(0, size));
            rejected += !image;
            if (image) EXPECT_EQ(colors_of(image), whole) << named(kind) << " of " << size << " bytes";
        }
        EXPECT_GE(rejected, file.size() - 4)
            << named(kind); // the marker of the end and the padding before it
    }
}

TEST(Jpeg, FlippedBytesNeverCrash)
{
    for (const JpegKind& kind : every_jpeg_kind()) {
        const std::string file = jpeg(kind);
        for (std::size_t at = 0; at < file.size(); ++at) {
            std::string broken = file;
            broken[at] = static_cast<char>(broken[at] ^ 0xFF);
            EXPECT_FALSE(jpeg_error(broken).contains('\n'));
        }
    }
}

TEST(Jpeg, IgnoresBytesBetweenTheData)
{
    std::string file = jpeg({});
    file.insert(find_marker(file, 0xC0), "foreign");
    EXPECT_EQ(colors_of(decode(file)), colors_of(decode(jpeg({}))));
}

TEST(Jpeg, RejectsLostData)
{
    std::string file = jpeg({.restart_rows = 1});
    const std::size_t marker = find_marker(file, 0xD0);
    file.erase(marker - 8, 8);
    EXPECT_TRUE(jpeg_error(file).starts_with("JPEG image: the image data is invalid (Corrupt JPEG data"))
        << jpeg_error(file);
}

// A scan of a few bytes covers the whole image.
TEST(Jpeg, LimitsScans)
{
    const std::string file = jpeg({.colors = gray, .progressive = true});
    const std::size_t last = file.rfind("\xFF\xDA"), end = file.size() - 2;
    const auto with_more = [&](int scans) {
        std::string bomb = file.substr(0, end);
        for (int i = 0; i < scans; ++i)
            bomb += file.substr(last, end - last);
        return jpeg_error(bomb + file.substr(end));
    };
    EXPECT_EQ(with_more(94), "decoded") << "together with six existing scans this is 100";
    for (const int scans : {95, 1000})
        EXPECT_EQ(with_more(scans),
                  "JPEG image: the image data is invalid (more scans than the limit of 100)");
}

TEST(Jpeg, ChecksSizeAndComponentsFirst)
{
    std::string file = jpeg({});
    const std::size_t frame = find_marker(file, 0xC0);
    file.replace(frame + 5, 4, "\xFF\xDC\xFF\xDC");
    const auto image = decode(file);
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().code, LoadErrc::limit_exceeded);
    EXPECT_EQ(jpeg_error(jpeg({.colors = two})), "JPEG image: it has 2 color components");
}

// glTF requires ignoring it; the other formats do not specify it.
TEST(Jpeg, IgnoresTheExifOrientation)
{
    using namespace std::string_literals;
    const std::string turned = "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"s;
    EXPECT_EQ(colors_of(decode(jpeg({.exif = turned}))), colors_of(decode(jpeg({}))));
}

TEST(JpegScan, AcceptsSequentialHuffmanCodes)
{
    for (const bool noise : {false, true})
        for (JpegKind kind : every_jpeg_kind()) {
            kind.noise = noise;
            const bool is_usual = kind.colors == gray || kind.colors == rgb || kind.colors == ycc;
            EXPECT_EQ(images::has_valid_jpeg_scan(bytes_of(jpeg(kind))),
                      is_usual && !kind.progressive && !kind.arithmetic)
                << named(kind);
        }
}

// Each bit: what is accepted, libjpeg decodes.
TEST(JpegScan, AcceptsOnlyWhatIsDecoded)
{
    const std::string file = jpeg({.restart_rows = 1, .side = 24, .noise = true});
    std::size_t accepted = 0;
    for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
        std::string other = file;
        other[bit / 8] = static_cast<char>(other[bit / 8] ^ 1 << bit % 8);
        if (!images::has_valid_jpeg_scan(bytes_of(other))) continue;
        ++accepted;
        EXPECT_TRUE(decode(other)) << "bit " << bit;
    }
    EXPECT_GT(accepted, 0u); // bits of values
    EXPECT_LT(accepted, 8 * file.size());
}

} // namespace
} // namespace vitrine::test
