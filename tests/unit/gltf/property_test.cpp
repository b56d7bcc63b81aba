// Invalid properties of materials, images and extensions: each is reported once, and the intended value is
// used.

#include <gmock/gmock.h>

#include "tests/support/base64.hpp"
#include "tests/unit/gltf/pictures.hpp"
#include "tests/unit/gltf/reported_places.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::triangle;
using test::valid;
using test::warnings_of;
using testing::ElementsAre;
using testing::IsEmpty;

scene::Scene with_material(const std::string& material, const std::string& extension = {})
{
    GltfBuilder builder = triangle();
    builder.add("materials", material);
    if (!extension.empty()) builder.add("extensionsUsed", '"' + extension + '"');
    return valid(builder.load_glb());
}

// A scene with a material with this extension.
scene::Scene extended(const std::string& name, const std::string& content)
{
    return with_material(R"({"extensions":{")" + name + R"(":)" + content + "}}", name);
}

TEST(GltfProperty, NonObjectMaterialMembers)
{
    EXPECT_THAT(warnings_of(with_material(R"({"pbrMetallicRoughness":[1],"normalTexture":"stone"})")),
                ElementsAre("invalid_property at /materials/0/pbrMetallicRoughness",
                            "invalid_property at /materials/0/normalTexture"));
    EXPECT_THAT(warnings_of(with_material(R"({"pbrMetallicRoughness":{"baseColorTexture":{}}})")),
                ElementsAre("invalid_property at /materials/0/pbrMetallicRoughness/baseColorTexture"));
}

TEST(GltfProperty, FactorsKeepToTheirRange)
{
    const scene::Scene scene = with_material(R"({"pbrMetallicRoughness":{"baseColorFactor":[2,-1,0,1],
        "metallicFactor":-0.5,"roughnessFactor":7},"emissiveFactor":[0,3,0],"alphaCutoff":-1,
        "occlusionTexture":{"index":0,"strength":4}})");
    const scene::Material& m = scene.materials.at(0);
    EXPECT_EQ(m.base_color, glm::vec4(1, 0, 0, 1));
    EXPECT_EQ(m.metallic, 0.0f);
    EXPECT_EQ(m.roughness, 1.0f);
    EXPECT_EQ(m.emissive, glm::vec3(0, 1, 0));
    EXPECT_EQ(m.alpha_cutoff, 0.0f);
    EXPECT_EQ(m.occlusion_strength, 1.0f);
    const std::string odd = "invalid_property at /materials/0/";
    EXPECT_THAT(warnings_of(scene),
                testing::UnorderedElementsAre(
                    odd + "pbrMetallicRoughness/baseColorFactor", odd + "pbrMetallicRoughness/metallicFactor",
                    odd + "pbrMetallicRoughness/roughnessFactor", odd + "emissiveFactor", odd + "alphaCutoff",
                    odd + "occlusionTexture/index", odd + "occlusionTexture/strength"));
    EXPECT_EQ(scene.warnings[0].message, "0 to 1 is expected; other values are clamped");
}

TEST(GltfProperty, RangesHaveTheirEndsAndRoomForRounding)
{
    const scene::Scene scene = with_material(R"({"pbrMetallicRoughness":{"baseColorFactor":[0,1,1.000001,1],
        "metallicFactor":-1e-7},"alphaCutoff":2,"normalTexture":{"index":0,"scale":-3}})");
    EXPECT_THAT(warnings_of(scene), ElementsAre("invalid_property at /materials/0/normalTexture/index"));
    EXPECT_EQ(scene.materials[0].base_color, glm::vec4(0, 1, 1, 1));
    EXPECT_EQ(scene.materials[0].alpha_cutoff, 2.0f) << "nothing is shown then";
    EXPECT_EQ(scene.materials[0].normal_scale, -3.0f);
}

TEST(GltfProperty, FactorsOfExtensionsKeepToTheirRange)
{
    const auto count_reported = [](const std::string& name, const std::string& key,
                                   const std::string& value) {
        const scene::Scene scene = extended(name, "{\"" + key + "\":" + value + "}");
        const std::string odd = "invalid_property at /materials/0/extensions/" + name + "/" + key;
        return std::ranges::count(warnings_of(scene), odd);
    };
    EXPECT_EQ(count_reported("KHR_materials_emissive_strength", "emissiveStrength", "-1"), 1);
    EXPECT_EQ(count_reported("KHR_materials_emissive_strength", "emissiveStrength", "9"), 0);
    EXPECT_EQ(count_reported("KHR_materials_clearcoat", "clearcoatFactor", "1.5"), 1);
    EXPECT_EQ(count_reported("KHR_materials_specular", "specularColorFactor", "[3,3,3]"), 0);
    EXPECT_EQ(count_reported("KHR_materials_specular", "specularColorFactor", "[3,3,-3]"), 1);
    EXPECT_EQ(count_reported("KHR_materials_volume", "attenuationDistance", "1e30"), 0);
    EXPECT_EQ(count_reported("KHR_materials_volume", "attenuationDistance", "-1"), 1);
    EXPECT_EQ(count_reported("KHR_materials_ior", "ior", "0"), 0);
    EXPECT_EQ(count_reported("KHR_materials_ior", "ior", "0.5"), 1);
    EXPECT_EQ(count_reported("KHR_materials_pbrSpecularGlossiness", "glossinessFactor", "2"), 1);
    EXPECT_EQ(extended("KHR_materials_ior", R"({"ior":0.5})").materials[0].extensions.ior, 1.0f);
}

TEST(GltfProperty, ExtensionsAreObjects)
{
    for (const char* name : {"KHR_materials_unlit", "KHR_materials_emissive_strength", "KHR_materials_ior"}) {
        const scene::Scene scene = extended(name, "true");
        EXPECT_THAT(warnings_of(scene),
                    ElementsAre("invalid_property at /materials/0/extensions/" + std::string(name)));
        EXPECT_FALSE(scene.materials[0].unlit);
    }
    GltfBuilder builder = triangle();
    builder.add("nodes", R"({"extensions":{"KHR_node_visibility":false}})");
    builder.add("extensionsUsed", R"("KHR_node_visibility")");
    EXPECT_THAT(warnings_of(valid(builder.load_glb())),
                ElementsAre("invalid_property at /nodes/1/extensions/KHR_node_visibility"));
}

scene::Scene with_image(const std::string& image)
{
    GltfBuilder builder = triangle();
    builder.view(test::two_pixels_png());
    builder.add("images", image);
    return valid(builder.load_glb());
}

TEST(GltfProperty, ImageIsNamedInOneWay)
{
    const std::string png = test::two_pixels_png();
    const std::string uri =
        R"("uri":"data:image/png;base64,)" + test::encode_base64(std::as_bytes(std::span(png))) + '"';
    const scene::Scene both = with_image("{" + uri + R"(,"bufferView":0})");
    EXPECT_THAT(warnings_of(both), ElementsAre("invalid_property at /images/0"));
    EXPECT_EQ(both.images.at(0).pixels, test::two_pixels());
    EXPECT_THAT(warnings_of(with_image("{" + uri + "}")), IsEmpty());
    const scene::Scene neither = with_image("{}");
    EXPECT_THAT(warnings_of(neither), ElementsAre("invalid_image at /images/0"));
    EXPECT_EQ(neither.warnings[0].message, R"(an image cannot be used: "uri" and "bufferView" are missing)");
}

} // namespace
} // namespace vitrine
