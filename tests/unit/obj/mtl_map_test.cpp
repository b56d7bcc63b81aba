// Texture lines: options before and after a name that may look like one.

#include "loaders/obj/mtl_map.hpp"
#include "loaders/obj/mtl_parser.hpp"

#include <gmock/gmock.h>

namespace vitrine::obj {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

MtlMap map_of(std::string_view rest)
{
    io::WarningLog warnings;
    return parse_map(rest, "m.mtl: line 3", warnings);
}

// "code at place: message" of each warning.
std::vector<std::string> warnings_of(std::string_view rest)
{
    io::WarningLog log;
    parse_map(rest, "m.mtl: line 3", log);
    std::vector<std::string> all;
    for (const auto& warning : log.take())
        all.push_back(warning.code + " at " + warning.where + ": " + warning.message);
    return all;
}

TEST(ObjMtlMap, IsANameAlone)
{
    const MtlMap plain = map_of(" my picture.png ");
    EXPECT_EQ(plain.file, "my picture.png");
    EXPECT_TRUE(plain.has_same_transform({}));
    EXPECT_EQ(plain.bump, 1.0f);
    EXPECT_EQ(map_of("\"quoted name.png\"").file, "quoted name.png");
    EXPECT_EQ(map_of("-1.png").file, "-1.png");
    EXPECT_EQ(map_of("").file, "");
}

TEST(ObjMtlMap, OptionsTakeAsManyNumbersAsThereAre)
{
    EXPECT_EQ(map_of("-s 2 x.png").scale, glm::vec2(2, 1));
    EXPECT_EQ(map_of("-s 2 3 x.png").scale, glm::vec2(2, 3));
    EXPECT_EQ(map_of("-s 2 3 4 x.png").file, "x.png");
    EXPECT_EQ(map_of("-s 2 3 4 5 x.png").file, "5 x.png");
    EXPECT_EQ(map_of("-CLAMP On x.png").clamp, true);
}

TEST(ObjMtlMap, OptionsMayFollowTheName)
{
    EXPECT_EQ(map_of("b.jpg -bm 1.5").file, "b.jpg");
    EXPECT_EQ(map_of("b.jpg -bm 1.5").bump, 1.5f);
    const MtlMap all = map_of("-clamp on \"my b.jpg\" -s 2 3 -o -0.5 -bm 2");
    EXPECT_EQ(all.file, "my b.jpg");
    EXPECT_EQ(all.scale, glm::vec2(2.0f, 3.0f));
    EXPECT_EQ(all.offset, glm::vec2(-0.5f, 0.0f));
    EXPECT_EQ(all.bump, 2.0f);
    EXPECT_TRUE(all.clamp);
    for (const char* name : {"b -s.jpg", "b -s 2.jpg", "b -bm", "b -s", "b -bm 1.5 c.jpg", "b -x 1"})
        EXPECT_EQ(map_of(name).file, name);
    EXPECT_EQ(map_of("b -s c.jpg -s 2").file, "b -s c.jpg");
    EXPECT_EQ(map_of("b.jpg -clamp -clamp on").file, "b.jpg -clamp");
}

TEST(ObjMtlMap, OptionsThatAreNotShownWarnWhereTheyChangeAnything)
{
    const std::string at = "mtl_option at m.mtl: line 3: the option ",
                      end = " of a texture is not supported; it is ignored";
    EXPECT_THAT(warnings_of("-mm 0.1 1 -t 1 1 1 -blendu off -imfchan r -texres 512 -boost 2 -cc on a.png"),
                ElementsAre(at + "-mm" + end, at + "-t" + end, at + "-blendu" + end, at + "-imfchan" + end,
                            at + "-texres" + end, at + "-boost" + end, at + "-cc" + end));
    EXPECT_THAT(warnings_of("-mm 0 1 -t 0 -blendu on -boost 0.0 -cc off -o 1 1 -s 2 2 -clamp on -bm 2 a.png"),
                IsEmpty());
}

TEST(ObjMtlMap, UnknownOptionsArePassedOverWithTheirWords)
{
    const std::string_view line = "-unknown hello world -clamp on c.png";
    EXPECT_EQ(map_of(line).file, "c.png");
    EXPECT_TRUE(map_of(line).clamp);
    EXPECT_THAT(warnings_of(line),
                ElementsAre("mtl_unknown_option at m.mtl: line 3: the texture option '-unknown' is unknown"));
}

// The warnings about map_Ka in this library.
std::vector<std::string> warnings_of_ambient(const std::string& text)
{
    io::WarningLog log;
    parse_mtl(text, "m.mtl", 100, log);
    std::vector<std::string> all;
    for (const auto& warning : log.take())
        all.push_back(warning.code + " at " + warning.where + ": " + warning.message);
    return all;
}

TEST(ObjMtlMap, AmbientOnesWarnWhereTheyAreAnotherImage)
{
    const auto not_shown = [](int line) {
        return "mtl_not_shown at m.mtl: line " + std::to_string(line) +
               ": map_Ka is not supported; it is ignored";
    };
    EXPECT_THAT(warnings_of_ambient("newmtl a\nmap_Ka a.png\nmap_Kd b.png\n"), ElementsAre(not_shown(2)));
    EXPECT_THAT(warnings_of_ambient("newmtl a\nmap_Ka a.png\nnewmtl b\nmap_Kd a.png\nmap_Ka c.png"),
                ElementsAre(not_shown(2), not_shown(5)));
    EXPECT_THAT(warnings_of_ambient("newmtl a\nmap_Ka -mm 0.5 2 a.png\nmap_Kd a.png\n"), IsEmpty());
    EXPECT_THAT(warnings_of_ambient("newmtl a\nmap_Kd T/A.PNG\nmap_Ka .\\t\\a.png\n"), IsEmpty());
    EXPECT_THAT(warnings_of_ambient("newmtl a\nmap_Ka\n"), IsEmpty());
}

} // namespace
} // namespace vitrine::obj
