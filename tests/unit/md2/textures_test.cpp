#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/scene/validation/validate.hpp"
#include "tests/support/tga.hpp"
#include "tests/unit/md2/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// The color of a model with these skins next to these files, and the codes of its warnings.
std::pair<int, std::string> color_and_warnings(std::vector<std::string> skins,
                                               std::map<std::string, std::string> files)
{
    Md2Model model;
    model.skins = std::move(skins);
    files["tris.md2"] = model.write();
    const auto loaded = load_md2_files(std::move(files));
    EXPECT_TRUE(loaded);
    EXPECT_TRUE(scene::validate(*loaded));
    std::string codes;
    for (const auto& warning : loaded->warnings)
        codes += (codes.empty() ? "" : " ") + warning.code;
    const std::uint32_t image = loaded->materials.at(0).base_color_texture.image;
    return {image == scene::none ? -1 : loaded->images.at(image).pixels.at(0), codes};
}

using ColorAndWarnings = std::pair<int, std::string>;

} // namespace

TEST(Md2Skin, SelectsTheNamedOne)
{
    EXPECT_EQ(color_and_warnings({"models/a/skin.pcx"}, {{"models/a/skin.tga", pixel(1)}}),
              ColorAndWarnings(1, ""));
    EXPECT_EQ(color_and_warnings({"models/a/skin.tga"}, {{"skin.tga", pixel(1)}}),
              ColorAndWarnings(1, "found_elsewhere"));
    EXPECT_EQ(color_and_warnings({"Skin.tga"}, {{"skin.tga", pixel(1)}}),
              ColorAndWarnings(1, "found_elsewhere"));
    EXPECT_EQ(color_and_warnings({".leaf"}, {{"leaf.tga", pixel(1)}}),
              ColorAndWarnings(1, "")); // as UFO: Alien Invasion writes it
    EXPECT_EQ(color_and_warnings({"no.pcx", "b.tga"}, {{"b.tga", pixel(2)}}),
              ColorAndWarnings(2, "md2_skins"));
    EXPECT_EQ(color_and_warnings({"no.pcx"}, {}), ColorAndWarnings(-1, "missing_image"));
}

TEST(Md2Skin, IsTheFileBesideItWhereNoneIsNamed)
{
    EXPECT_EQ(color_and_warnings({}, {{"tris.tga", pixel(3)}, {"other.tga", pixel(4)}}),
              ColorAndWarnings(3, "found_elsewhere"));
    EXPECT_EQ(color_and_warnings({}, {{"male.tga", pixel(3)}, {"male_i.tga", pixel(4)}}),
              ColorAndWarnings(3, "found_elsewhere"));
    EXPECT_EQ(color_and_warnings({}, {}), ColorAndWarnings(-1, "missing_image"));
}

// The image, and the reason for its choice.
TEST(Md2Skin, ReportsTheReplacement)
{
    const auto message_of = [](std::vector<std::string> skins, std::map<std::string, std::string> files) {
        Md2Model model;
        model.skins = std::move(skins);
        files["tris.md2"] = model.write();
        return load_md2_files(std::move(files)).value().warnings.at(0).message;
    };
    EXPECT_EQ(message_of({"x/sk.pcx"}, {{"a.tga", pixel(1)}}),
              "the image of shader 'x/sk.pcx' is missing; the file 'a.tga' is used, the only likely image of "
              "the folder");
    EXPECT_EQ(message_of({}, {{"tris.tga", pixel(1)}}),
              "the image of the mesh is missing; the file 'tris.tga' is used, which is named like the mesh");
    EXPECT_EQ(
        message_of({}, {{"a.tga", pixel(1)}, {"red-skin.tga", pixel(2)}}),
        "the image of the mesh is missing; the file 'red-skin.tga' is used, which is named like a skin");
    EXPECT_EQ(
        message_of({}, {{"a.tga", pixel(1)}, {"old_tris.tga", pixel(2)}}),
        "the image of the mesh is missing; the file 'old_tris.tga' is used, which is named like the mesh");
}

TEST(Md2Skin, NamedInLatin1IsFoundAndNamedInUtf8)
{
    Md2Model model;
    model.skins = {"b\xE4r.tga"};
    const auto loaded = load_md2_files({{"tris.md2", model.write()}, {"b\xC3\xA4r.tga", pixel(7)}});
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->materials.at(0).name, "b\xC3\xA4r.tga");
    EXPECT_EQ(loaded->images.at(0).pixels.at(0), 7);
}

