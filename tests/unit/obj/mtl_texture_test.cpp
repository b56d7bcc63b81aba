// Texture lines of a material library and the images that they name.

#include <gmock/gmock.h>

#include "loaders/base/srgb.hpp"
#include "loaders/obj/mtl_parser.hpp"
#include "tests/unit/obj/mtl_samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using testing::ElementsAre;

namespace {

std::vector<obj::MtlMaterial> parse(std::string_view text)
{
    io::WarningLog warnings;
    return obj::parse_mtl(text, "m.mtl", 100, warnings);
}

} // namespace

// As Maya writes it: the texture is not multiplied.
TEST(ObjMtl, BlackColorDoesNotHideAMap)
{
    for (const std::string zero : {"0 0 0", "0.00 0.00 0.00", "-0 0 0.0", "0"}) {
        const auto loaded = load_material("Kd " + zero + "\nmap_Kd r.tga", {{"r.tga", red}});
        EXPECT_EQ(loaded.material.base_color, glm::vec4(1.0f)) << zero;
        EXPECT_EQ(codes(loaded.scene), "mtl_black_map") << zero;
    }
    const auto dark = load_material("Kd 0.01 0 0\nmap_Kd r.tga", {{"r.tga", red}});
    EXPECT_EQ(glm::vec3(dark.material.base_color), linear_from_srgb(glm::vec3(0.01f, 0.0f, 0.0f)));
    EXPECT_EQ(load_material("Kd 0 0 0").material.base_color, glm::vec4(0, 0, 0, 1));
}

TEST(ObjMtl, MapOptions)
{
    const auto all = parse("newmtl a\nmap_Kd -o 0.1 0.2 0.3 -s 2 3 -t 1 -mm 0 1 -blendu off -clamp on "
                           "-texres 512 -imfchan r my picture.png\n"
                           "bump -bm 0.5 b.png\nmap_d -unknown hello world -clamp on \\\n c.png\nmap_Ke "
                           "\"quoted name.png\"\nmap_Pr -s 2 x.png\n");
    const auto& material = all.at(0);
    EXPECT_EQ(material.diffuse_map.file, "my picture.png");
    EXPECT_EQ(material.diffuse_map.offset, glm::vec2(0.1f, 0.2f));
    EXPECT_EQ(material.diffuse_map.scale, glm::vec2(2, 3));
    EXPECT_TRUE(material.diffuse_map.clamp);
    EXPECT_EQ(material.bump_map.file, "b.png");
    EXPECT_EQ(material.bump_map.bump, 0.5f);
    EXPECT_EQ(material.dissolve_map.file, "c.png");
    EXPECT_TRUE(material.dissolve_map.clamp);
    EXPECT_EQ(material.emissive_map.file, "quoted name.png");
    EXPECT_EQ(material.roughness_map.scale, glm::vec2(2, 1));
}

TEST(ObjMtl, TextureTransformsAreFlipped)
{
    const auto texture =
        load_material("map_Kd -s 2 4 -o 0.5 0.25 r.tga", {{"r.tga", red}}).material.base_color_texture;
    EXPECT_EQ(texture.scale, glm::vec2(2, 4));
    EXPECT_EQ(texture.offset, glm::vec2(0.5f, 1.0f - 4.0f - 0.25f));
    EXPECT_EQ(load_material("map_Kd r.tga", {{"r.tga", red}}).material.base_color_texture.offset,
              glm::vec2(0));
}

TEST(ObjMtl, ImagesAreFoundAnyway)
{
    for (const char* name :
         {"r.tga", "R.TGA", "C:\\models\\tex\\r.tga", "/home/me/r.tga", "tex\\r.tga", "r.png", "r"}) {
        const auto loaded = load_material(std::string("map_Kd ") + name, {{"r.tga", red}});
        ASSERT_EQ(loaded.scene.images.size(), 1u) << name;
        EXPECT_THAT(loaded.scene.images[0].pixels, ElementsAre(255, 0, 0, 255)) << name;
        EXPECT_EQ(codes(loaded.scene), std::string(name) == "r.tga" ? "" : "found_elsewhere") << name;
    }
    const auto missing = load_material("map_Kd gone.png\nKd 1 0 0");
    EXPECT_EQ(codes(missing.scene), "missing_image");
    EXPECT_TRUE(missing.scene.images.at(0).pixels.empty());
    EXPECT_EQ(missing.material.base_color.x, 1.0f);
    EXPECT_EQ(codes(load_material("map_Kd bad.png", {{"bad.png", "no picture"}}).scene), "invalid_image");
}

