// Quake III's shader scripts and the resulting materials.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loaders/quake/shader_scripts.hpp"
#include "loaders/quake/stage_blending.hpp"
#include "tests/support/tga.hpp"
#include "tests/unit/md3/scripted_model.hpp"

using namespace vitrine;
using namespace vitrine::test;
using quake::AlphaTest;
using quake::StageBlend;

namespace {

// Returns which of the images is used; -1: none.
int used_image(const scene::Scene& scene)
{
    const std::uint32_t image = scene.materials.at(0).base_color_texture.image;
    return image == scene::none ? -1 : scene.images.at(image).pixels.at(0);
}

} // namespace

TEST(ShaderScript, DefinesTheImageOfAShader)
{
    const std::string script = shader("{\n map models/other/wool.jpg\n rgbGen lightingDiffuse\n}");
    const auto scene = with_script(script, {"models/other/wool.tga"});
    EXPECT_EQ(used_image(scene), 1);
    EXPECT_EQ(codes(scene), "");
    EXPECT_EQ(scene.materials[0].name, "models/a/fur");
    EXPECT_EQ(used_image(with_script(script, {"models/other/wool.tga", "models/a/fur.tga"})), 1)
        << "before a picture of the shader's own name, as in the game";
}

TEST(ShaderScript, ImagesMayHoldBlanksAndParentheses)
{
    EXPECT_EQ(
        used_image(with_script(shader("{\n map \"models/my wool (1).tga\" \n}"), {"models/my wool (1).tga"})),
        1);
    EXPECT_EQ(used_image(with_script(shader("{\n map models/add(1).tga\n}"), {"models/add(1).tga"})), 1);
    EXPECT_EQ(quake::parse_shader("{\n map add(\n}").image, "");
    EXPECT_EQ(quake::parse_shader("{\n map add (makealpha ( a/b.tga , c.tga )\n}").image, "a/b.tga");
}

TEST(ShaderScript, NamesIgnoreCaseSlashesAndExtension)
{
    const std::string script = shader("{ map wool.tga }", "Models/A/Fur");
    for (const char* name : {"models/a/fur", "models\\a\\FUR.tga", "MODELS/A/fur.jpg"})
        EXPECT_EQ(used_image(with_script(script, {"wool.tga"}, name)), 1) << name;
    EXPECT_EQ(used_image(with_script(script, {"wool.tga"}, "models/a/scales")), -1);
}

TEST(ShaderScript, CommentsAndNestedBracesArePassedOver)
{
    EXPECT_EQ(used_image(with_script("// models/a/fur { { map a.tga } }\n"
                                     "/* models/a/fur { { map a.tga } } */\n"
                                     "other // fur\n{ { map a.tga } { inner { deep } } }\n"
                                     "models/a/fur{\n"
                                     "  Q3MAP_SunExt 1 1 1\n  skin { x { map a.tga } }\n"
                                     "  { // the wool\n MAP \"b.tga\" // map a.tga\n /* map a.tga */ }\n}\n",
                                     {"a.tga", "b.tga"})),
              2);
}

TEST(ShaderScript, FirstDefinitionCounts)
{
    Md3Model model;
    model.surfaces[0].shaders = {"fur"};
    const auto scene = valid(load_md3_files("m/a.md3", {{"m/a.md3", model.write()},
                                                        {"one.tga", pixel(1)},
                                                        {"two.tga", pixel(2)},
                                                        {"scripts/a.shader", "fur { { map one.tga } }"},
                                                        {"scripts/b.shader", "fur { { map two.tga } }"}}));
    EXPECT_EQ(used_image(scene), 1);
}

TEST(ShaderScript, MostSignificantStageIsShown)
{
    const auto image = [](const std::string& stages) { return quake::parse_shader(stages).image; };
    EXPECT_EQ(image("{ map $lightmap }\n{ map a\n blendFunc filter }"), "a");
    EXPECT_EQ(image("{ map env\n tcGen environment }\n{ map a\n blendFunc blend }"), "a");
    EXPECT_EQ(
        image("{ map glow\n blendFunc add }\n{ map a\n blendFunc GL_SRC_ALPHA GL_ONE_MINUS_SRC_ALPHA }"),
        "a");
    EXPECT_EQ(image("{ map a }\n{ map glow\n blendFunc GL_ONE GL_ONE }"), "a");
    EXPECT_EQ(image("{ map env\n tcGen environment }\n{ map glow\n blendFunc add }"), "glow");
    EXPECT_EQ(image("{ animMap 5 first second third }"), "first");
    EXPECT_EQ(image("{ clampMap a }"), "a");
    EXPECT_EQ(image("{ map $whiteimage }\n{ map *white }"), "");
    EXPECT_EQ(quake::parse_shader("{ map env\n tcGen environment }\n{ map a }").unused_images, 1u);
}

TEST(ShaderScript, ImageOfAnEditorIsTheLastResort)
{
    const std::string script = shader("qer_editorImage textures/shown.tga\n{ map $whiteimage }");
    EXPECT_EQ(used_image(with_script(script, {"textures/shown.tga"})), 1);
    EXPECT_EQ(used_image(with_script(shader("qer_editorImage b.tga\n{ map a.tga }"), {"a.tga", "b.tga"})), 1);
}

