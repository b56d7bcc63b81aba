#include <gmock/gmock.h>

#include "tests/unit/gltf/builder.hpp"
#include "tests/unit/gltf/pictures.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::triangle;
using test::valid;
using test::warned;
using test::with_material;
using test::with_texture;

TEST(GltfMaterial, DefaultsAreThoseOfTheSpecification)
{
    const scene::Material m = with_material("{}").materials.at(0);
    EXPECT_EQ(m.base_color, glm::vec4(1.0f));
    EXPECT_EQ(m.metallic, 1.0f);
    EXPECT_EQ(m.roughness, 1.0f);
    EXPECT_EQ(m.alpha_mode, scene::AlphaMode::opaque);
    EXPECT_EQ(m.base_color_texture.image, scene::none);
}

TEST(GltfMaterial, EveryMember)
{
    GltfBuilder builder = with_texture();
    builder.root(R"("extensionsUsed":["KHR_materials_emissive_strength","KHR_materials_unlit"])");
    const scene::Scene scene =
        with_material(R"({"name":"wood","doubleSided":true,"alphaMode":"MASK","alphaCutoff":0.25,
        "pbrMetallicRoughness":{"baseColorFactor":[0.1,0.2,0.3,0.4],"metallicFactor":0.5,"roughnessFactor":0.6,
        "baseColorTexture":{"index":0},"metallicRoughnessTexture":{"index":0,"texCoord":1}},
        "normalTexture":{"index":0,"scale":2},"occlusionTexture":{"index":0,"strength":0.7},
        "emissiveFactor":[1,0.5,0],"emissiveTexture":{"index":0},
        "extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":4},"KHR_materials_unlit":{}}})",
                      std::move(builder));
    const scene::Material& m = scene.materials[0];
    EXPECT_EQ(m.name, "wood");
    EXPECT_EQ(m.base_color, glm::vec4(0.1f, 0.2f, 0.3f, 0.4f));
    EXPECT_EQ(m.metallic, 0.5f);
    EXPECT_EQ(m.roughness, 0.6f);
    EXPECT_EQ(m.metallic_roughness_texture.uv_set, 1);
    EXPECT_EQ(m.normal_texture.image, 0u);
    EXPECT_EQ(m.normal_scale, 2.0f);
    EXPECT_EQ(m.occlusion_strength, 0.7f);
    EXPECT_EQ(m.emissive, glm::vec3(4, 2, 0));
    EXPECT_EQ(m.alpha_mode, scene::AlphaMode::mask);
    EXPECT_EQ(m.alpha_cutoff, 0.25f);
    EXPECT_TRUE(m.double_sided);
    EXPECT_TRUE(m.unlit);
    EXPECT_EQ(m.base_color_texture.wrap_s, scene::Wrap::clamp);
    EXPECT_EQ(m.base_color_texture.wrap_t, scene::Wrap::mirror);
    EXPECT_TRUE(m.base_color_texture.nearest);
    EXPECT_TRUE(scene.warnings.empty());
}

TEST(GltfMaterial, NonObjectExtensionsAreIgnored)
{
    GltfBuilder builder = with_texture();
    builder.root(R"("extensionsUsed":["KHR_materials_ior","KHR_texture_transform"])");
    const scene::Scene scene = with_material(
        R"({"extensions":{"KHR_materials_ior":1.4},"pbrMetallicRoughness":{"baseColorTexture":
        {"index":0,"extensions":{"KHR_texture_transform":"none"}}}})",
        builder);
    EXPECT_EQ(scene.materials[0].base_color_texture.scale, glm::vec2(1.0f));
    std::vector<std::string> reported;
    for (const scene::Warning& warning : scene.warnings)
        reported.push_back(warning.where + ": " + warning.message);
    const std::string material = "/materials/0", passed = ": an object is expected; the default is used";
    EXPECT_THAT(
        reported,
        testing::UnorderedElementsAre(
            material + "/extensions/KHR_materials_ior" + passed,
            material + "/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform" + passed));
}

TEST(GltfMaterial, TextureTransform)
{
    const scene::Texture t =
        with_material(
            R"({"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":
        {"offset":[0.5,0.25],"rotation":1.5,"scale":[2,3],"texCoord":1}}}}})",
            with_texture())
            .materials[0]
            .base_color_texture;
    EXPECT_EQ(t.offset, glm::vec2(0.5f, 0.25f));
    EXPECT_EQ(t.scale, glm::vec2(2, 3));
    EXPECT_EQ(t.rotation, 1.5f);
    EXPECT_EQ(t.uv_set, 1);
}

