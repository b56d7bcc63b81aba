#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/broken_images.hpp"
#include "tests/unit/3ds/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;
using namespace vitrine::test::threeds;
using testing::ElementsAre;

namespace {

std::string bytes24(int red, int green, int blue)
{
    return {static_cast<char>(red), static_cast<char>(green), static_cast<char>(blue)};
}

// 24 bits, one pixel.
std::string bmp(int red, int green, int blue)
{
    const std::uint16_t planes = 1, bits = 24;
    return "BM" + raw(58u, 0u, 54u, 40u, 1u, 1u, planes, bits, 0u, 4u, 0u, 0u, 0u, 0u) +
           bytes24(blue, green, red) + '\0';
}

scene::Scene load_chunks(const std::string& material, std::map<std::string, std::string> beside = {})
{
    const auto bytes = file(chunk(0xAFFF, chunk(0xA000, text("m")) + material) + triangle("o"));
    return valid(load_3ds_bytes(bytes, std::move(beside)));
}

scene::Material material(const std::string& chunks)
{
    return load_chunks(chunks).materials.at(0);
}

std::string percent(int id, int value)
{
    return chunk(id, chunk(0x0030, words({value})));
}

std::string map(int id, std::string_view name, const std::string& more = {}, int amount = 100)
{
    return chunk(id, chunk(0x0030, words({amount})) + chunk(0xA300, text(name)) + more);
}

const scene::Array<std::uint8_t>& pixels(const scene::Scene& scene, const scene::Texture& texture)
{
    return scene.images.at(texture.image).pixels;
}

} // namespace

TEST(ThreedsMaterial, ColorsInAllFourForms)
{
    const auto red = [](const std::string& color) { return material(chunk(0xA020, color)).base_color.x; };
    EXPECT_NEAR(red(chunk(0x0011, bytes24(188, 0, 255))), 0.5f, 0.01f) << "sRGB";
    EXPECT_NEAR(red(chunk(0x0010, floats({0.735f, 0, 1}))), 0.5f, 0.01f);
    EXPECT_NEAR(red(chunk(0x0012, bytes24(128, 0, 255))), 0.5f, 0.01f) << "linear already";
    EXPECT_NEAR(red(chunk(0x0013, floats({0.5f, 0, 1}))), 0.5f, 1e-6f);
    EXPECT_NEAR(red(chunk(0x0012, bytes24(1, 1, 1)) + chunk(0x0011, bytes24(188, 0, 255))), 0.5f, 0.01f)
        << "as shown, where both are there";
    EXPECT_EQ(material("").name, "m");
}

TEST(ThreedsMaterial, InvalidColorsAreBlack)
{
    const float none = std::nanf("");
    for (const int form : {0x0010, 0x0013}) {
        const auto color = material(chunk(0xA020, chunk(form, floats({none, INFINITY, 0.5f})))).base_color;
        EXPECT_EQ(glm::vec2(color), glm::vec2(0.0f)) << form;
        EXPECT_GT(color.z, 0.0f) << form;
    }
}

TEST(ThreedsMaterial, ReadsIntegerAndFloatPercents)
{
    EXPECT_NEAR(material(percent(0xA050, 25)).base_color.w, 0.75f, 1e-6f);
    EXPECT_EQ(material(percent(0xA050, 25)).alpha_mode, scene::AlphaMode::blend);
    EXPECT_NEAR(material(chunk(0xA050, chunk(0x0031, floats({0.25f})))).base_color.w, 0.75f, 1e-6f);
    EXPECT_NEAR(material(chunk(0xA050, chunk(0x0031, floats({25.0f})))).base_color.w, 0.75f, 1e-6f);
}

TEST(ThreedsMaterial, SurfaceAndSides)
{
    EXPECT_FALSE(material("").double_sided);
    EXPECT_TRUE(material(chunk(0xA081, "")).double_sided);
    EXPECT_EQ(material(chunk(0xA100, words({4}))).metallic, 1.0f);
    EXPECT_EQ(material(percent(0xA040, 50)).roughness, 1.0f) << "without strength no highlight";
    EXPECT_NEAR(material(percent(0xA040, 50) + percent(0xA041, 80)).roughness, 0.242f, 0.01f);
    const auto glowing = material(chunk(0xA020, chunk(0x0011, bytes24(255, 0, 0))) + percent(0xA084, 50));
    EXPECT_EQ(glowing.emissive, glm::vec3(0.5f, 0, 0));
    EXPECT_EQ(codes(load_chunks(chunk(0xA085, ""))), "wire_material");
}

