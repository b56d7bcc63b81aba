#include "loaders/md3/skin_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/tga.hpp"
#include "tests/unit/md3/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

// The color of the surface next to these files; -1 for none.
int surface_color(std::map<std::string, std::string> files, const std::string& model = "head.md3")
{
    files[model] = Md3Model().write();
    const auto loaded = load_md3_files(model, std::move(files), {}, false);
    EXPECT_TRUE(loaded);
    const std::uint32_t image = loaded->materials.at(0).base_color_texture.image;
    return image == scene::none ? -1 : loaded->images.at(image).pixels.at(0);
}

md3::SkinFile parse_skin(const std::string& text)
{
    return md3::SkinFile(std::as_bytes(std::span(text)));
}

} // namespace

TEST(Md3Skin, FilesMapSurfacesToImages)
{
    const auto skin = parse_skin("h_head,models/players/a/red.tga\r\nH_Eyes , \"models/eyes\"\ntag_head,\n\n"
                                 "// l_legs,no.tga\nnothing\n,x.tga\n");
    EXPECT_EQ(skin.find_shader("H_HEAD"), "models/players/a/red.tga");
    EXPECT_EQ(skin.find_shader("h_eyes"), "models/eyes");
    EXPECT_EQ(skin.find_shader("tag_head"), "");
    EXPECT_EQ(skin.find_shader("l_legs"), "");
}

// The game ends names at blanks.
TEST(Md3Skin, OneLineMayMapSeveralSurfaces)
{
    const auto skin = parse_skin("u_a,x/a.png U_B , \"y/b 1.png\"\ttag_x, \"u c\",z/c.png tag_y,\nu_d,d.png");
    EXPECT_EQ(skin.find_shader("u_a"), "x/a.png");
    EXPECT_EQ(skin.find_shader("u_b"), "y/b 1.png");
    EXPECT_EQ(skin.find_shader("u c"), "z/c.png");
    EXPECT_EQ(skin.find_shader("tag_x"), "");
    EXPECT_EQ(skin.find_shader("u_d"), "d.png");
}

// The game ignores a level-of-detail suffix.
TEST(Md3Skin, SurfacesMayHaveALevelBehindTheirName)
{
    const auto skin = parse_skin("h_head,a.tga\nu_torso_2,b.tga\n");
    EXPECT_EQ(skin.find_shader("h_head_1"), "a.tga");
    EXPECT_EQ(skin.find_shader("U_Torso_2"), "b.tga") << "or with it";
    EXPECT_EQ(skin.find_shader("h_head1"), "");
}

TEST(Md3Skin, DarkPlacesReplacesTextures)
{
    const auto skin =
        parse_skin("replace h_head models/a/red.tga\nREPLACE \"u b\" \"x y.png\"\nreplace lonely\n");
    EXPECT_EQ(skin.find_shader("h_head"), "models/a/red.tga");
    EXPECT_EQ(skin.find_shader("u b"), "x y.png");
    EXPECT_EQ(skin.find_shader("lonely"), "");
}

TEST(Md3Skin, NamesOfALineMayHoldBlanksAndCommas)
{
    const auto skin =
        parse_skin("my head,my models/the head.png\nh_a,models/a,b.png\nh_b,a b, c d.png\nh_c,x, y,\n");
    EXPECT_EQ(skin.find_shader("my head"), "my models/the head.png");
    EXPECT_EQ(skin.find_shader("h_a"), "models/a,b.png");
    EXPECT_EQ(skin.find_shader("h_b"), "a b, c d.png");
    EXPECT_EQ(skin.find_shader("h_c"), "x, y,");
}

// The game starts a comment where a word could start.
TEST(Md3Skin, CommentsAreReadPast)
{
    const auto skin =
        parse_skin("// h_a,no.png\n/* h_b,no.png\nh_c,no.png */ h_d,models//d.png // h_d,no.png\n"
                   "h_e,/* old.png *//**/new.png\r\nh_f,f.png\n/* h_g,no.png");
    for (const char* surface : {"h_a", "h_b", "h_c", "h_g"})
        EXPECT_EQ(skin.find_shader(surface), "") << surface;
    EXPECT_EQ(skin.find_shader("h_d"), "models//d.png");
    EXPECT_EQ(skin.find_shader("h_e"), "new.png");
    EXPECT_EQ(skin.find_shader("h_f"), "f.png");
}

TEST(Md3Skin, DefaultIsUsed)
{
    const std::map<std::string, std::string> pictures{{"red.tga", pixel(1)}, {"blue.tga", pixel(2)}};
    auto files = pictures;
    files["head_blue.skin"] = "body,blue.tga";
    files["upper_default.skin"] = "body,red.tga";
    EXPECT_EQ(surface_color(files), 2) << "the only one for this model";
    files["head_default.skin"] = "body,red.tga";
    EXPECT_EQ(surface_color(files), 1);
    EXPECT_EQ(surface_color(files, "head_1.md3"), 1) << "a level of detail uses the same";
    EXPECT_EQ(surface_color(pictures), -1);
}

