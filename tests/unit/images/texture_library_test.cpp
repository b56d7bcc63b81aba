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

TEST(TextureLibrary, ReportsTheLimitAndItsNumber)
{
    EXPECT_EQ(warnings_of({"a.tga", "b.tga"}), "");
    EXPECT_THAT(warnings_of({"a.tga", "b.tga"}, {.images = 1}),
                HasSubstr("'b.tga' cannot be used: there are more images than the limit images = 1\n"));
    EXPECT_THAT(warnings_of({"a.tga"}, {.image_pixels = 0}),
                HasSubstr("1 x 1 pixels are more than the limit image_pixels = 0\n"));
    EXPECT_THAT(
        warnings_of({"a.tga", "b.tga"}, {.total_pixels = 1}),
        HasSubstr("'b.tga' cannot be used: with it all images have more than the limit total_pixels = 1\n"));
    EXPECT_THAT(warnings_of({"a.tga"}, {.file_bytes = 3}),
                HasSubstr("its 22 bytes are more than the limit file_bytes = 3\n"));
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