TEST(ThreedsMaterial, TextureCoversTheColor)
{
    const auto gray = chunk(0xA020, chunk(0x0011, bytes24(100, 0, 0)));
    const auto scene = load_chunks(gray + map(0xA200, "skin.bmp"), {{"skin.bmp", bmp(1, 2, 3)}});
    EXPECT_EQ(scene.materials[0].base_color, glm::vec4(1));
    EXPECT_THAT(pixels(scene, scene.materials[0].base_color_texture), ElementsAre(1, 2, 3, 255));
    const auto half = load_chunks(gray + map(0xA200, "skin.bmp", "", 50), {{"skin.bmp", bmp(200, 100, 0)}});
    EXPECT_THAT(pixels(half, half.materials[0].base_color_texture), ElementsAre(150, 50, 0, 255));
    EXPECT_EQ(codes(load_chunks(map(0xA200, "gone.bmp"))), "missing_image");
}

// A black color would hide a texture, so it is left to it.
TEST(ThreedsMaterial, MissingMapLeavesTheNeutralLook)
{
    const auto colored = [](int red) { return chunk(0xA020, chunk(0x0011, bytes24(red, 0, 0))); };
    const auto is_red = [](const scene::Material& m) { return m.base_color == glm::vec4(1, 0, 0, 1); };
    const auto is_gray = [](const scene::Material& m) {
        return m.base_color == glm::vec4(0.6f, 0.6f, 0.6f, 1) && m.alpha_mode == scene::AlphaMode::opaque &&
               m.normal_texture.image == scene::none && m.emissive == glm::vec3(0);
    };
    const struct {
        int map;
        std::string others;
        std::function<bool(const scene::Material&)> is_neutral;
    } rows[]{{0xA200, colored(255), is_red},
             {0xA200, colored(0), is_gray},
             {0xA200, "", is_gray},
             {0xA210, "", is_gray},
             {0xA210, percent(0xA050, 50), [](const auto& m) { return m.base_color.w == 0.5f; }},
             {0xA230, "", is_gray},
             {0xA33D, percent(0xA084, 100), is_gray}};
    for (const auto& [id, others, is_neutral] : rows) {
        for (const BrokenImage& image : broken_images()) {
            const auto scene = load_chunks(others + map(id, image.file), image.files);
            EXPECT_PRED1(is_neutral, scene.materials.at(0)) << id << image.file;
            expect_named(scene.warnings, image);
        }
    }
}

TEST(ThreedsMaterial, DosNamesFindLongerFiles)
{
    const auto found = [](std::string_view wanted, const std::string& there) {
        const auto scene = load_chunks(map(0xA200, wanted), {{there, bmp(1, 2, 3)}});
        return !scene.images.at(0).pixels.empty();
    };
    EXPECT_TRUE(found("LONGTEXT.BMP", "LongTextureName.bmp")) << "cut at eight characters";
    EXPECT_TRUE(found("LONGTE~1.BMP", "LongTextureName.png")) << "as DOS abbreviates";
    EXPECT_FALSE(found("SHORT.BMP", "shorter.bmp")) << "was not cut";
}

// The file's v points up; MaterialConverter::texture() has the order. Checked with the file's coordinates.
TEST(ThreedsMaterial, TexturesAreShiftedScaledAndTurned)
{
    const auto moved = [](const std::string& chunks, glm::vec2 uv) {
        const auto scene = load_chunks(map(0xA200, "a.bmp", chunks), {{"a.bmp", bmp(0, 0, 0)}});
        const auto& t = scene.materials[0].base_color_texture;
        const glm::vec2 scaled = t.scale * glm::vec2(uv.x, 1 - uv.y);
        const float c = std::cos(t.rotation), s = std::sin(t.rotation);
        const glm::vec2 out = t.offset + glm::vec2(c * scaled.x - s * scaled.y, s * scaled.x + c * scaled.y);
        return glm::vec2(out.x, 1 - out.y);
    };
    const auto near = [](glm::vec2 a, glm::vec2 b) { return glm::distance(a, b) < 1e-5f; };
    EXPECT_TRUE(near(moved("", {0.3f, 0.2f}), {0.3f, 0.2f}));
    const auto tiled = chunk(0xA354, floats({2})) + chunk(0xA356, floats({4}));
    EXPECT_TRUE(near(moved(tiled, {0.5f, 0.5f}), {0.5f, 0.5f})) << "about the middle";
    EXPECT_TRUE(near(moved(tiled, {0.75f, 0.75f}), {1.0f, 1.5f}));
    const auto shifted = chunk(0xA358, floats({0.1f})) + chunk(0xA35A, floats({0.2f}));
    EXPECT_TRUE(near(moved(shifted, {0.5f, 0.5f}), {0.4f, 0.3f})) << "the picture moves right and up";
    EXPECT_TRUE(near(moved(chunk(0xA35C, floats({90})), {0.5f, 1.0f}), {1.0f, 0.5f}))
        << "it turns counter-clockwise: at the top is what was at its right";
}

