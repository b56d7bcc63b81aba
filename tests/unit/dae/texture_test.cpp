#include <fmt/format.h>
#include <gmock/gmock.h>

#include "loaders/images/image_ops.hpp"
#include "tests/unit/dae/surfaces.hpp"

namespace vitrine::dae::test {
namespace {

const std::string sampler =
    "<newparam sid='surf'><surface type='2D'><init_from>img</init_from></surface></newparam><newparam "
    "sid='samp'><sampler2D><source>surf</source><wrap_s>CLAMP</wrap_s><wrap_t>MIRROR</wrap_t>"
    "<magfilter>NEAREST</magfilter></sampler2D></newparam>";
const std::string image = "<image id='img'><init_from>./a%20b/p.bmp</init_from></image>";

std::string textured(const std::string& name, const std::string& extra = "")
{
    return "<lambert><diffuse><texture texture='" + name + "' texcoord='UV0'>" + extra +
           "</texture></diffuse></lambert>";
}

TEST(DaeTexture, TextureThroughSamplerAndSurface)
{
    const Surface surface{.shader = textured("samp"), .parameters = sampler, .images = image};
    const scene::Scene scene = loaded(surface.text(), {{"a b/p.bmp", picture(1, 2, 3)}});
    const scene::Texture& t = scene.materials.at(0).base_color_texture;
    ASSERT_NE(t.image, scene::none);
    EXPECT_EQ(scene.images.at(t.image).pixels.at(0), 1);
    EXPECT_EQ(t.wrap_s, scene::Wrap::clamp);
    EXPECT_EQ(t.wrap_t, scene::Wrap::mirror);
    EXPECT_TRUE(t.nearest);
    EXPECT_TRUE(scene.warnings.empty());
    // The binding selects set 1.
    EXPECT_EQ(scene.meshes.at(0).uv0.at(0), glm::vec2(1, 1));
}

// As some converters write it: texture="texture0" for the sampler "texture0-sampler".
TEST(DaeTexture, NamesWithoutTheirUsualEnding)
{
    const auto parameters = [](const std::string& surface, const std::string& sampler,
                               const std::string& source, const std::string& picture) {
        return "<newparam sid='" + surface + "'><surface type='2D'><init_from>" + picture +
               "</init_from></surface></newparam><newparam sid='" + sampler + "'><sampler2D><source>" +
               source + "</source><wrap_s>CLAMP</wrap_s></sampler2D></newparam>";
    };
    const auto load = [](const std::string& name, const std::string& params, const std::string& images) {
        return loaded(Surface{.shader = textured(name), .parameters = params, .images = images}.text(),
                      {{"a b/p.bmp", picture(1, 2, 3)}});
    };
    for (const std::string name : {"t0", "#t0", "#t0-sampler"}) {
        const scene::Scene scene =
            load(name, parameters("t0-surface", "t0-sampler", "t0-surface", "img"), image);
        const scene::Texture& t = scene.materials.at(0).base_color_texture;
        ASSERT_NE(t.image, scene::none) << name;
        EXPECT_EQ(t.wrap_s, scene::Wrap::clamp) << name << ": the sampler's";
        EXPECT_TRUE(warns(scene, "inexact_texture_name")) << name;
        EXPECT_FALSE(warns(scene, "missing_image")) << name;
    }
    const scene::Scene cut = load("t0-sampler", parameters("t0-surface", "t0-sampler", "t0", "img"), image);
    EXPECT_NE(cut.materials.at(0).base_color_texture.image, scene::none) << "the sampler's source, too";
    const std::string named = "<image id='wall-image'><init_from>./a%20b/p.bmp</init_from></image>";
    const scene::Scene direct = load("wall", "", named);
    EXPECT_NE(direct.materials.at(0).base_color_texture.image, scene::none);
    EXPECT_TRUE(warns(direct, "inexact_texture_name"));
    const scene::Scene gone =
        load("other", parameters("t0-surface", "t0-sampler", "t0-surface", "img"), image);
    EXPECT_EQ(gone.materials.at(0).base_color_texture.image, scene::none);
    EXPECT_TRUE(warns(gone, "missing_image"));
    EXPECT_FALSE(warns(gone, "inexact_texture_name"));
}

TEST(DaeTexture, TextureWithAndWithoutStepsIn15)
{
    const std::string init = "<init_from><ref>p.bmp</ref></init_from>";
    for (const std::string name : {"img", "samp"})
        for (const std::string& inner :
             {init, "<create_2d><size_exact width='1' height='1'/>" + init + "</create_2d>"}) {
            const std::string parameters =
                "<newparam sid='samp'><sampler2D><instance_image url='#img'/></sampler2D></newparam>";
            const std::string images = "<image id='img'>" + inner + "</image>";
            const Surface surface{.shader = textured(name), .parameters = parameters, .images = images};
            const scene::Scene scene = loaded(surface.text(), {{"p.bmp", picture(9, 2, 3)}});
            ASSERT_EQ(scene.images.size(), 1u);
            EXPECT_EQ(scene.images[0].pixels.at(0), 9);
        }
}

TEST(DaeTexture, EmbeddedImages)
{
    std::string hex;
    for (const char c : picture(7, 0, 0))
        for (const int digit : {(c >> 4) & 15, c & 15})
            hex += "0123456789abcdef"[digit];
    const Surface surface{.shader = textured("img"),
                          .images = "<image id='img'><init_from><hex format='BMP'>" + hex +
                                    "</hex></init_from></image>"};
    const scene::Scene scene = loaded(surface.text());
    ASSERT_EQ(scene.images.size(), 1u);
    EXPECT_EQ(scene.images[0].pixels.at(0), 7);
}

TEST(DaeTexture, PlacementOfTextures)
{
    const std::string extra =
        "<extra><technique profile='MAYA'><wrapU>0</wrapU><mirrorV>1</mirrorV><repeatU>2</repeatU>"
        "<repeatV>3</repeatV><offsetV>0.5</offsetV></technique></extra>";
    const Surface surface{.shader = textured("img", extra), .images = image};
    const scene::Texture t =
        loaded(surface.text(), {{"a b/p.bmp", picture(1, 2, 3)}}).materials.at(0).base_color_texture;
    EXPECT_EQ(t.wrap_s, scene::Wrap::clamp);
    EXPECT_EQ(t.wrap_t, scene::Wrap::mirror);
    EXPECT_EQ(t.scale, glm::vec2(2, 3));
    EXPECT_EQ(t.offset, glm::vec2(0, 1 - 3 - 0.5f)); // of v downwards
}

TEST(DaeTexture, FlagsOfPlacementInAnySpelling)
{
    const auto wrap = [](const std::string& wraps, const std::string& mirrors) {
        const std::string extra = "<extra><technique profile='MAX3D'><wrapU>" + wraps + "</wrapU><mirrorU>" +
                                  mirrors + "</mirrorU></technique></extra>";
        return loaded(Surface{.shader = textured("img", extra), .images = image}.text(),
                      {{"a b/p.bmp", picture(1, 2, 3)}})
            .materials.at(0)
            .base_color_texture.wrap_s;
    };
    for (const char* yes : {"TRUE", "True", "true", "1", "1.000000", "1,000000", " TRUE "}) {
        EXPECT_EQ(wrap(yes, "FALSE"), scene::Wrap::repeat) << yes;
        EXPECT_EQ(wrap("1", yes), scene::Wrap::mirror) << yes;
    }
    for (const char* no : {"FALSE", "False", "false", "0", "0.000000"})
        EXPECT_EQ(wrap(no, no), scene::Wrap::clamp) << no;
    EXPECT_EQ(wrap("", "perhaps"), scene::Wrap::repeat) << "the default is repeat";
}

// As exporters of FBX and Python write it.
TEST(DaeTexture, WrappingInCapitals)
{
    const std::string extra = "<extra><technique profile='MAYA'><wrapU>TRUE</wrapU><wrapV>True</wrapV>"
                              "<mirrorV>FALSE</mirrorV></technique></extra>";
    const Surface surface{.shader = textured("img", extra), .images = image};
    const scene::Texture t =
        loaded(surface.text(), {{"a b/p.bmp", picture(1, 2, 3)}}).materials.at(0).base_color_texture;
    EXPECT_EQ(t.wrap_s, scene::Wrap::repeat);
    EXPECT_EQ(t.wrap_t, scene::Wrap::repeat);
}

// Returns the material of a red surface with an image in <transparent>; `there` is false: no image.
scene::Material seen_through(const std::string& mode, const std::string& amount, bool there,
                             scene::Array<std::uint8_t>* pixel = nullptr)
{
    const std::string shader = "<lambert><diffuse><color>1 0 0 1</color></diffuse><transparent opaque='" +
                               mode +
                               "'><texture texture='img' texcoord='UV0'/></transparent><transparency>"
                               "<float>" +
                               amount + "</float></transparency></lambert>";
    std::map<std::string, std::string> files;
    if (there)
        files["a b/p.bmp"] = picture(static_cast<char>(255), static_cast<char>(255), static_cast<char>(255));
    const scene::Scene scene = loaded(Surface{.shader = shader, .images = image}.text(), files);
    const scene::Material& m = scene.materials.at(0);
    if (pixel != nullptr && m.base_color_texture.image != scene::none)
        *pixel = scene.images.at(m.base_color_texture.image).pixels;
    return m;
}

TEST(DaeTexture, OpaqueTransparencyTextureIsOpaque)
{
    const scene::Material m = seen_through("A_ONE", "1", true);
    EXPECT_EQ(m.base_color, glm::vec4(1, 0, 0, 1));
    EXPECT_EQ(m.base_color_texture.image, scene::none) << "it is no picture of the surface";
    EXPECT_EQ(m.alpha_mode, scene::AlphaMode::opaque);
    EXPECT_EQ(seen_through("RGB_ZERO", "0", true).alpha_mode, scene::AlphaMode::opaque);
}

TEST(DaeTexture, TransparencyCountsWithAnImage)
{
    scene::Array<std::uint8_t> pixel;
    for (const std::string mode : {"RGB_ZERO", "A_ZERO"}) {
        EXPECT_EQ(seen_through(mode, "0.25", true, &pixel).alpha_mode, scene::AlphaMode::blend) << mode;
        EXPECT_EQ(pixel, (std::vector<std::uint8_t>{255, 255, 255, 191})) << mode;
    }
    for (const std::string mode : {"RGB_ONE", "A_ONE"}) {
        seen_through(mode, "0.25", true, &pixel);
        EXPECT_EQ(pixel, (std::vector<std::uint8_t>{255, 255, 255, 64})) << mode;
    }
}

TEST(DaeTexture, MissingTransparencyTextureIsOpaque)
{
    for (const std::string mode : {"A_ONE", "RGB_ONE", "A_ZERO", "RGB_ZERO"})
        EXPECT_EQ(seen_through(mode, "1", false).base_color, glm::vec4(1, 0, 0, 1)) << mode;
}

TEST(DaeTexture, MissingImageIsAWarning)
{
    const scene::Scene scene = loaded(Surface{.shader = textured("img"), .images = image}.text());
    EXPECT_TRUE(warns(scene, "missing_image"));
}

// Blender names an <image> that it does not write when it has no file. Black emission does not define the
// surface's own color.
TEST(DaeTexture, TextureWithoutAnImageIsGray)
{
    const std::string shader = "<lambert><emission><color>0 0 0 1</color></emission>"
                               "<diffuse><texture texture='gone' texcoord='UV0'/></diffuse></lambert>";
    const scene::Scene scene = loaded(Surface{.shader = shader}.text());
    EXPECT_TRUE(warns(scene, "missing_image"));
    ASSERT_EQ(scene.materials.size(), 1u);
    const scene::Scene missing = loaded(Surface{.shader = textured("img"), .images = image}.text());
    EXPECT_EQ(scene.materials[0].base_color, missing.materials.at(0).base_color);
    EXPECT_GT(scene.materials[0].base_color.x, 0.5f);
}

TEST(DaeTexture, BumpsInExtras)
{
    const std::string extra =
        "<extra><technique profile='FCOLLADA'><bump bumptype='NORMALMAP'><texture texture='img' "
        "texcoord='UV0'/></bump></technique></extra>";
    const scene::Scene scene =
        loaded(Surface{.images = image, .extra = extra}.text(), {{"a b/p.bmp", picture(1, 2, 3)}});
    EXPECT_NE(scene.materials.at(0).normal_texture.image, scene::none);
}

TEST(DaeTexture, UnsupportedMapsAreReported)
{
    const std::string map = "<texture texture='img' texcoord='UV0'/>";
    const auto with = [&](const std::string& shader) {
        return loaded(Surface{.shader = "<phong>" + shader + "</phong>", .images = image}.text(),
                      {{"a b/p.bmp", picture(1, 2, 3)}});
    };
    for (const char* slot : {"ambient", "specular", "reflective"})
        EXPECT_TRUE(warns(with(fmt::format("<{0}>{1}</{0}>", slot, map)), "map_not_shown")) << slot;
    // An image equal to the base color's is not reported.
    const scene::Scene same = with("<ambient>" + map + "</ambient><diffuse>" + map + "</diffuse>");
    EXPECT_TRUE(same.warnings.empty());
}

} // namespace
} // namespace vitrine::dae::test
