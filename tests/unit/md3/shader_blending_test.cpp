// Alpha tests and blending of shader stages.

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

std::vector<std::uint8_t> changed(std::vector<std::uint8_t> pixel, StageBlend blend,
                                  AlphaTest test = AlphaTest::none)
{
    quake::set_alpha(pixel, blend, test);
    return pixel;
}

using Pixel = std::vector<std::uint8_t>;

} // namespace

TEST(ShaderScript, AlphaIsTestedWhereDeclared)
{
    const auto material = [](const std::string& stage) {
        return with_script(shader("{ map wool.tga\n" + stage + " }"), {"wool.tga"}).materials.at(0);
    };
    EXPECT_EQ(material("").alpha_mode, scene::AlphaMode::opaque) << "alpha may mean anything";
    EXPECT_EQ(material("alphaFunc GE128").alpha_mode, scene::AlphaMode::mask);
    EXPECT_FLOAT_EQ(material("alphaFunc GE128").alpha_cutoff, 0.5f);
    EXPECT_FLOAT_EQ(material("alphafunc gt0").alpha_cutoff, 1.0f / 255.0f);
    EXPECT_EQ(material("alphaFunc GE128\nblendFunc blend").alpha_mode, scene::AlphaMode::mask);
    EXPECT_EQ(material("alphaFunc GT0\nblendFunc blend").alpha_mode, scene::AlphaMode::blend);
    EXPECT_EQ(material("blendFunc blend").alpha_mode, scene::AlphaMode::blend);
    EXPECT_EQ(material("blendFunc GL_ONE GL_ZERO").alpha_mode, scene::AlphaMode::opaque);
}

TEST(ShaderScript, OpaqueFirstStageHidesTheBackground)
{
    const auto scene = with_script(
        shader("{ map env.tga\n tcGen environment }\n{ map wool.tga\n blendFunc blend }"), {"wool.tga"});
    EXPECT_EQ(scene.materials[0].alpha_mode, scene::AlphaMode::opaque);
    EXPECT_EQ(codes(scene), "shader_simplified");
}

TEST(ShaderScript, OpaqueImageIsNotBlended)
{
    Md3Model model;
    model.surfaces[0].shaders = {"fur"};
    const auto scene =
        valid(load_md3_files("a.md3", {{"a.md3", model.write()},
                                       {"fur.tga", pixel(1)},
                                       {"a.shader", "fur { { map fur.tga\n blendFunc blend } }"}}));
    EXPECT_EQ(scene.materials[0].alpha_mode, scene::AlphaMode::opaque);
}

TEST(ShaderScript, LightThatIsAddedIsBlendedByItsStrength)
{
    const auto scene = with_script(shader("{ map glow.tga\n blendFunc add }"), {"glow.tga"});
    const auto& material = scene.materials[0];
    EXPECT_EQ(material.alpha_mode, scene::AlphaMode::blend);
    EXPECT_TRUE(material.unlit);
    EXPECT_EQ(scene.images[material.base_color_texture.image].pixels, (Pixel{255, 255, 255, 1}));
    EXPECT_EQ(codes(scene), "shader_simplified");
}

TEST(ShaderScript, AlphaReplacesTheGamesBlending)
{
    EXPECT_EQ(changed({0, 0, 0, 255}, StageBlend::add), (Pixel{0, 0, 0, 0}));
    EXPECT_EQ(changed({100, 50, 0, 7}, StageBlend::add), (Pixel{255, 127, 0, 100}));
    EXPECT_EQ(changed({100, 50, 0, 51}, StageBlend::add_alpha), (Pixel{255, 127, 0, 20}));
    EXPECT_EQ(changed({255, 255, 255, 255}, StageBlend::filter), (Pixel{0, 0, 0, 0}));
    EXPECT_EQ(changed({0, 0, 0, 255}, StageBlend::filter), (Pixel{0, 0, 0, 255}));
    EXPECT_EQ(changed({255, 255, 255, 255}, StageBlend::darken), (Pixel{0, 0, 0, 255}));
    EXPECT_EQ(changed({9, 8, 7, 55}, StageBlend::none, AlphaTest::below_half), (Pixel{9, 8, 7, 200}));
    EXPECT_EQ(changed({9, 8, 7, 55}, StageBlend::alpha), (Pixel{9, 8, 7, 55}));
}

// The result of each pair of factors for image s over background d, by the blend equation
// s * source + d * target.
TEST(ShaderScript, EachPairOfBlendFactorsHasItsMeaning)
{
    struct Row {
        const char* factors;
        StageBlend blend;
    };
    const Row rows[] = {
        {"add", StageBlend::add},                                   // s + d
        {"filter", StageBlend::filter},                             // s d
        {"blend", StageBlend::alpha},                               // s a + d (1 - a)
        {"GL_ONE GL_ZERO", StageBlend::none},                       // s
        {"GL_ONE GL_ONE", StageBlend::add},                         // s + d
        {"GL_ONE GL_SRC_ALPHA", StageBlend::add},                   // s + d a
        {"GL_ONE GL_ONE_MINUS_SRC_COLOR", StageBlend::add},         // s + d (1 - s)
        {"GL_ONE_MINUS_DST_COLOR GL_ONE", StageBlend::add},         // s (1 - d) + d
        {"GL_DST_COLOR GL_ONE", StageBlend::add},                   // s d + d
        {"GL_SRC_ALPHA GL_ONE", StageBlend::add_alpha},             // s a + d
        {"GL_DST_COLOR GL_ZERO", StageBlend::filter},               // s d
        {"GL_ZERO GL_SRC_COLOR", StageBlend::filter},               // d s
        {"GL_DST_COLOR GL_SRC_COLOR", StageBlend::filter},          // 2 s d
        {"GL_ZERO GL_ONE_MINUS_SRC_COLOR", StageBlend::darken},     // d (1 - s)
        {"GL_ONE_MINUS_DST_COLOR GL_ZERO", StageBlend::darken},     // s (1 - d)
        {"GL_SRC_ALPHA GL_ONE_MINUS_SRC_ALPHA", StageBlend::alpha}, // s a + d (1 - a)
        {"gl_one gl_one", StageBlend::add},                         // case is ignored
        {"Add", StageBlend::add},
        {"GL_NONSENSE GL_ONE", StageBlend::alpha},
    };
    for (const auto& [factors, blend] : rows)
        EXPECT_EQ(quake::parse_shader(std::string("{ map a\n blendFunc ") + factors + " }").blend, blend)
            << factors;
}

// The UVs of the surface have no effect then.
TEST(ShaderScript, ReflectionHasTheColorOfItsImage)
{
    Md3Model model;
    model.surfaces[0].shaders = {"chrome"};
    const auto scene =
        valid(load_md3_files("a.md3", {{"a.md3", model.write()},
                                       {"sky.tga", tga(2, 1, {0, 100, 0, 255, 100, 0, 0, 255})},
                                       {"a.shader", "chrome { { map sky.tga\n tcGen environment } }"}}));
    const auto& image = scene.images.at(scene.materials.at(0).base_color_texture.image);
    EXPECT_EQ(image.pixels, (Pixel{50, 50, 0, 255}));
}