TEST(ThreedsMaterial, TilingFlags)
{
    const auto flags = [](int value) {
        return load_chunks(map(0xA200, "a.bmp", chunk(0xA351, words({value}))), {{"a.bmp", bmp(10, 20, 30)}});
    };
    EXPECT_EQ(flags(0).materials[0].base_color_texture.wrap_s, scene::Wrap::repeat);
    EXPECT_EQ(flags(2).materials[0].base_color_texture.wrap_s, scene::Wrap::mirror);
    EXPECT_EQ(flags(0x10).materials[0].base_color_texture.wrap_t, scene::Wrap::clamp);
    const auto negative = flags(8);
    EXPECT_THAT(pixels(negative, negative.materials[0].base_color_texture), ElementsAre(245, 235, 225, 255));
}

TEST(ThreedsMaterial, OpacityAndBumpMaps)
{
    const auto scene =
        load_chunks(map(0xA200, "a.bmp") + map(0xA210, "mask.bmp") + map(0xA230, "bump.bmp"),
                    {{"a.bmp", bmp(10, 20, 30)}, {"mask.bmp", bmp(0, 0, 0)}, {"bump.bmp", bmp(7, 7, 7)}});
    const auto& shown = scene.materials[0];
    EXPECT_THAT(pixels(scene, shown.base_color_texture), ElementsAre(10, 20, 30, 0));
    EXPECT_EQ(shown.alpha_mode, scene::AlphaMode::mask);
    EXPECT_THAT(pixels(scene, shown.normal_texture), ElementsAre(128, 128, 255, 255));
    EXPECT_EQ(codes(load_chunks(map(0xA220, "sky.bmp"))), "map_not_shown");
}

TEST(ThreedsMaterial, CamerasAndLightsAreReportedOnce)
{
    const auto holder = [](const char* name, int kind) {
        return chunk(0x4000, text(name) + chunk(kind, floats({0, 0, 0, 0, 0, 0, 0, 0})));
    };
    const auto load_chunks = [](const std::string& objects, const std::string& keyframer = {}) {
        return *load_3ds_bytes(file(objects + triangle("o"), keyframer));
    };
    const auto scene = load_chunks(holder("lamp", 0x4600) + holder("eye", 0x4700) + holder("eye 2", 0x4700));
    EXPECT_EQ(codes(scene), "cameras_ignored lights_ignored");
    EXPECT_EQ(scene.warnings.at(1).where, "byte 28"); // after four headers and the version
    const auto ambient = [&](const std::vector<TestKey>& colors) {
        return codes(load_chunks({}, node(0, "$AMBIENT$", no_parent, track(0xB025, colors), 0xB001)));
    };
    EXPECT_EQ(ambient({{0, {0, 0, 0}}, {9, {1, 1, 1}}}), "lights_ignored");
    EXPECT_EQ(ambient({{0, {0, 0, 0}}}), "");
}

TEST(ThreedsMaterial, MasterScaleIsNotApplied)
{
    const auto scaled = [](float scale) {
        return codes(*load_3ds_bytes(file(chunk(0x0100, floats({scale})) + triangle("o"))));
    };
    EXPECT_EQ(scaled(2.0f), "master_scale");
    EXPECT_EQ(scaled(1.0f), "");
}

TEST(ThreedsMaterial, AdditiveTransparencyIsReported)
{
    EXPECT_EQ(codes(load_chunks(chunk(0xA083, ""))), "additive_material");
}
