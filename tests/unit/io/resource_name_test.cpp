#include "loaders/io/resource_name.hpp"

#include <algorithm>
#include <cctype>
#include <random>

#include <gtest/gtest.h>

#include "tests/support/work_count.hpp"

namespace vitrine::io {
namespace {

class Names final : public Source {
public:
    Names(std::string main, std::vector<std::string> names) : main_(std::move(main)), names_(std::move(names))
    {
        std::ranges::sort(names_);
    }
    const std::string& main_name() const override { return main_; }
    const std::vector<std::string>& names() const override { return names_; }
    std::optional<Bytes> open(std::string_view) override { return std::nullopt; }

private:
    std::string main_;
    std::vector<std::string> names_;
};

TEST(NormalizeName, KeepsNamesInside)
{
    EXPECT_EQ(normalize_name("a/b.png"), "a/b.png");
    EXPECT_EQ(normalize_name("a\\b.png"), "a/b.png");
    EXPECT_EQ(normalize_name("./a//./b.png"), "a/b.png");
    EXPECT_EQ(normalize_name("a/../b.png"), "b.png");
    EXPECT_EQ(normalize_name("ünï cødé.png"), "ünï cødé.png");
    EXPECT_EQ(normalize_name("..a"), "..a");
    EXPECT_EQ(normalize_name("a%2e.png"), "a%2e.png");
}

TEST(NormalizeName, RejectsNamesOutside)
{
    using namespace std::string_literals;
    const std::string bad[] = {
        "",         ".",     "..",        "../a",      "a/../../b",           "/etc/a", "\\a",
        "//host/a", "C:\\a", "c:a",       "http://a",  "file:///a",           "data:,", "a\0b"s,
        "a\nb",     "a/..",  "..\\..\\a", "a/b/../..", std::string(1025, 'a')};
    for (const std::string& name : bad)
        EXPECT_FALSE(normalize_name(name)) << name;
}

TEST(Resolve, PrefersTheMainFilesFolder)
{
    Names source("m/a.gltf", {"m/a.gltf", "m/t.png", "t.png", "textures/u.png"});
    EXPECT_EQ(resolve(source, "t.png")->name, "m/t.png");
    EXPECT_EQ(resolve(source, "../t.png")->name, "t.png");
    EXPECT_EQ(resolve(source, "..\\textures\\u.png")->name, "textures/u.png");
    EXPECT_EQ(resolve(source, "textures/u.png")->match, Match::exact);
}

TEST(NameAbove, ReturnsNamesAboveTheRoot)
{
    EXPECT_EQ(name_above("", "../a.png"), "../a.png");
    EXPECT_EQ(name_above("", "..\\..\\b/./a.png"), "../../b/a.png");
    EXPECT_EQ(name_above("m/", "../../a.png"), "../a.png");
    EXPECT_EQ(name_above("", "b/../../a.png"), "../a.png");
    for (const char* inside : {"a.png", "b/../a.png", "", "..", "../..", "/../a.png", "C:/../a.png"})
        EXPECT_FALSE(name_above("", inside)) << inside;
    EXPECT_FALSE(name_above("m/", "../a.png"));
    EXPECT_FALSE(name_above("", "../" + std::string(1025, 'a')));
}

// Local files: names above their folder can be requested.
class LocalNames final : public Source {
public:
    const std::string& main_name() const override { return names_[0]; }
    const std::vector<std::string>& names() const override { return names_; }
    std::optional<Bytes> open(std::string_view) override { return std::nullopt; }
    bool can_open_outside(std::string_view name) override { return name == "../other/x.bin"; }

private:
    std::vector<std::string> names_{"a.gltf", "b/x.bin"};
};

TEST(Resolve, AllowsNamesAboveTheRootForLocalFilesOnly)
{
    LocalNames local;
    EXPECT_EQ(resolve(local, "../other/x.bin")->name, "../other/x.bin");
    EXPECT_EQ(resolve(local, "../other/x.bin")->match, Match::exact);
    EXPECT_EQ(resolve(local, "../gone/x.bin")->name, "b/x.bin") << "by base name";
    EXPECT_EQ(resolve_from(local, "b/", "../../other/x.bin")->name, "../other/x.bin");
    Names upload("a.gltf", {"a.gltf", "other/y.bin"});
    EXPECT_FALSE(resolve(upload, "../other/x.bin"));
}

TEST(Resolve, FindsByBaseNameIgnoringCase)
{
    Names source("a.obj", {"a.obj", "skin/wood.PNG", "skin/walls/stone.png", "x/stone.png"});
    const auto wood = resolve(source, "C:\\Users\\me\\Wood.png");
    ASSERT_TRUE(wood);
    EXPECT_EQ(wood->name, "skin/wood.PNG");
    EXPECT_EQ(wood->match, Match::elsewhere);
    EXPECT_EQ(resolve(source, "/home/walls/Stone.png")->name, "skin/walls/stone.png");
    EXPECT_EQ(resolve(source, "../../x/stone.png")->name, "x/stone.png");
    EXPECT_FALSE(resolve(source, "tone.png"));
    EXPECT_FALSE(resolve(source, ""));
}

// RFC 3986, 3.4 and 3.5: "?" begins the query, "#" the fragment.
TEST(Resolve, IgnoresQueriesAndFragmentsIfNoFileNameHasThem)
{
    Names source("m/a.gltf", {"m/a.gltf", "m/t.png", "m/u.png", "m/u.png?v=1", "m/skin.png", "x/w.bin"});
    for (const std::string_view requested_name :
         {"t.png?v=3", "t.png#top", "t.png?v=3#top", "t.png?", "t.png?a=b/c.png"}) {
        const auto found = resolve(source, requested_name);
        ASSERT_TRUE(found) << requested_name;
        EXPECT_EQ(found->name, "m/t.png") << requested_name;
        EXPECT_EQ(found->match, Match::exact) << requested_name;
    }
    EXPECT_EQ(resolve(source, "u.png?v=1")->name, "m/u.png?v=1") << "a file name may contain a query";
    EXPECT_EQ(resolve(source, "https://host/y/w.bin?v=1.2")->match, Match::elsewhere);
    EXPECT_EQ(resolve_from(source, "x/", "w.bin?v=1")->name, "x/w.bin");
    EXPECT_FALSE(resolve(source, "skin#2.png")) << "a file name, not a fragment";
    EXPECT_FALSE(resolve(source, "?t.png"));
    EXPECT_FALSE(resolve(source, "gone.png?v=3"));
    EXPECT_EQ(without_query("a.b/c?d"), "");
    EXPECT_EQ(without_query("a.png"), "");
}

TEST(Resolve, IgnoresUnicodeNormalization)
{
    Names source("a.obj", {"a.obj", "e\u0301te\u0301/bois.png", "haut/Ko\u0308nig.png", "\xff/x.png"});
    const auto found = resolve(source, "\u00e9t\u00e9/bois.png");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, "e\u0301te\u0301/bois.png");
    EXPECT_EQ(found->match, Match::elsewhere);
    EXPECT_EQ(resolve(source, "K\u00d6NIG.PNG")->name, "haut/Ko\u0308nig.png");
    EXPECT_FALSE(resolve(source, "Konig.png"));
    EXPECT_FALSE(resolve(source, "\xfe.png"));
}

TEST(ResourceName, SplitsParts)
{
    EXPECT_EQ(folder_of("a/b/c.png"), "a/b/");
    EXPECT_EQ(folder_of("c.png"), "");
    EXPECT_EQ(base_name("C:\\x\\c.png"), "c.png");
    EXPECT_EQ(extension_of("a.b/c.PNG"), ".png");
    EXPECT_EQ(extension_of("a.b/c"), "");
}

TEST(Resolve, UsesTheFirstOfEqualMatches)
{
    Names source("a.obj", {"a.obj", "a/t.png", "b/c/t.png", "b/d/T.png", "b/t.png-", "t.pn"});
    EXPECT_EQ(resolve(source, "/x/t.png")->name, "a/t.png");
    EXPECT_EQ(resolve(source, "/t.png")->name, "a/t.png");
    EXPECT_EQ(resolve(source, "\\D\\t.PNG")->name, "b/d/T.png");
    EXPECT_EQ(resolve(source, "b//t.png")->name, "a/t.png");
    EXPECT_EQ(resolve(source, "x/b/c/t.png")->name, "b/c/t.png");
    EXPECT_FALSE(resolve(source, "x/t.png/"));
    EXPECT_FALSE(resolve(source, std::string_view("a\0t.png", 7)));
}

// Number of equal trailing parts, by comparing two paths from their ends.
std::size_t common_tail(std::string_view a, std::string_view b)
{
    const auto is_slash = [](char c) { return c == '/' || c == '\\'; };
    std::size_t parts = 0;
    for (std::size_t n = 0; n < a.size() && n < b.size(); ++n) {
        const char x = a[a.size() - 1 - n], y = b[b.size() - 1 - n];
        if (is_slash(x) && is_slash(y))
            ++parts;
        else if (std::tolower(x) != std::tolower(y))
            return parts;
    }
    const std::string_view longer = a.size() > b.size() ? a : b;
    const std::size_t shorter = std::min(a.size(), b.size());
    const bool whole_part = longer.size() == shorter || is_slash(longer[longer.size() - 1 - shorter]);
    return whole_part ? parts + 1 : parts;
}

TEST(Resolve, MatchesALinearSearch)
{
    std::mt19937 random(7);
    const auto text = [&](std::string_view letters, std::size_t longest) {
        std::string out(random() % longest + 1, ' ');
        for (char& c : out)
            c = letters[random() % letters.size()];
        return out;
    };
    for (int round = 0; round < 3'000; ++round) {
        std::vector<std::string> names{"m"};
        for (int i = 0; i < 8; ++i)
            if (const auto name = normalize_name(text("aAb-/", 7))) names.push_back(*name);
        Names source("m", names);
        const std::string requested_name = "/" + text("aAb-/\\", 7); // does not exist at the stated path
        std::size_t max_parts = 0;
        std::string best;
        for (const auto& name : source.names())
            if (const auto parts = common_tail(name, requested_name); parts > max_parts) {
                max_parts = parts;
                best = name;
            }
        const auto found = resolve(source, requested_name);
        EXPECT_EQ(found ? found->name : "", best) << requested_name;
    }
}

// A model may name any number of missing files.
// Files are found by a table: a missing name is not compared with each of them.
TEST(Resolve, StaysLinearForManyMissingNames)
{
    test::expect_nearly_linear("files and missing names", 125, [](int count) {
        std::vector<std::string> names{"m.gltf"};
        std::string folder;
        for (int i = 0; i < 60; ++i)
            folder += "\u00e9";
        for (int i = 0; i < count; ++i)
            names.push_back(folder + "/" + std::to_string(i) + ".png");
        Names source("m.gltf", names);
        for (int i = 0; i < count; ++i)
            EXPECT_FALSE(resolve(source, "\u00fc" + std::to_string(i) + ".png"));
        EXPECT_TRUE(resolve(source, "\u00fc/" + std::to_string(count - 1) + ".png"));
    });
}

} // namespace
} // namespace vitrine::io