TEST(GltfMaterial, SpecularGlossinessIsApproximated)
{
    GltfBuilder builder = triangle();
    builder.root(R"("extensionsUsed":["KHR_materials_pbrSpecularGlossiness"])");
    const scene::Scene scene = with_material(R"({"extensions":{"KHR_materials_pbrSpecularGlossiness":
        {"diffuseFactor":[0.5,0.4,0.3,0.2],"specularFactor":[0.04,0.04,0.04],"glossinessFactor":0.75}}})",
                                             std::move(builder));
    EXPECT_EQ(scene.materials[0].base_color, glm::vec4(0.5f, 0.4f, 0.3f, 0.2f));
    EXPECT_EQ(scene.materials[0].metallic, 0.0f);
    EXPECT_EQ(scene.materials[0].roughness, 0.25f);
    EXPECT_TRUE(warned(scene, "extension_approximated"));
    const scene::Material metal = with_material(R"({"extensions":{"KHR_materials_pbrSpecularGlossiness":
        {"diffuseFactor":[0,0,0,1],"specularFactor":[1,0.8,0.3]}}})")
                                      .materials[0];
    EXPECT_EQ(metal.metallic, 1.0f);
    EXPECT_EQ(metal.base_color, glm::vec4(1.0f, 0.8f, 0.3f, 1.0f));
}

TEST(GltfMaterial, TextureKeepsItsSpecularColors)
{
    const scene::Material m = with_material(R"({"extensions":{"KHR_materials_pbrSpecularGlossiness":
        {"diffuseFactor":[0.1,0.1,0.1,1],"specularFactor":[1,0.8,0.3],"specularGlossinessTexture":{"index":0}}}})",
                                            with_texture())
                                  .materials[0];
    EXPECT_EQ(m.metallic, 0.0f);
    EXPECT_EQ(m.extensions.ior, 0.0f);
    EXPECT_EQ(m.extensions.specular_color, glm::vec3(1.0f, 0.8f, 0.3f));
    EXPECT_EQ(m.extensions.specular_color_texture.image, 0u);
}

TEST(GltfMaterial, LayersAreReadWithTheirTextures)
{
    const scene::Scene scene = with_material(R"({"extensions":{
        "KHR_materials_ior":{"ior":1.33},
        "KHR_materials_specular":{"specularFactor":0.5,"specularTexture":{"index":0},
            "specularColorFactor":[0.5,2,1],"specularColorTexture":{"index":0,"texCoord":1}},
        "KHR_materials_clearcoat":{"clearcoatFactor":0.75,"clearcoatTexture":{"index":0},
            "clearcoatRoughnessFactor":0.25,"clearcoatRoughnessTexture":{"index":0}},
        "KHR_materials_sheen":{"sheenColorFactor":[0.1,0.2,0.3],"sheenColorTexture":{"index":0},
            "sheenRoughnessFactor":0.5,"sheenRoughnessTexture":{"index":0}},
        "KHR_materials_transmission":{"transmissionFactor":0.875,"transmissionTexture":{"index":0}},
        "KHR_materials_volume":{"thicknessFactor":2,"attenuationDistance":4,"attenuationColor":[1,0.5,0]}}})",
                                             with_texture());
    const scene::MaterialExtensions& l = scene.materials[0].extensions;
    EXPECT_EQ(l.ior, 1.33f);
    EXPECT_EQ(l.specular, 0.5f);
    EXPECT_EQ(l.specular_color, glm::vec3(0.5f, 2.0f, 1.0f));
    EXPECT_EQ(l.specular_color_texture.uv_set, 1);
    EXPECT_EQ(l.clearcoat, 0.75f);
    EXPECT_EQ(l.clearcoat_roughness, 0.25f);
    EXPECT_EQ(l.sheen, glm::vec3(0.1f, 0.2f, 0.3f));
    EXPECT_EQ(l.sheen_roughness, 0.5f);
    EXPECT_EQ(l.transmission, 0.875f);
    EXPECT_EQ(l.thickness, 2.0f);
    EXPECT_EQ(l.attenuation_distance, 4.0f);
    EXPECT_EQ(l.attenuation_color, glm::vec3(1.0f, 0.5f, 0.0f));
    for (const auto* texture : {&l.specular_texture, &l.specular_color_texture, &l.clearcoat_texture,
                                &l.clearcoat_roughness_texture, &l.sheen_texture, &l.sheen_roughness_texture,
                                &l.transmission_texture})
        EXPECT_EQ(texture->image, 0u);
}

