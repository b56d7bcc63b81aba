#include "loaders/images/texture_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/memory_source.hpp"
#include "tests/support/tga.hpp"

using namespace vitrine;
using testing::HasSubstr;

namespace {

// What get() warns of, a line each.
std::string warnings_of(const std::vector<std::string>& wanted, const Limits& limits = {})
{
    test::MemorySource source(
        "m.obj",
        {{"m.obj", ""}, {"bad.png", "no"}, {"a.tga", test::pixel(127)}, {"b.tga", test::pixel(127)}});
    scene::Scene scene;
    io::WarningLog log;
    images::TextureLibrary library(source, limits, scene, log);
    for (const auto& name : wanted)
        library.get(name, name);
    std::string all;
    for (const auto& warning : log.take())
        all += warning.code + ": " + warning.message + "\n";
    return all;
}

// The name of the file taken for `wanted` where the upload holds `stored`.
std::string taken_for(const std::string& wanted, const std::string& stored)
{
    test::MemorySource source("m.obj", {{"m.obj", ""}, {stored, test::pixel(127)}});
    scene::Scene scene;
    io::WarningLog log;
    return images::TextureLibrary(source, {}, scene, log).find(wanted);
}

} // namespace

TEST(TextureLibrary, GivesTheReasonEachTime)
{
    const std::string once = "invalid_image: the image 'bad.png' cannot be used: ";
    const auto found = warnings_of({"bad.png", "./bad.png"});
    EXPECT_EQ(found, once + "the bytes are not a known image format\n" + once +
                         "the bytes are not a known image format\n");
}

TEST(TextureLibrary, NamesTheLimitAndItsNumber)
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

TEST(TextureLibrary, FindsNamesInTheOtherUnicodeFormOrCase)
{
    const std::string composed = "T\u00fcr.png", apart = "Tu\u0308r.png", upper = "T\u00dcR.png";
    for (const std::string& stored : {composed, apart, upper})
        for (const std::string& wanted : {composed, apart, upper})
            EXPECT_EQ(taken_for(wanted, "maps/" + stored), "maps/" + stored) << wanted << " " << stored;
    EXPECT_EQ(taken_for("C:\\tex\\" + composed, apart), apart);
    EXPECT_EQ(taken_for("T%C3%BCr.png", apart), apart);
    EXPECT_EQ(taken_for("T\u00fcr.tif", apart), apart);
    EXPECT_EQ(taken_for("Tur.png", composed), "");
    EXPECT_EQ(taken_for("T\xfcr.PNG", "t\xfcr.png"), "t\xfcr.png"); // no UTF-8: ASCII's case alone
}
