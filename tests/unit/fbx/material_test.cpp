#include "tests/unit/fbx/materials.hpp"

namespace vitrine::fbx {
namespace {

using testing::ElementsAre;

TEST(FbxMaterial, ConvertsPhong)
{
    const auto loaded = load_material("P: \"DiffuseColor\", \"Color\", \"\", \"A\",1,0.5,0\n"
                                      "P: \"DiffuseFactor\", \"Number\", \"\", \"A\",0.5\n"
                                      "P: \"EmissiveColor\", \"Color\", \"\", \"A\",1,1,1\n"
                                      "P: \"EmissiveFactor\", \"Number\", \"\", \"A\",0.25\n"
                                      "P: \"ShininessExponent\", \"Number\", \"\", \"A\",25\n"
                                      "P: \"Opacity\", \"double\", \"Number\", \"\",0.75\n");
    const scene::Material& m = loaded.material();
    EXPECT_EQ(m.name, "m");
    EXPECT_NEAR(m.base_color.x, 0.21404f, 1e-5f); // sRGB 0.5
    EXPECT_NEAR(m.base_color.y, 0.05088f, 1e-5f); // sRGB 0.25
    EXPECT_FLOAT_EQ(m.base_color.w, 0.75f);
    EXPECT_EQ(m.alpha_mode, scene::AlphaMode::blend);
    EXPECT_FLOAT_EQ(m.emissive.x, 0.25f);
    EXPECT_FLOAT_EQ(m.roughness, 0.5f);
    EXPECT_EQ(m.metallic, 0.0f);
}

TEST(FbxMaterial, ReadsTheLayersOfShaders)
{
    const auto arnold =
        load_material(color("Maya|baseColor", "0.5,0.5,0.5") + number("Maya|coat", "0.75") +
                      number("Maya|coatRoughness", "0.25") + number("Maya|transmission", "0.5") +
                      color("Maya|transmissionColor", "1,0,0") + number("Maya|sheen", "0.5") +
                      color("Maya|sheenColor", "1,0.5,0") + number("Maya|sheenRoughness", "0.4"))
            .material();
    EXPECT_EQ(arnold.extensions.clearcoat, 0.75f);
    EXPECT_EQ(arnold.extensions.clearcoat_roughness, 0.25f);
    EXPECT_EQ(arnold.extensions.transmission, 0.5f);
    EXPECT_EQ(arnold.base_color, glm::vec4(0.75f, 0.25f, 0.25f, 1.0f)) << "half of it is what shines through";
    EXPECT_EQ(arnold.extensions.sheen, glm::vec3(0.5f, 0.25f, 0.0f));
    EXPECT_EQ(arnold.extensions.sheen_roughness, 0.4f);
    const auto physical = load_material(number("3dsMax|Parameters|coating", "1") +
                                        number("3dsMax|Parameters|transparency", "1") +
                                        number("3dsMax|Parameters|coat_roughness", "nan"))
                              .material();
    EXPECT_EQ(physical.extensions.clearcoat, 1.0f);
    EXPECT_EQ(physical.extensions.clearcoat_roughness, 0.1f) << "a value that is not a number is ignored";
    EXPECT_EQ(physical.extensions.transmission, 1.0f);
    for (const std::string broken : {"nan", "1e400", "-1e400"}) {
        const auto solid = load_material(number("3dsMax|Parameters|transparency", broken) +
                                         number("3dsMax|Parameters|coating", broken));
        EXPECT_EQ(solid.material().extensions, scene::MaterialExtensions()) << broken;
    }
    const auto glossy = load_material(number("3dsMax|Parameters|coating", "1") +
                                      number("3dsMax|Parameters|coat_roughness", "0.25") +
                                      number("3dsMax|Parameters|coat_roughness_inv", "1"));
    EXPECT_EQ(glossy.material().extensions.clearcoat_roughness, 0.75f);
    const auto none = load_material(number("Maya|coat", "0") + number("Maya|coatRoughness", "0.1") +
                                    number("Maya|sheen", "0") + color("Maya|sheenColor", "1,1,1") +
                                    number("Maya|transmission", "0"));
    EXPECT_EQ(none.material().extensions, scene::MaterialExtensions());
}

TEST(FbxMaterial, KeepsColorsFiniteUnderAnyFactor)
{
    for (const std::string factor : {"1e300", "-1e300", "1e999", "nan"}) {
        const auto own = load_material(color("DiffuseColor", "0,1,0") + number("DiffuseFactor", factor) +
                                       color("EmissiveColor", "0,1,0") + number("EmissiveFactor", factor));
        const auto shader =
            load_material(color("Maya|baseColor", "0,1,0") + number("Maya|base", factor) +
                          color("Maya|emissionColor", "0,1,0") + number("Maya|emission", factor));
        for (const scene::Material& m : {own.material(), shader.material()}) {
            EXPECT_EQ(m.base_color.x, 0.0f) << factor;
            EXPECT_TRUE(m.base_color.y >= 0.0f && m.base_color.y <= 1.0f) << factor;
            EXPECT_EQ(m.emissive.x, 0.0f) << factor;
            EXPECT_TRUE(m.emissive.y >= 0.0f && m.emissive.y <= 1e6f) << factor << ' ' << m.emissive.y;
        }
    }
}

TEST(FbxMaterial, ReadsTransparencyAsProgramsWriteIt)
{
    const auto alpha = [](const std::string& properties) {
        return load_material(properties).material().base_color.w;
    };
    const std::string factor_1 = "P: \"TransparencyFactor\", \"Number\", \"\", \"A\",1\n";
    EXPECT_EQ(alpha(factor_1 + "P: \"TransparentColor\", \"Color\", \"\", \"A\",0,0,0\n"), 1.0f);
    EXPECT_EQ(alpha(factor_1 + "P: \"TransparentColor\", \"Color\", \"\", \"A\",0.25,0.25,0.25\n"), 0.75f);
    EXPECT_EQ(alpha(factor_1), 1.0f);
    EXPECT_EQ(alpha("P: \"TransparencyFactor\", \"Number\", \"\", \"A\",0.25\n"), 0.75f);
    EXPECT_EQ(alpha(""), 1.0f);
}

TEST(FbxMaterial, ReadsTheShadersOfPrograms)
{
    for (const std::string prefix : {"Maya|", "3dsMax|Parameters|", "3dsMax|main|"}) {
        const std::string base = prefix == "Maya|" ? "baseColor" : "base_color";
        const std::string rough = prefix == "Maya|" ? "specularRoughness" : "roughness";
        const char* vector = R"("Vector3D", "Vector", "")";
        const char* real = R"("Float", "", "A")";
        const auto loaded = load_material(
            color("DiffuseColor", "1,1,1") + property(prefix + base, vector, "0.5,0.25,0.125") +
            property(prefix + "metalness", real, "0.75") + property(prefix + rough, real, "0.125"));
        const scene::Material& m = loaded.material();
        EXPECT_EQ(m.base_color, glm::vec4(0.5f, 0.25f, 0.125f, 1.0f)) << prefix;
        EXPECT_EQ(m.metallic, 0.75f) << prefix;
        EXPECT_EQ(m.roughness, 0.125f) << prefix;
    }
    EXPECT_EQ(load_material("P: \"3dsMax|main|roughness\", \"Float\", \"\", \"A\",0.25\n"
                            "P: \"3dsMax|main|useGlossiness\", \"Integer\", \"\", \"A\",1\n")
                  .material()
                  .roughness,
              0.75f);
}

TEST(FbxMaterial, ConnectsTexturesByAnyName)
{
    for (const std::string name : {"DiffuseColor", "Maya|baseColor", "Maya|TEX_color_map",
                                   "3dsMax|Parameters|base_color_map", "3dsMax|main|baseColorMap"}) {
        const auto loaded = load_material("", texture(2, "a.tga"), connect(2, name), {{"a.tga", red}});
        const auto& image = loaded.material().base_color_texture.image;
        ASSERT_NE(image, scene::none) << name;
        EXPECT_EQ(loaded.scene.images[image].width, 1u);
    }
}

TEST(FbxMaterial, PacksRoughnessAndMetalness)
{
    const auto loaded =
        load_material("P: \"Maya|metallic\", \"float\", \"\", \"\",0.5\n",
                      texture(2, "rough.tga") + texture(3, "metal.tga"),
                      connect(2, "Maya|TEX_roughness_map") + connect(3, "Maya|TEX_metallic_map"),
                      {{"rough.tga", gray_ramp}, {"metal.tga", red}});
    const scene::Material& m = loaded.material();
    ASSERT_NE(m.metallic_roughness_texture.image, scene::none);
    const scene::Image& packed = loaded.scene.images[m.metallic_roughness_texture.image];
    EXPECT_EQ(packed.pixels[4 + 1], 128);
    EXPECT_EQ(packed.pixels[4 + 2], 255);
    EXPECT_EQ(m.roughness, 1.0f);
    EXPECT_EQ(m.metallic, 1.0f);
}

TEST(FbxMaterial, MovesAndWrapsTextures)
{
    const auto loaded = load_material("",
                                      texture(2, "a.tga",
                                              "P: \"Scaling\", \"Vector\", \"\", \"A\",2,4,1\n"
                                              "P: \"Translation\", \"Vector\", \"\", \"A\",0.25,0.5,0\n"
                                              "P: \"WrapModeU\", \"enum\", \"\", \"\",1\n"
                                              "P: \"UVSet\", \"KString\", \"\", \"\", \"map2\"\n"),
                                      connect(2, "DiffuseColor"), {{"a.tga", red}});
    const scene::Texture& t = loaded.material().base_color_texture;
    EXPECT_EQ(t.wrap_s, scene::Wrap::clamp);
    EXPECT_EQ(t.wrap_t, scene::Wrap::repeat);
    EXPECT_EQ(t.scale, glm::vec2(2.0f, 4.0f));
    // v up: v' = 4 v + 0.5; from the top: y' = 1 - (4 (1 - y) + 0.5) = 4 y - 3.5
    EXPECT_EQ(t.offset, glm::vec2(0.25f, -3.5f));
    ASSERT_EQ(loaded.map.uv_sets.size(), 1u);
    EXPECT_EQ(loaded.map.uv_sets[0].name, "map2");
}

TEST(FbxMaterial, MakesOpacityImagesTheAlpha)
{
    const auto loaded = load_material(
        "P: \"TransparencyFactor\", \"Number\", \"\", \"A\",1\n", texture(2, "a.tga") + texture(3, "b.tga"),
        connect(2, "DiffuseColor") + connect(3, "TransparentColor"), {{"a.tga", red}, {"b.tga", gray_ramp}});
    const scene::Material& m = loaded.material();
    EXPECT_EQ(m.alpha_mode, scene::AlphaMode::blend);
    const auto& image = loaded.scene.images[m.base_color_texture.image];
    EXPECT_EQ(image.pixels[0], 255);
    EXPECT_EQ(image.pixels[7], 128);
}

TEST(FbxMaterial, WarnsOncePerUnsupportedTexture)
{
    const auto with = [](const std::string& connections) {
        return load_material("", texture(2, "a.tga") + texture(3, "a.tga"), connections, {{"a.tga", red}})
            .codes;
    };
    EXPECT_THAT(with(connect(2, "DiffuseColor") + connect(2, "NormalMap")), ElementsAre());
    for (const std::string property :
         {"SpecularColor", "ReflectionColor", "DisplacementColor", "AmbientColor", "ShininessExponent",
          "ReflectionFactor", "Maya|TEX_global_specular_cube", "3dsMax|Parameters|coat_map"})
        EXPECT_THAT(with(connect(2, property) + connect(3, property)), ElementsAre("map_not_shown"))
            << property;
}

TEST(FbxMaterial, FindsTexturesOfVersion6ByPolygon)
{
    const auto loaded = load_material_text(R"(; FBX 6.1.0 project file
FBXHeaderExtension: { FBXVersion: 6100 }
Objects: {
    Model: "Model::m", "Mesh" {
        Vertices: 0,0,0
        LayerElementMaterial: 0 { MappingInformationType: "ByPolygon"
            Materials: 1,0 }
        LayerElementTexture: 0 { MappingInformationType: "ByPolygon"
            TextureId: 0,1 }
        LayerElementTexture: 1 { MappingInformationType: "NoMappingInformation" }
        LayerElementSpecularTextures: 0 { MappingInformationType: "AllSame"
            TextureId: 0 }
        LayerElementAmbientTextures: 0 { MappingInformationType: "NoMappingInformation"
            TextureId: 0 }
    }
    Material: "Material::a", "" { Properties60: { Property: "DiffuseColor", "ColorRGB", "",1,0,0 } }
    Material: "Material::b", "" { }
    Texture: "Texture::s", "TextureVideoClip" { RelativeFilename: "s.tga" }
    Texture: "Texture::t", "TextureVideoClip" { RelativeFilename: "t.tga" }
}
Connections: {
    Connect: "OO", "Material::a", "Model::m"
    Connect: "OO", "Material::b", "Model::m"
    Connect: "OO", "Texture::s", "Model::m"
    Connect: "OO", "Texture::t", "Model::m"
}
)",
                                           {{"s.tga", red}, {"t.tga", gray_ramp}});
    ASSERT_EQ(loaded.scene.materials.size(), 2u);
    EXPECT_EQ(loaded.scene.images[loaded.scene.materials[0].base_color_texture.image].name, "t.tga");
    EXPECT_EQ(loaded.scene.images[loaded.scene.materials[1].base_color_texture.image].name, "s.tga");
    EXPECT_EQ(loaded.scene.materials[0].base_color, glm::vec4(1.0f, 0.0f, 0.0f, 1.0f));
    EXPECT_THAT(loaded.codes, ElementsAre("map_not_shown"));
}

} // namespace
} // namespace vitrine::fbx