TEST(ObjMtl, OpacityMapsGoIntoTheAlpha)
{
    const auto cut = load_material("map_Kd r.tga\nmap_d bw.tga", {{"r.tga", red}, {"bw.tga", black_white}});
    EXPECT_EQ(cut.material.alpha_mode, scene::AlphaMode::mask);
    EXPECT_THAT(cut.scene.images.at(cut.material.base_color_texture.image).pixels,
                ElementsAre(255, 0, 0, 0, 255, 0, 0, 255));
    const auto soft = load_material("map_d ramp.tga", {{"ramp.tga", ramp}});
    EXPECT_EQ(soft.material.alpha_mode, scene::AlphaMode::blend);
    EXPECT_THAT(soft.scene.images.at(soft.material.base_color_texture.image).pixels,
                ElementsAre(255, 255, 255, 0, 255, 255, 255, 128));
    const auto own = load_material("map_Kd a.tga\nmap_d a.tga", {{"a.tga", tga(1, 1, {1, 2, 3, 100})}});
    EXPECT_EQ(own.scene.images.size(), 1u);
    EXPECT_EQ(own.material.alpha_mode, scene::AlphaMode::blend);
}

TEST(ObjMtl, PhysicalMapsArePacked)
{
    const auto loaded = load_material("map_Pr ramp.tga\nmap_Pm r.tga", {{"r.tga", red}, {"ramp.tga", ramp}});
    const auto& image = loaded.scene.images.at(loaded.material.metallic_roughness_texture.image);
    EXPECT_THAT(image.pixels, ElementsAre(255, 0, 255, 255, 255, 128, 255, 255));
    EXPECT_EQ(loaded.material.metallic, 1.0f);
    EXPECT_EQ(loaded.material.roughness, 1.0f);
}

TEST(ObjMtl, BumpsBecomeNormals)
{
    const auto heights =
        load_material("map_Bump -bm 2 flat.tga", {{"flat.tga", tga(2, 1, {9, 9, 9, 255, 9, 9, 9, 255})}});
    const auto& image = heights.scene.images.at(heights.material.normal_texture.image);
    EXPECT_THAT(image.pixels, ElementsAre(128, 128, 255, 255, 128, 128, 255, 255));
    const auto normals = load_material("bump n.tga", {{"n.tga", tga(1, 1, {128, 128, 255, 255})}});
    EXPECT_EQ(normals.scene.images.size(), 1u);
    EXPECT_EQ(normals.material.normal_texture.image, 0u);
    EXPECT_EQ(load_material("norm n.tga", {{"n.tga", red}}).material.normal_texture.image, 0u);
}

TEST(ObjMtl, NormalMapsHaveAScaleAndGoBeforeBumps)
{
    const std::string blue = tga(1, 1, {128, 128, 255, 255});
    const Files files{{"n.tga", blue}, {"b.tga", blue}};
    const auto scaled = load_material("norm -bm 0.5 n.tga", files);
    EXPECT_EQ(scaled.material.normal_scale, 0.5f);
    EXPECT_EQ(codes(scaled.scene), "");
    const auto both = load_material("map_Bump b.tga\nnorm n.tga", files);
    EXPECT_EQ(both.scene.images.at(both.material.normal_texture.image).name, "n.tga");
    EXPECT_EQ(codes(both.scene), "mtl_not_shown");
    EXPECT_EQ(codes(load_material("map_Bump n.tga\nnorm n.tga", files).scene), "") << "nothing is lost";
}

TEST(ObjMtl, OpacityUsesTheTransformOfTheColor)
{
    const std::string color = "map_Kd -s 2 2 red.tga\n";
    const auto codes_of = [&](const std::string& opacity) {
        return codes(load_material(color + opacity, {{"red.tga", red}, {"ramp.tga", ramp}}).scene);
    };
    EXPECT_EQ(codes_of("map_d -s 2 2 ramp.tga\n"), "");
    EXPECT_EQ(codes_of("map_d ramp.tga\n"), "mtl_option");
}
