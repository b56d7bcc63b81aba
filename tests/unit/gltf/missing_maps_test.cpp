// The appearance of a material of which one map, of each kind in turn, cannot be used.

#include <functional>

#include <gmock/gmock.h>

#include "tests/support/broken_images.hpp"
#include "tests/unit/gltf/builder.hpp"
#include "tests/unit/gltf/pictures.hpp"

namespace vitrine {
namespace {

using scene::Material;

struct MapRow {
    std::string name;
    std::string material; // JSON; $ is the reference to the texture
    std::function<bool(const Material&)> is_neutral;
};

const std::string factors = R"("baseColorFactor":[0.1,0.2,0.3,1],"metallicFactor":1,"roughnessFactor":0.6)";

std::string pbr(const std::string& map)
{
    return R"({"pbrMetallicRoughness":{)" + factors + "," + map + "}}";
}

std::string extension(const std::string& name, const std::string& members)
{
    return R"({"pbrMetallicRoughness":{)" + factors + R"(},"extensions":{"KHR_materials_)" + name + "\":{" +
           members + "}}}";
}

bool has_factors(const Material& m)
{
    return m.base_color == glm::vec4(0.1f, 0.2f, 0.3f, 1.0f) && m.roughness == 0.6f &&
           m.alpha_mode == scene::AlphaMode::opaque;
}

bool is_metal(const Material& m)
{
    return has_factors(m) && m.metallic == 1.0f;
}

const MapRow map_rows[]{
    {"base color", pbr(R"("baseColorTexture":$)"), is_metal},
    {"metallic-roughness", pbr(R"("metallicRoughnessTexture":$)"),
     [](const Material& m) { return has_factors(m) && m.metallic == 0.0f; }},
    {"normal", R"({"normalTexture":$})", [](const Material& m) { return m.base_color == glm::vec4(1.0f); }},
    {"occlusion", R"({"occlusionTexture":$})",
     [](const Material& m) { return m.base_color == glm::vec4(1.0f); }},
    {"emission", R"({"emissiveFactor":[1,1,1],"emissiveTexture":$,
      "extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":4}}})",
     [](const Material& m) { return m.emissive == glm::vec3(0.0f); }},
    {"opacity",
     R"({"alphaMode":"BLEND","pbrMetallicRoughness":{"baseColorFactor":[1,1,1,0.5],"baseColorTexture":$}})",
     [](const Material& m) { return m.base_color.w == 0.5f && m.alpha_mode == scene::AlphaMode::blend; }},
    {"specular", extension("specular", R"("specularFactor":0.5,"specularTexture":$)"),
     [](const Material& m) { return is_metal(m) && m.extensions.specular == 0.5f; }},
    {"specular color", extension("specular", R"("specularColorFactor":[0.5,1,8],"specularColorTexture":$)"),
     [](const Material& m) { return is_metal(m) && m.extensions.specular_color == glm::vec3(0.5f, 1, 1); }},
    {"clearcoat", extension("clearcoat", R"("clearcoatFactor":1,"clearcoatTexture":$)"),
     [](const Material& m) { return is_metal(m) && m.extensions.clearcoat == 0.0f; }},
    {"clearcoat roughness",
     extension("clearcoat",
               R"("clearcoatFactor":1,"clearcoatRoughnessFactor":0.25,"clearcoatRoughnessTexture":$)"),
     [](const Material& m) {
         return m.extensions.clearcoat == 1.0f && m.extensions.clearcoat_roughness == 0.25f;
     }},
    {"sheen", extension("sheen", R"("sheenColorFactor":[1,1,1],"sheenColorTexture":$)"),
     [](const Material& m) { return is_metal(m) && m.extensions.sheen == glm::vec3(0.0f); }},
    {"sheen roughness",
     extension("sheen",
               R"("sheenColorFactor":[1,1,1],"sheenRoughnessFactor":0.25,"sheenRoughnessTexture":$)"),
     [](const Material& m) {
         return m.extensions.sheen == glm::vec3(1.0f) && m.extensions.sheen_roughness == 0.25f;
     }},
    {"transmission", extension("transmission", R"("transmissionFactor":1,"transmissionTexture":$)"),
     [](const Material& m) { return is_metal(m) && m.extensions.transmission == 0.0f; }},
    {"thickness", extension("volume", R"("thicknessFactor":0.5,"thicknessTexture":$)"),
     [](const Material& m) { return is_metal(m) && m.extensions.thickness == 0.5f; }},
    {"iridescence", extension("iridescence", R"("iridescenceFactor":1,"iridescenceTexture":$)"), is_metal},
    {"anisotropy", extension("anisotropy", R"("anisotropyStrength":1,"anisotropyTexture":$)"), is_metal},
    {"diffuse", extension("pbrSpecularGlossiness", R"("diffuseFactor":[0.5,0.5,0.5,1],"diffuseTexture":$)"),
     [](const Material& m) {
         return m.base_color == glm::vec4(0.5f, 0.5f, 0.5f, 1.0f) && m.metallic == 0.0f;
     }},
    // Neither a mirror (glossiness 1) nor a metal (specular 1), which are the defaults.
    {"specular-glossiness",
     extension("pbrSpecularGlossiness", R"("diffuseFactor":[0.5,0.5,0.5,1],"specularGlossinessTexture":$)"),
     [](const Material& m) {
         return m.base_color == glm::vec4(0.5f, 0.5f, 0.5f, 1.0f) && m.metallic == 0.0f &&
                m.roughness == 0.5f && m.extensions == scene::MaterialExtensions{};
     }}};

std::string with_reference(std::string material, const std::string& reference)
{
    for (auto at = material.find('$'); at != std::string::npos; at = material.find('$'))
        material.replace(at, 1, reference);
    return material;
}

TEST(GltfMissingMap, LeavesTheNeutralLook)
{
    for (const MapRow& row : map_rows) {
        for (const test::BrokenImage& image : test::broken_images()) {
            SCOPED_TRACE(row.name + " " + image.file);
            test::GltfBuilder builder = test::triangle();
            builder.add("images", R"({"uri":")" + image.file + "\"}");
            builder.add("textures", R"({"source":0})");
            builder.add("materials", with_reference(row.material, R"({"index":0})"));
            for (const auto& [name, bytes] : image.files)
                builder.file(name, bytes);
            const scene::Scene scene = test::valid(builder.load_gltf());
            EXPECT_PRED1(row.is_neutral, scene.materials.at(0));
            test::expect_named(scene.warnings, image);
        }
    }
}

// As without its image: the document has no such texture.
TEST(GltfMissingMap, OfAMissingTextureLeavesTheNeutralLook)
{
    for (const MapRow& row : map_rows) {
        SCOPED_TRACE(row.name);
        const auto scene = test::with_material(with_reference(row.material, R"({"index":9})"));
        EXPECT_PRED1(row.is_neutral, scene.materials.at(0));
    }
}

TEST(GltfMissingMap, NamesEmbeddedImages)
{
    test::GltfBuilder builder = test::triangle();
    builder.add("images", R"({"name":"bark","uri":"data:image/png;base64,AAAA"})");
    builder.add("images", R"({"uri":"data:image/png;base64,AAAA"})");
    const scene::Scene scene = test::valid(builder.load_glb());
    ASSERT_EQ(scene.warnings.size(), 2u);
    EXPECT_EQ(scene.warnings[0].message,
              "the image 'bark' cannot be used: the bytes are not a known image format");
    EXPECT_EQ(scene.warnings[1].message, "an image cannot be used: the bytes are not a known image format");
}

} // namespace
} // namespace vitrine
