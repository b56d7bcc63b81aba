#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/io/archive/unzip.hpp"
#include "tests/support/zip_builder.hpp"

using namespace vitrine;
using test::ZipBuilder;
using testing::ElementsAre;
using testing::Pair;

namespace {

using Members = std::map<std::string, std::string>;

LoadResult<Members> unpack(const std::string& zip, const Limits& limits = {})
{
    Members members;
    std::string* current = nullptr;
    const auto done =
        io::unzip(std::as_bytes(std::span(zip)), limits,
                  {.begin = [&](std::string_view name) { current = &members[std::string(name)]; },
                   .append = [&](std::string_view bytes) { current->append(bytes); }});
    if (!done) return std::unexpected(done.error());
    return members;
}

LoadErrc code_of(const std::string& zip, const Limits& limits = {})
{
    const auto members = unpack(zip, limits);
    EXPECT_FALSE(members.has_value());
    return members ? LoadErrc::internal : members.error().code;
}

} // namespace

TEST(Unzip, ReturnsNamesAndBytes)
{
    const std::string large(200'000, 'x');
    const auto members = unpack(ZipBuilder()
                                    .add("a.obj", "v 0 0 0")
                                    .add("dir/b.bin", large, {.deflated = true})
                                    .add("c", "")
                                    .bytes());
    ASSERT_TRUE(members.has_value()) << members.error().detail;
    EXPECT_THAT(*members, ElementsAre(Pair("a.obj", "v 0 0 0"), Pair("c", ""), Pair("dir/b.bin", large)));
}

TEST(Unzip, NormalizesNames)
{
    const auto members = unpack(ZipBuilder().add("a\\b.obj", "1").add("./c//d.obj", "2").bytes());
    ASSERT_TRUE(members.has_value()) << members.error().detail;
    EXPECT_THAT(*members, ElementsAre(Pair("a/b.obj", "1"), Pair("c/d.obj", "2")));
}

TEST(Unzip, RejectsNamesOutsideTheArchive)
{
    for (const auto* name : {"../a", "/etc/passwd", "a/../../b", "..\\..\\a", "\\a", "C:/../../a"})
        EXPECT_EQ(code_of(ZipBuilder().add(name, "x").bytes()), LoadErrc::malformed) << name;
}

// Names that are not models but occur in zips: "Icon\r" of macOS, notes with a time in their name.
TEST(Unzip, SanitizesUnusualNames)
{
    const auto members = unpack(ZipBuilder()
                                    .add("a.obj", "1")
                                    .add("Icon\r", "2")
                                    .add("notes: 1.txt", "3")
                                    .add("C:/x/y.txt", "4")
                                    .add("\x7f\x01", "5", {.flags = 0})
                                    .bytes());
    ASSERT_TRUE(members.has_value()) << members.error().detail;
    EXPECT_THAT(*members, ElementsAre(Pair("C_/x/y.txt", "4"), Pair("Icon_", "2"), Pair("__", "5"),
                                      Pair("a.obj", "1"), Pair("notes_ 1.txt", "3")));
}

// Windows writes its own code page without a marker.
TEST(Unzip, DecodesOtherEncodings)
{
    const auto names_of = [](const std::vector<std::string>& raw, std::uint16_t flags = 0) {
        ZipBuilder zip;
        for (const auto& name : raw)
            zip.add(name, "x", {.flags = flags});
        std::vector<std::string> names;
        const auto members = unpack(zip.bytes());
        if (!members) return std::vector{members.error().detail};
        for (const auto& [name, bytes] : *members)
            names.push_back(name);
        return names;
    };
    EXPECT_THAT(names_of({"\x95\x5c\x8e\xa6.png", "a.obj"}), ElementsAre("a.obj", "表示.png"));
    EXPECT_THAT(names_of({"\x83\x65\x83\x58\x83\x67.png"}), ElementsAre("テスト.png"));
    EXPECT_THAT(names_of({"\xcc\xf9\xcd\xbc\xd1\xd5\xc9\xab/a.png"}), ElementsAre("贴图颜色/a.png"));
    EXPECT_THAT(names_of({"K\x94ln.obj", "pr\x82\x66\x82r\x82.png"}).front(), "Köln.obj");
    EXPECT_THAT(names_of({"K\x94ln \x9a.obj", "M\x9aLLER"}), ElementsAre("Köln Ü.obj", "MÜLLER"));
    EXPECT_THAT(names_of({"grün.png", "表示.png"}), ElementsAre("grün.png", "表示.png"));
    EXPECT_THAT(names_of({"grün.png"}, 0x0800), ElementsAre("grün.png"));
}

TEST(Unzip, RejectsDuplicateNames)
{
    EXPECT_EQ(code_of(ZipBuilder().add("a", "1").add("a", "2").bytes()), LoadErrc::malformed);
    EXPECT_EQ(code_of(ZipBuilder().add("a/b", "1").add("a\\b", "2").bytes()), LoadErrc::malformed);
}

TEST(Unzip, SkipsFoldersLinksAndMetadata)
{
    const auto members = unpack(ZipBuilder()
                                    .add("dir/", "", {.unix_mode = 0040755})
                                    .add("link", "/etc/passwd", {.unix_mode = 0120777})
                                    .add("__MACOSX/._a", "x")
                                    .add("a", "1")
                                    .bytes());
    ASSERT_TRUE(members.has_value()) << members.error().detail;
    EXPECT_THAT(*members, ElementsAre(Pair("a", "1")));
}

TEST(Unzip, TreatsANestedZipAsAFile)
{
    const auto inner = ZipBuilder().add("x", "y").bytes();
    const auto members = unpack(ZipBuilder().add("inner.zip", inner).bytes());
    ASSERT_TRUE(members.has_value());
    EXPECT_THAT(*members, ElementsAre(Pair("inner.zip", inner)));
}

TEST(Unzip, RejectsEncryptedEntries)
{
    EXPECT_EQ(code_of(ZipBuilder().add("a", "1", {.flags = 0x0801}).bytes()), LoadErrc::unsupported);
}

TEST(Unzip, CountsInflatedBytesNotHeaders)
{
    Limits limits;
    limits.zip_bytes = 100'000;
    const std::string large(150'000, 'x');
    EXPECT_EQ(code_of(ZipBuilder().add("a", large, {.deflated = true}).bytes(), limits),
              LoadErrc::limit_exceeded);
    const auto lying =
        unpack(ZipBuilder().add("a", large, {.deflated = true, .false_size = true}).bytes(), limits);
    ASSERT_FALSE(lying.has_value());
    EXPECT_NE(lying.error().code, LoadErrc::internal);
}

TEST(Unzip, LimitsTheRatio)
{
    Limits limits;
    limits.zip_ratio = 100;
    const std::string zeros(4 << 20, '\0');
    const auto zip = ZipBuilder().add("a", zeros, {.deflated = true}).bytes();
    EXPECT_EQ(code_of(zip, limits), LoadErrc::limit_exceeded);
    limits.zip_ratio = 2000;
    EXPECT_TRUE(unpack(zip, limits).has_value());
}

// Nothing is inflated of a zip whose directory declares too much, and at most the declared bytes of an entry.
TEST(Unzip, RejectsBombsByTheDirectory)
{
    Limits limits;
    limits.zip_ratio = 100;
    const std::string zeros(4 << 20, '\0');
    const auto passed_on = [&](const std::string& zip) {
        std::size_t bytes = 0;
        const auto done = io::unzip(std::as_bytes(std::span(zip)), limits,
                                    {.begin = [](std::string_view) {},
                                     .append = [&](std::string_view piece) { bytes += piece.size(); }});
        EXPECT_FALSE(done);
        return bytes;
    };
    const auto honest = ZipBuilder().add("small", "1").add("a", zeros, {.deflated = true}).bytes();
    EXPECT_EQ(passed_on(honest), 0u);
    const auto lying = ZipBuilder().add("a", zeros, {.deflated = true, .false_size = true}).bytes();
    EXPECT_LE(passed_on(lying), 10u);
}

TEST(Unzip, ChecksTheOtherLimits)
{
    Limits limits;
    limits.zip_entries = 2;
    const auto three = ZipBuilder().add("a", "1").add("b", "2").add("c", "3").bytes();
    EXPECT_EQ(code_of(three, limits), LoadErrc::limit_exceeded);
    limits = {};
    limits.file_bytes = 3;
    EXPECT_EQ(code_of(ZipBuilder().add("a", "1234").bytes(), limits), LoadErrc::limit_exceeded);
}

TEST(Unzip, RejectsInvalidArchives)
{
    EXPECT_EQ(code_of("PK but no zip"), LoadErrc::malformed);
    EXPECT_EQ(code_of(ZipBuilder().bytes()), LoadErrc::empty);
    EXPECT_EQ(code_of(ZipBuilder().add("a", "123", {.break_checksum = true}).bytes()), LoadErrc::malformed);
}

TEST(Unzip, HandlesEveryTruncationAndFlippedByte)
{
    const auto zip =
        ZipBuilder().add("a.obj", "v 0 0 0").add("b/c", std::string(300, 'x'), {.deflated = true}).bytes();
    for (std::size_t size = 0; size < zip.size(); ++size)
        EXPECT_FALSE(unpack(zip.substr(0, size)).has_value()) << size;
    for (std::size_t at = 0; at < zip.size(); ++at)
        for (const char flip : {'\x01', '\x80', '\xff'}) {
            auto patched = zip;
            patched[at] = static_cast<char>(patched[at] ^ flip);
            const auto members = unpack(patched);
            if (!members) EXPECT_FALSE(members.error().detail.empty());
        }
}
