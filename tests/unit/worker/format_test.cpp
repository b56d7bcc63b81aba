#include <array>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "loaders/base/model_formats.hpp"
#include "loaders/worker/child/formats.hpp"

using namespace vitrine;
using namespace vitrine::worker;
using namespace std::string_view_literals;

namespace {

constexpr std::array first_extensions{".one"sv, ".uno"sv};
constexpr std::array second_extensions{".two"sv};

bool starts_with_two(Bytes bytes)
{
    return !bytes.empty() && bytes[0] == std::byte{2};
}

constexpr std::array table{
    Format{"first", first_extensions, nullptr, nullptr},
    Format{"second", second_extensions, starts_with_two, nullptr},
};

constexpr std::array<std::byte, 1> plain{std::byte{1}};
constexpr std::array<std::byte, 1> marked{std::byte{2}};

} // namespace

TEST(FindFormat, UsesBytesThenName)
{
    EXPECT_EQ((*find_format(table, "a.one", plain))->name, "first");
    EXPECT_EQ((*find_format(table, "dir/a.UNO", plain))->name, "first");
    EXPECT_EQ((*find_format(table, "a.one", marked))->name, "second");
    EXPECT_EQ((*find_format(table, "a", marked))->name, "second");
    EXPECT_EQ((*find_format(table, "a.two", plain))->name, "second");
}

TEST(FindFormat, SeparatesUnsupportedFromUnknown)
{
    EXPECT_EQ(find_format(table, "a.fbx", plain).error().code, LoadErrc::unsupported);
    EXPECT_EQ(find_format(table, "a.txt", plain).error().code, LoadErrc::unknown_format);
    EXPECT_EQ(find_format(table, "one", plain).error().code, LoadErrc::unknown_format);
}

TEST(FindFormat, ReportsTheActualContent)
{
    const auto error_text = [](std::string_view bytes) {
        const auto found = find_format(table, "a.one", std::as_bytes(std::span(bytes)));
        return found ? std::string() : found.error().detail;
    };
    EXPECT_EQ(error_text("\x89PNG\r\n\x1a\n..."), "the file is a PNG image, not a model");
    EXPECT_EQ(error_text("PK\x03\x04..."), "the file is a zip archive, not a model");
    EXPECT_EQ(error_text("BM\1\2\3\4\0\0\0\0..."sv), "the file is a BMP image, not a model");
    EXPECT_EQ(error_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"),
              "the file is a Git LFS pointer, whose content was not fetched");
    EXPECT_EQ(error_text("version 1"), "");
    EXPECT_EQ(error_text("BM is how this text starts"), "");
    EXPECT_EQ(error_text("BM"), "");
}

// A .zae is a zip by definition.
TEST(FindFormat, JsonIsNotObj)
{
    constexpr auto json = "\r\n {\"asset\": {}}"sv;
    const auto found = find_format(table, "a.obj", std::as_bytes(std::span(json)));
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().detail, "the file is JSON, not OBJ; glTF files need the extension .gltf");
}

TEST(FindFormat, AcceptsAZippedModel)
{
    constexpr std::array extensions{".zae"sv};
    const std::array zipped{Format{"dae", extensions, nullptr, nullptr}};
    const auto bytes = std::as_bytes(std::span("PK\x03\x04..."sv));
    EXPECT_TRUE(find_format(zipped, "a.zae", bytes));
    EXPECT_FALSE(find_format(zipped, "a.dae", bytes));
}

TEST(ModelFormats, AreFoundByExtension)
{
    ASSERT_NE(find_model_format(".md5anim"), nullptr);
    EXPECT_EQ(find_model_format(".md5anim"), find_model_format(".md5mesh"));
    EXPECT_TRUE(find_model_format(".md5anim")->is_animation_extension(".md5anim"));
    EXPECT_FALSE(find_model_format(".md5anim")->is_animation_extension(".md5mesh"));
    EXPECT_EQ(find_model_format(".zae")->id, "dae");
    for (const auto* extension : {"", ".", ".mtl", ".png", "glb"})
        EXPECT_EQ(find_model_format(extension), nullptr) << extension;
}

TEST(ModelFormats, NameTheFilesBesideAModel)
{
    for (const auto* extension : {".mtl", ".bin", ".md5anim", ".skin", ".cfg", ".xml", ".mc", ".mcx", ".pc2"})
        EXPECT_TRUE(is_companion_extension(extension)) << extension;
    EXPECT_FALSE(is_companion_extension(".md5mesh"));
    EXPECT_FALSE(is_companion_extension(".txt"));
    EXPECT_TRUE(is_namesake_extension(".mtl"));
    EXPECT_TRUE(is_namesake_extension(".bin"));
    EXPECT_FALSE(is_namesake_extension(".pc2"));
}

TEST(ModelFormats, NameZippedModels)
{
    EXPECT_TRUE(is_zipped_extension(".zae"));
    for (const auto* extension : {".dae", ".zip", ".glb", ""})
        EXPECT_FALSE(is_zipped_extension(extension)) << extension;
    EXPECT_FALSE(find_model_format(".dae")->zipped_extensions.empty()) << "a .dae may be a zip, too";
    EXPECT_TRUE(find_model_format(".glb")->zipped_extensions.empty());
}

TEST(ModelFormats, TraitsBelongToTheNameInTheScene)
{
    for (const auto name : {"gltf"sv, "glb"sv})
        EXPECT_EQ(scene_traits(name), (SceneTraits{.declares_sides = true})) << name;
    EXPECT_EQ(scene_traits("fbx"), (SceneTraits{.exact_key_times = true, .lists_unbound_joints = true}));
    EXPECT_EQ(scene_traits("zae"), (SceneTraits{.one_timeline = true}));
    EXPECT_EQ(scene_traits("md5"), (SceneTraits{.every_node_is_joint = true}));
    for (const auto name : {"obj"sv, ".gltf"sv, ""sv})
        EXPECT_EQ(scene_traits(name), SceneTraits{}) << name;
}
