// The appearance of a material of which one map, of each kind in turn, cannot be used.

#include <functional>

#include "loaders/base/srgb.hpp"
#include "tests/support/base64.hpp"
#include "tests/support/broken_images.hpp"
#include "tests/unit/fbx/materials.hpp"

namespace vitrine::fbx {
namespace {

using scene::Material;

const glm::vec4 neutral_color(linear_from_srgb(glm::vec3(0.8f)), 1.0f);

struct MapRow {
    std::string slot;
    std::string properties;
    std::function<bool(const Material&)> is_neutral;
};

bool is_gray(const Material& m)
{
    return glm::distance(m.base_color, neutral_color) < 1e-6f && m.alpha_mode == scene::AlphaMode::opaque;
}

bool has_no_normals(const Material& m)
{
    return is_gray(m) && m.normal_texture.image == scene::none;
}

bool is_dark(const Material& m)
{
    return m.emissive == glm::vec3(0.0f);
}

const std::string white_emission = color("EmissiveColor", "1,1,1");

const MapRow map_rows[]{
    {"DiffuseColor", color("DiffuseColor", "1,0,0"),
     [](const Material& m) { return m.base_color == glm::vec4(1, 0, 0, 1); }},
    {"DiffuseColor", color("DiffuseColor", "0,0,0"), is_gray}, // black would hide the map
    {"DiffuseColor", white_emission, [](const Material& m) { return m.emissive == glm::vec3(1.0f); }},
    {"DiffuseColor", color("DiffuseColor", "0,0,0") + number("DiffuseFactor", "0"),
     [](const Material& m) { return m.base_color == glm::vec4(0, 0, 0, 1); }}, // with the map too
    {"Maya|baseColor", color("Maya|baseColor", "0,1,0"),
     [](const Material& m) { return m.base_color == glm::vec4(0, 1, 0, 1); }},
    {"Maya|baseColor", color("Maya|baseColor", "0,0,0"), is_gray},
    {"EmissiveColor", white_emission, is_dark},
    {"Maya|emissionColor", color("Maya|emissionColor", "1,1,1"), is_dark},
    {"TransparentColor", "", is_gray},
    {"TransparentColor", number("TransparencyFactor", "1") + color("TransparentColor", "1,1,1"), is_gray},
    {"TransparentColor", number("Opacity", "0"), is_gray}, // the factor is left to the image
    {"TransparentColor", number("Opacity", "0.5"),
     [](const Material& m) { return m.base_color.w == 0.5f && m.alpha_mode == scene::AlphaMode::blend; }},
    {"NormalMap", "", has_no_normals},
    {"Bump", "", has_no_normals},
    {"Maya|specularRoughness", number("Maya|specularRoughness", "0.25"),
     [](const Material& m) {
         return m.roughness == 0.25f && m.metallic_roughness_texture.image == scene::none;
     }},
    {"Maya|metalness", number("Maya|metalness", "0.25"),
     [](const Material& m) {
         return m.metallic == 0.25f && m.metallic_roughness_texture.image == scene::none;
     }},
    {"Maya|TEX_ao_map", number("Maya|use_ao_map", "1"),
     [](const Material& m) { return m.occlusion_strength == 1.0f && m.emissive == glm::vec3(0.0f); }}};

TEST(FbxMissingMap, LeavesTheNeutralLook)
{
    for (const MapRow& row : map_rows) {
        for (const test::BrokenImage& image : test::broken_images()) {
            SCOPED_TRACE(row.slot + " " + row.properties + " " + image.file);
            const auto loaded =
                load_material(row.properties, texture(2, image.file), connect(2, row.slot), image.files);
            EXPECT_PRED1(row.is_neutral, loaded.material());
            test::expect_named(loaded.warnings, image);
        }
    }
}

TEST(FbxMissingMap, NamesEmbeddedImages)
{
    for (const test::BrokenImage& image : test::broken_images()) {
        if (image.files.empty()) continue;
        const std::string& bytes = image.files.begin()->second;
        const auto loaded = load_material(
            "",
            texture(2, image.file) + "Video: 3, \"Video::v\", \"Clip\" { RelativeFilename: \"x\\" +
                image.file + "\"\nContent: , \"" + test::encode_base64(std::as_bytes(std::span(bytes))) +
                "\"\n }\n",
            connect(2, "DiffuseColor") + "C: \"OO\",3,2\n");
        test::expect_named(loaded.warnings, image);
    }
}

} // namespace
} // namespace vitrine::fbx
