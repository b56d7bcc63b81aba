// Images of which only the validity and the opacity matter.

#include <gtest/gtest.h>

#include "loaders/images/derived_images.hpp"
#include "loaders/images/texture_library.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/unit/images/jpeg_samples.hpp"
#include "tests/unit/images/png_samples.hpp"
#include "tests/unit/images/samples.hpp"

namespace vitrine::test {
namespace {

// Of the formats that are checked.
std::vector<std::string> every_file()
{
    std::vector<std::string> files;
    for (const JpegKind& kind : every_jpeg_kind())
        files.push_back(jpeg(kind));
    for (const auto colors : {JpegColors::gray, JpegColors::rgb, JpegColors::ycc})
        files.push_back(jpeg({.colors = colors, .restart_rows = 1, .side = 24, .noise = true}));
    for (const PngKind& kind : every_png_kind(3, 5))
        files.push_back(write_png(kind, std::string(kind.height * row_bytes(kind), '\xFF')));
    files.push_back(tga({.type = 10, .bits = 24}, "\x81"
                                                  "abc"));
    files.push_back(tga({.type = 1, .bits = 8, .map_count = 1, .map_bits = 24}, "abc" + from_list({0, 0})));
    files.push_back(tga({.type = 1, .bits = 8, .map_count = 1, .map_bits = 32}, "abcd" + from_list({0, 0})));
    files.push_back(tga({.type = 3, .bits = 8}, "ab"));
    files.push_back(tga({.type = 3, .bits = 16}, "abcd"));
    files.push_back(tga({.type = 2, .bits = 32}, "abcdefgh"));
    return files;
}

// The check has the error of decoding, or its size and its pixels or their opacity.
void expect_as_decoded(const std::string& file, const std::string& what)
{
    const auto decoded = decode_or_reduce(file, images::PixelUse::keep),
               checked = decode_or_reduce(file, images::PixelUse::check);
    ASSERT_EQ(decoded.has_value(), checked.has_value()) << what;
    if (!decoded) {
        EXPECT_EQ(decoded.error().code, checked.error().code) << what;
        EXPECT_EQ(decoded.error().detail, checked.error().detail) << what;
        return;
    }
    EXPECT_EQ(decoded->width, checked->width) << what;
    EXPECT_EQ(decoded->height, checked->height) << what;
    if (!checked->is_checked) {
        EXPECT_EQ(colors_of(decoded), colors_of(checked)) << what;
        return;
    }
    EXPECT_TRUE(checked->pixels.empty()) << what;
    for (const Color& color : colors_of(decoded))
        EXPECT_EQ(color[3], 255) << what;
}

TEST(CheckedImage, HasTheResultOfDecodingForEveryTruncation)
{
    for (const std::string& file : every_file())
        for (std::size_t size = 0; size <= file.size(); ++size)
            expect_as_decoded(file.substr(0, size), file.substr(0, 4) + " of " + std::to_string(size));
}

TEST(CheckedImage, HasTheResultOfDecodingForEveryFlippedByte)
{
    for (const std::string& file : every_file()) {
        for (std::size_t at = 0; at < file.size(); ++at) {
            std::string broken = file;
            broken[at] = static_cast<char>(broken[at] ^ 0xFF);
            expect_as_decoded(broken, file.substr(0, 4) + ", byte " + std::to_string(at));
        }
    }
}

TEST(CheckedImage, IsCheckedForOpaqueKindsOnly)
{
    for (const JpegKind& kind : every_jpeg_kind())
        EXPECT_TRUE(check(jpeg(kind))->is_checked);
    EXPECT_TRUE(check(tga({.type = 2, .bits = 24}, "abcdef"))->is_checked);
    EXPECT_FALSE(check(tga({.type = 2, .bits = 32}, "abcdefgh"))->is_checked);
    EXPECT_FALSE(check(gif(2, 2, {}, "0123"))->is_checked);
}

class CheckedTextures : public testing::Test {
protected:
    CheckedTextures() { source.leave_pixels_out(); }

    const std::string square = jpeg({});
    MemorySource source{"m.obj",
                        {{"m.obj", ""},
                         {"a.jpg", square},
                         {"bad.jpg", square.substr(0, 300)},
                         {"large.jpg", jpeg({.side = 128})}}};
    Limits limits;
    scene::Scene scene;
    io::WarningLog log;
    images::TextureLibrary library{source, limits, scene, log};
    images::DerivedImages derived{library};
};

TEST_F(CheckedTextures, AreAvailableWithoutPixels)
{
    const auto image = library.get("a.jpg", "here");
    EXPECT_TRUE(library.has_image(image));
    EXPECT_TRUE(library.is_checked(image));
    EXPECT_TRUE(derived.is_opaque(image));
    EXPECT_TRUE(derived.has_binary_alpha(image));
    EXPECT_TRUE(scene.images.at(image).pixels.empty());
    EXPECT_TRUE(log.take().empty());
    EXPECT_FALSE(library.has_image(library.get("bad.jpg", "here")));
    const auto warnings = log.take();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0].code, "invalid_image");
}

TEST_F(CheckedTextures, AreDecodedForWhatDependsOnPixels)
{
    const auto image = library.get("a.jpg", "here");
    EXPECT_FALSE(derived.is_gray(image));
    EXPECT_EQ(scene.images.at(image).pixels, decode(square)->pixels);
    EXPECT_FALSE(library.is_checked(image));
}

// The reduction applies to images with and without pixels.
TEST_F(CheckedTextures, AreDecodedAtTheirReducedSize)
{
    const auto image = library.get("large.jpg", "here");
    ASSERT_TRUE(library.is_checked(image));
    limits.total_pixels = 10'000; // of the 128 x 128 and 64 x 64 pixels
    scene::Image other{.name = "b", .width = 64, .height = 64, .pixels = {}};
    other.pixels.assign(std::size_t{4} * 64 * 64, 9);
    ASSERT_NE(library.add(std::move(other)), scene::none);
    EXPECT_EQ(scene.images.at(image).width, 64u);
    EXPECT_TRUE(library.is_checked(image));
    EXPECT_EQ(library.image(image).pixels.size(), std::size_t{4} * 64 * 64);
    EXPECT_EQ(library.file_size(image), (images::ImageSize{128, 128}));
}

} // namespace
} // namespace vitrine::test
