#include "loaders/images/texture_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/memory_source.hpp"
#include "tests/support/tga.hpp"

using namespace vitrine;
using testing::HasSubstr;

namespace {

// The warnings of get(), one per line.
std::string warnings_of(const std::vector<std::string>& requested_name, const Limits& limits = {})
{
    test::MemorySource source(
        "m.obj",
        {{"m.obj", ""}, {"bad.png", "no"}, {"a.tga", test::pixel(127)}, {"b.tga", test::pixel(127)}});
    scene::Scene scene;
    io::WarningLog log;
    images::TextureLibrary library(source, limits, scene, log);
    for (const auto& name : requested_name)
        library.get(name, name);
    std::string all;
    for (const auto& warning : log.take())
        all += warning.code + ": " + warning.message + "\n";
    return all;
}

// The name of the file used for `requested_name` if the upload contains `stored`.
std::string file_used_for(const std::string& requested_name, const std::string& stored)
{
    test::MemorySource source("m.obj", {{"m.obj", ""}, {stored, test::pixel(127)}});
    scene::Scene scene;
    io::WarningLog log;
    return images::TextureLibrary(source, {}, scene, log).find(requested_name);
}

} // namespace

TEST(TextureLibrary, ReportsTheReasonEachTime)
{
    const std::string once = "invalid_image: the image 'bad.png' cannot be used: ";
    const auto found = warnings_of({"bad.png", "./bad.png"});
    EXPECT_EQ(found, once + "the bytes are not a known image format\n" + once +
                         "the bytes are not a known image format\n");
}

TEST(TextureLibrary, IgnoresQueriesOfUris)
{
    EXPECT_EQ(warnings_of({"a.tga?v=3", "b.tga#top"}), "");
    EXPECT_EQ(file_used_for("my%20map.tga?v=1.2", "my map.tga"), "my map.tga");
    EXPECT_EQ(file_used_for("map.tif?v=1.2", "map.png"), "map.png") << "converted image";
    EXPECT_EQ(file_used_for("a.tga?v=3", "a.tga?v=3"), "a.tga?v=3");
}

using namespace std::string_literals;

// The first bytes of files, and what the warning calls them.
const std::pair<std::string, std::string> unsupported_formats[] = {
    {"v/1\x01\x02"s, "an OpenEXR"},
    {"\0\0\0\x1C"
     "ftypavif\0\0\0\0mif1miaf"s,
     "an AVIF"},
    {"\0\0\0\x1C"
     "ftypmif1\0\0\0\0avifmiaf"s,
     "an AVIF"},
    {"\0\0\0\x18"
     "ftypheic\0\0\0\0mif1heic"s,
     "a HEIC"},
    {"\0\0\0\x0CjP  \r\n\x87\n"s, "a JPEG 2000"},
    {"\xFF\x4F\xFF\x51\0"s, "a JPEG 2000"},
    {"\0\0\0\x0CJXL \r\n\x87\n"s, "a JPEG XL"},
    {"\xFF\x0A\x01"s, "a JPEG XL"},
    {"\xABKTX 20\xBB\r\n\x1A\n"s, "a KTX2"},
    {"\xABKTX 11\xBB\r\n\x1A\n"s, "a KTX"},
    {"<svg xmlns='http://www.w3.org/2000/svg'/>"s, "an SVG"},
    {"\xEF\xBB\xBF<?xml version='1.0'?>\n<!-- a --><svg/>"s, "an SVG"},
    {"qoif"s, "a QOI"},
    {"gimp xcf v011"s, "an XCF"},
    {"VTF\0\7"s, "a VTF"},
    {"\x13\xAB\xA1\x5C\4"s, "an ASTC"},
    {"PVR\x03"s, "a PVR"},
    {"II\xBC\x01"s, "a JPEG XR"},
};

TEST(TextureLibrary, NamesUnsupportedFormats)
{
    for (const auto& [bytes, name] : unsupported_formats) {
        test::MemorySource source("m.obj", {{"m.obj", ""}, {"x.png", bytes}});
        scene::Scene scene;
        io::WarningLog log;
        images::TextureLibrary(source, {}, scene, log).get("x.png", "m");
        const auto warnings = log.take();
        ASSERT_EQ(warnings.size(), 1u) << name;
        EXPECT_EQ(warnings[0].code, "invalid_image");
        EXPECT_EQ(warnings[0].message, "the image 'x.png' cannot be used: it is " + name +
                                           " image, a format that is not supported");
    }
}

TEST(TextureLibrary, ReportsTheLimitAndItsNumber)
{
    EXPECT_EQ(warnings_of({"a.tga", "b.tga"}), "");
    EXPECT_THAT(warnings_of({"a.tga", "b.tga"}, {.images = 1}),
                HasSubstr("'b.tga' cannot be used: the images: more than the limit images = 1\n"));
    EXPECT_THAT(warnings_of({"a.tga"}, {.image_pixels = 0}),
                HasSubstr("1 x 1 pixels: more than the limit image_pixels = 0\n"));
    EXPECT_THAT(
        warnings_of({"a.tga", "b.tga"}, {.total_pixels = 1}),
        HasSubstr(
            "'b.tga' cannot be used: the pixels of all images: more than the limit total_pixels = 1\n"));
    EXPECT_THAT(warnings_of({"a.tga"}, {.file_bytes = 3}),
                HasSubstr("its 22 bytes: more than the limit file_bytes = 3\n"));
}

TEST(TextureLibrary, IgnoresUnicodeNormalizationAndCase)
{
    const std::string composed = "T\u00fcr.png", apart = "Tu\u0308r.png", upper = "T\u00dcR.png";
    for (const std::string& stored : {composed, apart, upper})
        for (const std::string& requested_name : {composed, apart, upper})
            EXPECT_EQ(file_used_for(requested_name, "maps/" + stored), "maps/" + stored)
                << requested_name << " " << stored;
    EXPECT_EQ(file_used_for("C:\\tex\\" + composed, apart), apart);
    EXPECT_EQ(file_used_for("T%C3%BCr.png", apart), apart);
    EXPECT_EQ(file_used_for("T\u00fcr.tif", apart), apart);
    EXPECT_EQ(file_used_for("Tur.png", composed), "");
    EXPECT_EQ(file_used_for("T\xfcr.PNG", "t\xfcr.png"), "t\xfcr.png"); // no UTF-8: ASCII's case alone
}