TEST(ShaderScript, PlainSurfaceMissesNoImage)
{
    const auto scene = with_script(shader("{ map $whiteimage }"), {"models/a/skin.tga"});
    EXPECT_EQ(used_image(scene), -1);
    EXPECT_EQ(codes(scene), "");
    EXPECT_EQ(used_image(with_script(shader("{ map $whiteimage }"), {"models/a/fur.tga"})), -1)
        << "the game does not look for the shader's own name";
    EXPECT_EQ(codes(with_script(shader("{ map gone.tga }"), {})), "missing_image");
}

// Return to Castle Wolfenstein.
TEST(ShaderScript, OneKeywordMayReplaceTheStages)
{
    const std::vector<std::string> image_files{"models/a/other.tga", "models/a/fur.tga"};
    for (const std::string word : {"implicitMap", "implicitMask", "implicitBlend"}) {
        EXPECT_EQ(used_image(with_script(shader("cull none\n" + word + " models/a/other.jpg"), image_files)),
                  1);
        EXPECT_EQ(used_image(with_script(shader(word + " -"), image_files)), 2);
    }
    for (const std::string value : {"-", "x"}) {
        EXPECT_EQ(quake::parse_shader("implicitMask " + value).alpha_test, AlphaTest::from_half);
        EXPECT_EQ(quake::parse_shader("implicitBlend " + value).blend, StageBlend::alpha);
        EXPECT_EQ(quake::parse_shader("implicitMap " + value).blend, StageBlend::none);
    }
}

TEST(ShaderScript, SurfacesAreDoubleSidedRegardlessOfTheScript)
{
    for (const char* cull : {"", "cull front", "cull none", "cull back"})
        EXPECT_TRUE(with_script(shader(std::string(cull) + "\n{ map wool.tga }"), {"wool.tga"})
                        .materials.at(0)
                        .double_sided)
            << cull;
}

TEST(ShaderScript, ClampedImagesDoNotRepeat)
{
    const auto scene = with_script(shader("{ clampMap wool.tga }"), {"wool.tga"});
    EXPECT_EQ(scene.materials[0].base_color_texture.wrap_s, scene::Wrap::clamp);
    EXPECT_EQ(scene.materials[0].base_color_texture.wrap_t, scene::Wrap::clamp);
}

// Two quads: the game maps the whole image to a sprite, so files do not set its coordinates.
TEST(ShaderScript, SpritesShowTheWholeImage)
{
    Md3Model model;
    auto& surface = model.surfaces[0];
    surface.shaders = {"flash"};
    surface.coords = {{0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 0}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};
    surface.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
    for (auto& frame : surface.frames)
        frame.resize(surface.coords.size());
    const auto coordinates = [&](const std::string& deform) {
        const auto scene = valid(
            load_md3_files("a.md3", {{"a.md3", model.write()}, {"a.shader", "flash { " + deform + " }"}}));
        return scene.meshes.at(0).uv0;
    };
    const auto kept = coordinates("deformVertexes autosprite2");
    ASSERT_EQ(kept.size(), 8u);
    EXPECT_EQ(std::count(kept.begin(), kept.end(), kept[0]), 4);
    const auto laid_out = coordinates("deformVertexes autosprite");
    using testing::ElementsAre;
    EXPECT_THAT(std::span(laid_out).first(4),
                ElementsAre(glm::vec2(0, 0), glm::vec2(1, 0), glm::vec2(1, 1), glm::vec2(0, 1)));
    EXPECT_TRUE(std::equal(laid_out.begin() + 4, laid_out.end(), kept.begin() + 4)) << "what it has stays";
}

TEST(ShaderScript, NodrawIsNotDrawn)
{
    EXPECT_FALSE(with_script(shader("surfaceparm nodraw"), {}).nodes.at(1).visible);
    EXPECT_TRUE(with_script(shader("surfaceparm nodraw\n{ map a.tga }"), {"a.tga"}).nodes.at(1).visible);
}

// A missing or extra brace invalidates the rest of its script only; a quote only its line.
TEST(ShaderScript, BrokenScriptsAreReadAsFarAsTheyGo)
{
    const std::string good = shader("{ map wool.tga }");
    EXPECT_EQ(used_image(with_script("} }\n" + good, {"wool.tga"})), 1);
    EXPECT_EQ(used_image(with_script("other { qer_editorimage \"x.tga\n}\n" + good, {"wool.tga"})), 1);
    EXPECT_EQ(used_image(with_script("models/a/fur { { map wool.tga", {"wool.tga"})), 1);
    EXPECT_EQ(used_image(with_script(good + "/* { ", {"wool.tga"})), 1);
}

TEST(ShaderScript, ScriptsBeyondTheLimitAreReported)
{
    constexpr int max_scripts = 4'096;
    const auto load = [](int scripts) { // the last one by name has the shader
        Md3Model model;
        model.surfaces[0].shaders = {"models/a/fur"};
        std::map<std::string, std::string> files{{"a.md3", model.write()}, {"wolf.tga", pixel(9)}};
        for (int i = 1; i < scripts; ++i)
            files["s" + std::to_string(i) + ".shader"];
        files["z.shader"] = shader("{\nmap wolf.tga\n}");
        return valid(load_md3_files("a.md3", std::move(files)));
    };
    const auto whole = load(max_scripts), skipped = load(max_scripts + 1);
    EXPECT_EQ(used_image(whole), 9);
    EXPECT_THAT(codes(whole), testing::Not(testing::HasSubstr("shader_script_skipped")));
    EXPECT_THAT(codes(skipped), testing::HasSubstr("shader_script_skipped"));
    ASSERT_FALSE(skipped.warnings.empty());
    EXPECT_EQ(skipped.warnings[0].where, "z.shader");
}
