// Where a material's images are found, and how a map affects the value it is connected to.

#include <cmath>

#include "tests/support/base64.hpp"
#include "tests/unit/fbx/materials.hpp"

namespace vitrine::fbx {
namespace {

using testing::ElementsAre;

TEST(FbxTexture, FindsTexturesByEveryNameTheyHave)
{
    const auto by = [](const std::string& fields, const std::string& video = {}) {
        return load_material("",
                             "Texture: 2, \"Texture::t\", \"\" { " + fields +
                                 " }\nVideo: 3, \"Video::v\", \"Clip\" { " + video + " }\n",
                             connect(2, "DiffuseColor") + "C: \"OO\",3,2\n", {{"pictures/a.tga", red}});
    };
    EXPECT_EQ(by("RelativeFilename: \"pictures\\a.tga\"").codes.size(), 0u);
    EXPECT_THAT(by("FileName: \"C:\\work\\a.tga\"").codes, ElementsAre("found_elsewhere"));
    EXPECT_EQ(by("RelativeFilename: \"..\\gone.tga\"\nFileName: \"pictures/a.tga\"").codes.size(), 0u);
    EXPECT_EQ(by("", "Filename: \"pictures/a.tga\"").codes.size(), 0u);
    EXPECT_THAT(by("RelativeFilename: \"gone.tga\"").codes, ElementsAre("missing_image"));
}

TEST(FbxTexture, PlacesTexturesByElementsWhereNoPropertyDoes)
{
    const auto placed = [](const std::string& fields) {
        return load_material("",
                             "Texture: 2, \"Texture::t\", \"\" { RelativeFilename: \"a.tga\"\n"
                             "ModelUVTranslation: 0.25,0\nModelUVScaling: 2,1\n" +
                                 fields + " }\n",
                             connect(2, "DiffuseColor"), {{"a.tga", red}})
            .material()
            .base_color_texture;
    };
    EXPECT_EQ(placed("").scale, glm::vec2(2.0f, 1.0f));
    EXPECT_EQ(placed("").offset.x, 0.25f);
    const auto stated = placed("Properties70: { P: \"Scaling\", \"Vector\", \"\", \"A\",3,3,1\n"
                               "P: \"Translation\", \"Vector\", \"\", \"A\",0.5,0,0 }\n");
    EXPECT_EQ(stated.scale, glm::vec2(3.0f, 3.0f));
    EXPECT_EQ(stated.offset.x, 0.5f);
    EXPECT_EQ(placed("ModelUVScaling: \"x\",1\n").scale, glm::vec2(2.0f, 1.0f));
}

TEST(FbxTexture, SwapsUAndVBeforeItPlacesThem)
{
    const auto texture = load_material("",
                                       "Texture: 2, \"Texture::t\", \"\" { RelativeFilename: \"a.tga\"\n"
                                       "Properties70: { P: \"UVSwap\", \"bool\", \"\", \"\",1\n"
                                       "P: \"Scaling\", \"Vector\", \"\", \"A\",3,5,1\n"
                                       "P: \"Rotation\", \"Vector\", \"\", \"A\",0,0,90\n"
                                       "P: \"Translation\", \"Vector\", \"\", \"A\",0.5,0.25,0 } }\n",
                                       connect(2, "DiffuseColor"), {{"a.tga", red}})
                             .material()
                             .base_color_texture;
    // In glTF's convention, as in the Scene: v down.
    const auto placed = [&](glm::vec2 uv) {
        const float c = std::cos(texture.rotation), s = std::sin(texture.rotation);
        const glm::vec2 scaled = texture.scale * uv;
        return texture.offset + glm::vec2(c * scaled.x + s * scaled.y, c * scaled.y - s * scaled.x);
    };
    for (const glm::vec2 uv : {glm::vec2(0, 0), glm::vec2(1, 0), glm::vec2(0.25f, 0.75f)}) {
        const float u = 1.0f - uv.y, v = uv.x;                      // swapped, v up
        const glm::vec2 turned(-5.0f * v + 0.5f, 3.0f * u + 0.25f); // scaled, rotated, translated
        EXPECT_LT(glm::length(placed(uv) - glm::vec2(turned.x, 1.0f - turned.y)), 1e-5f);
    }
}

// 3ds Max maps that are shaders: the property is named after the shader.
TEST(FbxTexture, FindsTheImagesOfShaders)
{
    const auto loaded = load_material(
        "",
        "Texture: 2, \"Texture::out\", \"\" { FileName: \"\" }\n"
        "Texture: 3, \"Texture::osl\", \"\" { FileName: \"\"\nProperties70: {\n"
        "P: \"3dsMax|OSLBitmap2|Filename_map\", \"Reference\", \"\", \"A\"\n"
        "P: \"3dsMax|OSLBitmap2|Filename\", \"KString\", \"\", \"A\", \"pictures/a.tga\"\n} }\n",
        connect(2, "DiffuseColor") + "C: \"OP\",3,2, \"3dsMax|parameters|sourceMap\"\n",
        {{"pictures/a.tga", red}});
    EXPECT_THAT(loaded.codes, ElementsAre());
    ASSERT_EQ(loaded.scene.images.size(), 1u);
    EXPECT_EQ(loaded.material().base_color_texture.image, 0u);
}

TEST(FbxTexture, TakesEmbeddedImages)
{
    const std::string text = test::encode_base64(std::as_bytes(std::span(red)));

    const std::size_t cut = text.size() / 2 / 4 * 4;
    const auto loaded =
        load_material("",
                      texture(2, "gone.tga") +
                          "Video: 3, \"Video::v\", \"Clip\" { RelativeFilename: \"x\\e.tga\"\n"
                          "Content: , \"" +
                          text.substr(0, cut) + "\",\n  \"" + text.substr(cut) + "\"\n }\n",
                      connect(2, "DiffuseColor") + "C: \"OO\",3,2\n");
    EXPECT_THAT(loaded.codes, ElementsAre());
    ASSERT_EQ(loaded.scene.images.size(), 1u);
    EXPECT_EQ(loaded.scene.images[0].name, "e.tga");
    EXPECT_EQ(loaded.scene.images[0].pixels[0], 255);
}

// An embedded image that cannot be used is not reported as missing; a file with its name is used.
TEST(FbxTexture, ReportsAnUnusableEmbeddedImageOnce)
{
    const std::string text = test::encode_base64(std::as_bytes(std::span(red)));
    const auto with = [](const std::string& content, std::map<std::string, std::string> files,
                         const Limits& limits) {
        return load_material(
            "",
            texture(2, "e.tga") +
                "Video: 3, \"Video::v\", \"Clip\" { RelativeFilename: \"e.tga\"\nContent: , \"" + content +
                "\"\n }\n",
            connect(2, "DiffuseColor") + "C: \"OO\",3,2\n", std::move(files), limits);
    };
    EXPECT_THAT(with(text, {}, {.images = 0}).codes, ElementsAre("invalid_image"));
    EXPECT_THAT(with(text, {}, {.image_pixels = 0}).codes, ElementsAre("invalid_image"));
    EXPECT_THAT(with(text, {}, {.total_pixels = 0}).codes, ElementsAre("invalid_image"));
    EXPECT_THAT(with("AAAA", {}, {}).codes, ElementsAre("invalid_image"));
    EXPECT_THAT(with("no base64", {}, {}).codes, ElementsAre("invalid_image"));
    const auto beside = with("AAAA", {{"e.tga", red}}, {});
    EXPECT_THAT(beside.codes, ElementsAre("invalid_image"));
    EXPECT_EQ(beside.material().base_color_texture.image, 0u);
}

// As Maya writes a file that several textures use.
TEST(FbxTexture, UsesAnEmbeddedImageForAllReferences)
{
    const auto video = [](int id, const std::string& content) {
        return fmt::format("Video: {}, \"Video::v\", \"Clip\" {{ Filename: \"C:\\work\\a.tga\"\n"
                           "RelativeFilename: \"a.tga\"\nContent: , \"{}\"\n }}\n",
                           id, content);
    };
    const std::string text = test::encode_base64(std::as_bytes(std::span(red)));
    const auto loaded = load_material(
        "", texture(2, "a.tga") + texture(3, "a.tga") + video(4, text) + video(5, ""),
        connect(2, "DiffuseColor") + connect(3, "EmissiveColor") + "C: \"OO\",4,2\nC: \"OO\",5,3\n");
    EXPECT_THAT(loaded.codes, ElementsAre());
    EXPECT_EQ(loaded.scene.images.size(), 1u);
    EXPECT_EQ(loaded.material().base_color_texture.image, 0u);
    EXPECT_EQ(loaded.material().emissive_texture.image, 0u);
}

// The value a map is connected to applies without it, except for emission; weights also apply with it.
TEST(FbxTexture, MapsReplaceColorsAndKeepTheirWeights)
{
    const auto with = [](const std::string& properties, const std::string& slot) {
        return load_material(properties, texture(2, "a.tga"), connect(2, slot), {{"a.tga", red}}).material();
    };
    const auto emissive = [&](const std::string& properties, const std::string& slot) {
        return with(properties, slot).emissive.x;
    };
    EXPECT_EQ(emissive(color("EmissiveColor", "0.5,0.5,0.5"), "EmissiveColor"), 1.0f);
    EXPECT_EQ(emissive(color("EmissiveColor", "0,0,0"), "EmissiveColor"), 1.0f);
    EXPECT_EQ(emissive(number("EmissiveFactor", "0"), "EmissiveColor"), 0.0f);
    EXPECT_EQ(
        emissive(color("Maya|emissionColor", "0,0,0") + number("Maya|emission", "0"), "Maya|emissionColor"),
        0.0f);
    EXPECT_EQ(
        with(color("Maya|baseColor", "0,1,0") + number("Maya|base", "0.5"), "Maya|baseColor").base_color,
        glm::vec4(0.5f, 0.5f, 0.5f, 1.0f));
    EXPECT_EQ(
        with(color("DiffuseColor", "0,0,0") + number("DiffuseFactor", "0.5"), "DiffuseColor").base_color,
        glm::vec4(0.5f, 0.5f, 0.5f, 1.0f));
}

TEST(FbxTexture, IgnoresDisabledMaps)
{
    const auto shown = [](const std::string& properties, const std::string& slot) {
        const auto loaded =
            load_material(properties, texture(2, "a.tga"), connect(2, slot), {{"a.tga", red}});
        EXPECT_THAT(loaded.codes, ElementsAre());
        return loaded.material().base_color_texture.image != scene::none;
    };
    const std::string physical = "3dsMax|Parameters|base_color_map", stingray = "Maya|TEX_color_map";
    EXPECT_TRUE(shown("", physical));
    EXPECT_TRUE(shown(number(physical + "_on", "1"), physical));
    EXPECT_FALSE(shown(number(physical + "_on", "0"), physical));
    EXPECT_TRUE(shown(number("Maya|use_color_map", "1"), stingray));
    EXPECT_FALSE(shown(number("Maya|use_color_map", "0"), stingray));
}

} // namespace
} // namespace vitrine::fbx
