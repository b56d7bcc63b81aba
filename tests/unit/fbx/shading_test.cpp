// A material's numbers, without its textures.

#include "loaders/fbx/materials/shading.hpp"

#include "tests/unit/fbx/materials.hpp"

namespace vitrine::fbx {
namespace {

Shading shading_of(const std::string& properties, bool from_blender = false)
{
    const std::string text = "; FBX 7.4.0 project file\nObjects: { Material: 1, \"Material::m\", \"\" { "
                             "Properties70: {\n" +
                             properties + "} } }\n";
    io::WarningLog warnings;
    const auto document = Document::parse(std::as_bytes(std::span(text)), {}, warnings);
    EXPECT_TRUE(document);
    const std::uint32_t material = document->objects_of_type(ObjectType::material)[0];
    return read_shading(document->object(material).properties, MaterialFields(*document, material),
                        from_blender);
}

TEST(FbxShading, DefaultsToRoughGray)
{
    const Shading plain = shading_of("");
    EXPECT_FALSE(plain.base.is_shaders);
    EXPECT_NEAR(plain.base.color.x, 0.60383f, 1e-5f); // sRGB 0.8
    EXPECT_EQ(plain.emission.color, glm::vec3(0.0f));
    EXPECT_EQ(plain.opacity, 1.0f);
    EXPECT_EQ(plain.roughness, 1.0f);
    EXPECT_EQ(plain.metallic, 0.0f);
    EXPECT_EQ(plain.extensions, scene::MaterialExtensions());
    EXPECT_EQ(plain.bump, 1.0f);
    EXPECT_FALSE(plain.unlit);
    EXPECT_FALSE(plain.alpha_cutoff);
}

// FBX SDK: files declare DiffuseColor 0.5, DiffuseFactor 0.8 and their product as Diffuse, 0.4.
TEST(FbxShading, ScalesTheStoredDiffuseColor)
{
    const Shading declared = shading_of(color("Diffuse", "0.4,0.4,0.4"));
    const Shading product = shading_of(color("DiffuseColor", "0.5,0.5,0.5") + number("DiffuseFactor", "0.8"));
    EXPECT_NEAR(declared.base.color.x, 0.13287f, 1e-5f); // ((0.4 + 0.055) / 1.055) ^ 2.4
    EXPECT_NEAR(product.base.color.x, 0.13287f, 1e-5f);
}

TEST(FbxShading, WeightsColorsAndTheirTextures)
{
    const Shading own = shading_of(color("DiffuseColor", "0.5,0,1") + number("DiffuseFactor", "0.25"));
    EXPECT_NEAR(own.base.color.x, 0.01435f, 1e-5f); // sRGB 0.125
    EXPECT_EQ(own.base.texture_weight, 0.25f);
    EXPECT_FALSE(own.base.is_shaders);
    const Shading shader = shading_of(color("DiffuseColor", "1,1,1") + color("Maya|baseColor", "0.5,0,1") +
                                      number("Maya|base", "0.25") + number("DiffuseFactor", "0.75"));
    EXPECT_EQ(shader.base.color, 0.25f * glm::vec3(0.5f, 0.0f, 1.0f)) << "linear";
    EXPECT_EQ(shader.base.texture_weight, 0.25f);
    EXPECT_TRUE(shader.base.is_shaders);
}

// Without a weight the base has full strength and the emission none.
TEST(FbxShading, InvalidWeightsGiveFullBaseAndNoEmission)
{
    const Shading broken = shading_of(number("DiffuseFactor", "nan") + number("EmissiveFactor", "nan") +
                                      color("EmissiveColor", "1,nan,1") + number("BumpFactor", "nan"));
    EXPECT_EQ(broken.base.texture_weight, 1.0f);
    EXPECT_EQ(broken.emission.texture_weight, 0.0f);
    EXPECT_EQ(broken.emission.color, glm::vec3(0.0f));
    EXPECT_EQ(broken.bump, 1.0f);
    const Shading vast = shading_of(number("DiffuseFactor", "1e300") + number("BumpFactor", "-1e300"));
    EXPECT_EQ(vast.base.texture_weight, 1000.0f);
    EXPECT_EQ(vast.bump, -10.0f);
}

// OpenPBR's luminance is in nits, of which a thousand are a color as it is.
TEST(FbxShading, EmissionIsColorTimesWeightTimesLuminance)
{
    const auto weight = [](const std::string& more) {
        const Shading shading = shading_of(color("Maya|emissionColor", "1,0.5,0") + more);
        EXPECT_EQ(shading.emission.color, shading.emission.texture_weight * glm::vec3(1.0f, 0.5f, 0.0f));
        return shading.emission.texture_weight;
    };
    EXPECT_EQ(weight(""), 1.0f) << "a shader without luminance";
    EXPECT_EQ(weight(number("Maya|emissionLuminance", "0")), 0.0f);
    EXPECT_EQ(weight(number("Maya|emissionLuminance", "1000")), 1.0f);
    EXPECT_EQ(weight(number("Maya|emissionLuminance", "500") + number("Maya|emissionWeight", "0.5")), 0.25f);
    EXPECT_EQ(weight(number("3dsMax|Parameters|emission_luminance", "0")), 0.0f);
    EXPECT_EQ(weight(number("Maya|emissionLuminance", "nan")), 0.0f);
    EXPECT_EQ(weight(number("Maya|emissionLuminance", "-1000")), 0.0f);
}

TEST(FbxShading, TurnsPhongsExponentIntoRoughness)
{
    EXPECT_EQ(shading_of(number("ShininessExponent", "0")).roughness, 1.0f);
    EXPECT_EQ(shading_of(number("ShininessExponent", "25")).roughness, 0.5f);
    EXPECT_EQ(shading_of(number("Shininess", "25")).roughness, 0.5f);
    EXPECT_EQ(shading_of(number("ShininessExponent", "1000")).roughness, 0.0f);
    const std::string shiny = number("ShininessExponent", "25");
    EXPECT_EQ(shading_of(shiny + number("SpecularFactor", "0")).roughness, 1.0f);
    EXPECT_EQ(shading_of(shiny + color("SpecularColor", "0,0,0")).roughness, 1.0f);
    EXPECT_EQ(shading_of(shiny + number("Maya|specularRoughness", "0.25")).roughness, 0.25f);
}

TEST(FbxShading, ReadsReflectionAsMetallicOnlyFromBlender)
{
    const std::string reflects = number("ReflectionFactor", "0.75");
    EXPECT_EQ(shading_of(reflects, true).metallic, 0.75f);
    EXPECT_EQ(shading_of(reflects, false).metallic, 0.0f);
    EXPECT_EQ(shading_of(reflects + number("Maya|metalness", "0.5"), true).metallic, 0.5f);
}

TEST(FbxShading, PrefersOpacityToAlphaToTransparency)
{
    const std::string factor = number("TransparencyFactor", "0.5"), alpha = number("Alpha", "0.25");
    EXPECT_EQ(shading_of(factor).opacity, 0.5f);
    EXPECT_EQ(shading_of(factor + alpha).opacity, 0.25f);
    EXPECT_EQ(shading_of(factor + alpha + number("Opacity", "0.75")).opacity, 0.75f);
    EXPECT_EQ(shading_of(number("TransparencyFactor", "1")).opacity, 1.0f);
}

} // namespace
} // namespace vitrine::fbx