// DarkPlaces: a model's skins are numbered after its whole name.
TEST(Md3Skin, NumberedSkinsAreRead)
{
    std::map<std::string, std::string> files{{"red.tga", pixel(1)}, {"blue.tga", pixel(2)}};
    files["head.md3_1.skin"] = "body,blue.tga";
    EXPECT_EQ(surface_color(files), 2);
    files["head.md3_0.skin"] = "body,red.tga";
    EXPECT_EQ(surface_color(files), 1);
    files["head_default.skin"] = "body,blue.tga";
    EXPECT_EQ(surface_color(files), 1) << "the one with the whole name is nearest";
    EXPECT_EQ(surface_color({{"a.tga", pixel(1)}, {"b.tga", pixel(2)}, {"head.md30.skin", "body,a.tga"}}),
              -1);
}

TEST(Md3Skin, ShadersNeedNoExtension)
{
    Md3Model model;
    model.surfaces[0].shaders = {"", "models/a/metal"};
    const auto loaded = load_md3_files("a.md3", {{"a.md3", model.write()}, {"models/a/metal.tga", pixel(5)}});
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->images.at(0).pixels[0], 5);
    EXPECT_EQ(loaded->materials.at(0).name, "models/a/metal");
    EXPECT_TRUE(loaded->warnings.empty()) << loaded->warnings[0].message;
}

TEST(Md3Skin, CubesConfigurationIsRead)
{
    EXPECT_EQ(surface_color({{"a.tga", pixel(8)},
                             {"b.tga", pixel(9)},
                             {"md3.cfg", "md3load head.md3\nmd3skin body b.tga\n"}}),
              9);
}

// In either order.
TEST(Md3Skin, NamedTextureIsNotUsedForOtherSurfaces)
{
    Md3Surface legs{.name = "legs", .shaders = {"models/a/legs.tga"}};
    Md3Surface torso{.name = "torso", .shaders = {"models/a/torso.tga"}};
    for (const auto& surfaces : {std::vector{legs, torso}, std::vector{torso, legs}}) {
        Md3Model model;
        model.surfaces = surfaces;
        const auto loaded = load_md3_files("a.md3", {{"a.md3", model.write()}, {"legs.tga", pixel(5)}});
        ASSERT_TRUE(loaded);
        for (const scene::Material& material : loaded->materials)
            EXPECT_EQ(material.base_color_texture.image != scene::none, material.name == "models/a/legs.tga")
                << material.name;
        EXPECT_THAT(loaded->warnings,
                    testing::Contains(testing::Field(&scene::Warning::code, "missing_image")));
    }
}

// A player usually has one image: one named by two surfaces is used for the third too.
TEST(Md3Skin, MissingImageIsReplacedByTheImageOfMostSurfaces)
{
    Md3Model model;
    model.surfaces = {{.name = "legs", .shaders = {"models/a/gone.tga"}},
                      {.name = "torso", .shaders = {"models/a/body.tga"}},
                      {.name = "head", .shaders = {"models/a/body.tga"}}};
    const auto loaded = load_md3_files("a.md3", {{"a.md3", model.write()}, {"body.tga", pixel(5)}});
    ASSERT_TRUE(loaded);
    for (const scene::Material& material : loaded->materials)
        EXPECT_NE(material.base_color_texture.image, scene::none) << material.name;
}

TEST(Md3Skin, SkinOfAnotherPartIsNotUsed)
{
    Md3Model lower, upper;
    lower.tags = upper.tags = {{{"tag_torso"}}, {{"tag_torso"}}};
    lower.surfaces[0].shaders = {"gone"};
    upper.surfaces[0].shaders = {"torso.tga"};
    const auto loaded = load_md3_files(
        "lower.md3", {{"lower.md3", lower.write()}, {"upper.md3", upper.write()}, {"torso.tga", pixel(5)}});
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->materials.size(), 2u);
    EXPECT_EQ(loaded->materials[0].base_color_texture.image, scene::none);
    EXPECT_NE(loaded->materials[1].base_color_texture.image, scene::none);
}

TEST(Md3Skin, NodrawHidesASurface)
{
    const auto loaded = load_md3_files(
        "head.md3", {{"head.md3", Md3Model().write()}, {"head_default.skin", "body,textures/common/nodraw"}});
    ASSERT_TRUE(loaded);
    EXPECT_FALSE(loaded->nodes.at(1).visible);
}

TEST(Md3Skin, OneOfSeveralFilesIsUsedWithAWarning)
{
    const auto load = [](std::map<std::string, std::string> files) {
        files["head.md3"] = Md3Model().write();
        files["red.tga"] = pixel(7);
        return valid(load_md3_files("head.md3", std::move(files)));
    };
    const auto two = load({{"head_blue.skin", "body,blue.tga"}, {"head_default.skin", "body,red.tga"}});
    EXPECT_THAT(codes(two), testing::HasSubstr("md3_skins"));
    EXPECT_EQ(two.images.at(two.materials.at(0).base_color_texture.image).pixels.at(0), 7);
    EXPECT_THAT(codes(load({{"head_default.skin", "body,red.tga"}, {"other_blue.skin", "body,x.tga"}})),
                testing::Not(testing::HasSubstr("md3_skins")));
}