TEST(Md2Skin, WithHolesIsCutOut)
{
    Md2Model model;
    model.skins = {"leaf.tga"};
    const auto alpha_mode = [&](std::uint8_t alpha) {
        std::string leaf = pixel(1);
        leaf[12] = 2; // pixels wide
        leaf += std::string(3, '\1') + static_cast<char>(alpha);
        const auto loaded = load_md2_files({{"tris.md2", model.write()}, {"leaf.tga", leaf}});
        return loaded->materials.at(0).alpha_mode;
    };
    EXPECT_EQ(alpha_mode(0), scene::AlphaMode::mask);
    EXPECT_EQ(alpha_mode(255), scene::AlphaMode::opaque);
}

// Texture coordinates are in pixels of the file.
TEST(Md2Skin, ThatIsReducedKeepsTheTextureCoordinates)
{
    Md2Model model;
    model.skins = {"large.tga"};
    model.skin_width = model.skin_height = 0;
    const std::string large = tga(128, 64, std::vector<std::uint8_t>(std::size_t{4} * 128 * 64, 9));
    const std::map<std::string, std::string> files{{"tris.md2", model.write()}, {"large.tga", large}};
    const auto whole = load_md2_files(files), reduced = load_md2_files(files, {.image_pixels = 5'000});
    ASSERT_TRUE(whole && reduced);
    EXPECT_EQ(reduced->images.at(0).width, 64u);
    EXPECT_EQ(reduced->warnings.at(0).code, "image_reduced");
    EXPECT_EQ(whole->meshes.at(0).uv0[1], glm::vec2(0.5f, 0.5f)); // 64, 32 of 128, 64
    EXPECT_TRUE(std::ranges::equal(reduced->meshes.at(0).uv0, whole->meshes.at(0).uv0));
}

// The names of the variants, each with the color of its image.
std::vector<std::pair<std::string, int>> variants_of(std::vector<std::string> skins,
                                                     std::map<std::string, std::string> files)
{
    Md2Model model;
    model.skins = std::move(skins);
    files["tris.md2"] = model.write();
    const auto scene = valid(load_md2_files(std::move(files)));
    const auto& variants = scene.meshes.at(0).primitives.at(0).variants;
    EXPECT_EQ(variants.size(), scene.variants.size());
    std::vector<std::pair<std::string, int>> found;
    for (const auto& [variant, material] : variants) {
        const auto image = scene.materials.at(material).base_color_texture.image;
        found.emplace_back(scene.variants.at(variant), scene.images.at(image).pixels.at(0));
    }
    if (!variants.empty()) EXPECT_EQ(variants[0].material, scene.meshes[0].primitives[0].material);
    return found;
}

TEST(Md2Skin, OtherOnesAreVariants)
{
    using testing::ElementsAre;
    using testing::Pair;
    const std::map<std::string, std::string> images{
        {"a.tga", pixel(1)}, {"b.tga", pixel(2)}, {"c.tga", pixel(3)}};
    EXPECT_THAT(variants_of({"models/x/a.pcx", "b.tga"}, images), ElementsAre(Pair("a", 1), Pair("b", 2)));
    EXPECT_THAT(variants_of({"no.tga", "b.tga", "b.tga", "c.tga"}, images),
                ElementsAre(Pair("b", 2), Pair("c", 3)));
    EXPECT_THAT(variants_of({"a.tga"}, images), testing::IsEmpty());
    EXPECT_THAT(variants_of({"a.tga", "no.tga"}, images), testing::IsEmpty());
}

TEST(Md2Skin, FilesBesideItAreVariants)
{
    using testing::ElementsAre;
    using testing::Pair;
    EXPECT_THAT(variants_of({"grunt.tga"}, {{"grunt.tga", pixel(1)},
                                            {"grunt_i.tga", pixel(9)},
                                            {"razor.tga", pixel(2)},
                                            {"razor_i.tga", pixel(9)},
                                            {"weapon.tga", pixel(8)}}),
                ElementsAre(Pair("grunt", 1), Pair("razor", 2)));
    EXPECT_THAT(
        variants_of({}, {{"tris.tga", pixel(1)}, {"tris_red.tga", pixel(2)}, {"tris_norm.tga", pixel(3)}}),
        testing::IsEmpty())
        << "the shown one is only guessed";
    EXPECT_THAT(
        variants_of({"tris.tga"},
                    {{"tris.tga", pixel(1)}, {"tris_red.tga", pixel(2)}, {"tris_norm.tga", pixel(3)}}),
        ElementsAre(Pair("tris", 1), Pair("tris_red", 2)));
}
