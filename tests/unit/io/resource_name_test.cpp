#include "loaders/io/resource_name.hpp"

#include <algorithm>

#include <gtest/gtest.h>

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

TEST(NormaliseName, KeepsWhatLiesInside)
{
    EXPECT_EQ(normalise_name("a/b.png"), "a/b.png");
    EXPECT_EQ(normalise_name("a\\b.png"), "a/b.png");
    EXPECT_EQ(normalise_name("./a//./b.png"), "a/b.png");
    EXPECT_EQ(normalise_name("a/../b.png"), "b.png");
    EXPECT_EQ(normalise_name("ünï cødé.png"), "ünï cødé.png");
    EXPECT_EQ(normalise_name("..a"), "..a");
    EXPECT_EQ(normalise_name("a%2e.png"), "a%2e.png");
}

TEST(NormaliseName, RefusesWhatDoesNot)
{
    using namespace std::string_literals;
    const std::string bad[] = {
        "",         ".",     "..",        "../a",      "a/../../b",           "/etc/a", "\\a",
        "//host/a", "C:\\a", "c:a",       "http://a",  "file:///a",           "data:,", "a\0b"s,
        "a\nb",     "a/..",  "..\\..\\a", "a/b/../..", std::string(1025, 'a')};
    for (const std::string& name : bad)
        EXPECT_FALSE(normalise_name(name)) << name;
}

TEST(Resolve, PrefersTheMainFilesFolder)
{
    const Names source("m/a.gltf", {"m/a.gltf", "m/t.png", "t.png", "textures/u.png"});
    EXPECT_EQ(resolve(source, "t.png")->name, "m/t.png");
    EXPECT_EQ(resolve(source, "../t.png")->name, "t.png");
    EXPECT_EQ(resolve(source, "..\\textures\\u.png")->name, "textures/u.png");
    EXPECT_EQ(resolve(source, "textures/u.png")->match, Match::exact);
}

TEST(Resolve, FindsByBaseNameIgnoringCase)
{
    const Names source("a.obj", {"a.obj", "skin/wood.PNG", "skin/walls/stone.png", "x/stone.png"});
    const auto wood = resolve(source, "C:\\Users\\me\\Wood.png");
    ASSERT_TRUE(wood);
    EXPECT_EQ(wood->name, "skin/wood.PNG");
    EXPECT_EQ(wood->match, Match::elsewhere);
    EXPECT_EQ(resolve(source, "/home/walls/Stone.png")->name, "skin/walls/stone.png");
    EXPECT_EQ(resolve(source, "../../x/stone.png")->name, "x/stone.png");
    EXPECT_FALSE(resolve(source, "tone.png"));
    EXPECT_FALSE(resolve(source, ""));
}

TEST(Resolve, FindsAccentsHoweverTheyArePutTogether)
{
    const Names source("a.obj", {"a.obj", "e\u0301te\u0301/bois.png", "haut/Ko\u0308nig.png", "\xff/x.png"});
    const auto found = resolve(source, "\u00e9t\u00e9/bois.png");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, "e\u0301te\u0301/bois.png");
    EXPECT_EQ(found->match, Match::elsewhere);
    EXPECT_EQ(resolve(source, "K\u00d6NIG.PNG")->name, "haut/Ko\u0308nig.png");
    EXPECT_FALSE(resolve(source, "Konig.png"));
    EXPECT_FALSE(resolve(source, "\xfe.png"));
}

TEST(ResourceName, Parts)
{
    EXPECT_EQ(folder_of("a/b/c.png"), "a/b/");
    EXPECT_EQ(folder_of("c.png"), "");
    EXPECT_EQ(base_name("C:\\x\\c.png"), "c.png");
    EXPECT_EQ(extension_of("a.b/c.PNG"), ".png");
    EXPECT_EQ(extension_of("a.b/c"), "");
}

} // namespace
} // namespace vitrine::io