TEST(GltfMaterial, LayersOutOfRangeAreBroughtIntoIt)
{
    const scene::Scene scene = with_material(R"({"extensions":{
        "KHR_materials_ior":{"ior":0.5},"KHR_materials_specular":{"specularFactor":7,"specularColorFactor":[-1,1e30,1]},
        "KHR_materials_clearcoat":{"clearcoatFactor":-1,"clearcoatRoughnessFactor":"rough"},
        "KHR_materials_volume":{"thicknessFactor":-2,"attenuationDistance":-4,"attenuationColor":[1,2,"x"]},
        "KHR_materials_sheen":[]}})");
    const scene::MaterialExtensions& l = scene.materials[0].extensions;
    EXPECT_EQ(l.ior, 1.0f);
    EXPECT_EQ(l.specular, 1.0f);
    EXPECT_EQ(l.specular_color, glm::vec3(0.0f, 1e6f, 1.0f));
    EXPECT_EQ(l.clearcoat, 0.0f);
    EXPECT_EQ(l.clearcoat_roughness, 0.0f);
    EXPECT_EQ(l.thickness, 0.0f);
    EXPECT_EQ(l.attenuation_distance, 0.0f);
    EXPECT_EQ(l.attenuation_color, glm::vec3(1.0f));
    EXPECT_TRUE(warned(scene, "invalid_property"));
}

TEST(GltfMaterial, UnsupportedLayersAreReported)
{
    const auto messages = [](const std::string& extensions) {
        std::string all;
        for (const auto& warning :
             with_material(R"({"extensions":{)" + extensions + "}}", with_texture()).warnings)
            if (warning.code != "undeclared_extension") all += warning.code + " " + warning.where + "|";
        return all;
    };
    EXPECT_EQ(messages(R"("KHR_materials_clearcoat":{"clearcoatFactor":1},"KHR_materials_sheen":{},
        "KHR_materials_specular":{},"KHR_materials_ior":{})"),
              "");
    EXPECT_EQ(
        messages(R"("KHR_materials_clearcoat":{"clearcoatFactor":1,"clearcoatNormalTexture":{"index":0}})"),
        "extension_approximated /materials/0/extensions/KHR_materials_clearcoat/clearcoatNormalTexture|");
    EXPECT_EQ(messages(R"("KHR_materials_clearcoat":{"clearcoatNormalTexture":{"index":0}})"), "");
    EXPECT_EQ(messages(R"("KHR_materials_iridescence":{})"),
              "extension_ignored /materials/0/extensions/KHR_materials_iridescence|");
}

TEST(GltfMaterial, WrongMembersWarnAndKeepTheirDefaults)
{
    GltfBuilder builder = with_texture();
    const scene::Scene scene = with_material(R"({"alphaMode":"GLOW","doubleSided":1,"emissiveFactor":[1],
        "pbrMetallicRoughness":{"baseColorFactor":"red","metallicFactor":null,"baseColorTexture":{"index":3}},
        "normalTexture":{"index":0,"texCoord":4}})",
                                             std::move(builder));
    const scene::Material& m = scene.materials[0];
    EXPECT_EQ(m.base_color, glm::vec4(1.0f));
    EXPECT_EQ(m.metallic, 1.0f);
    EXPECT_EQ(m.alpha_mode, scene::AlphaMode::opaque);
    EXPECT_EQ(m.base_color_texture.image, scene::none);
    EXPECT_EQ(m.normal_texture.uv_set, 0);
    EXPECT_TRUE(warned(scene, "invalid_property"));
    EXPECT_FALSE(warned(scene, "unsupported_uv_set")) << "the only set that is used";
}

TEST(GltfMaterial, MaterialIndexBeyondTheListIsTakenAsAbsent)
{
    GltfBuilder builder = triangle();
    builder.mesh(R"("POSITION":0,"NORMAL":1)", R"(,"material":4)");
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_EQ(scene.meshes[1].primitives[0].material, scene::none);
    EXPECT_TRUE(warned(scene, "invalid_property"));
}

} // namespace
} // namespace vitrine
