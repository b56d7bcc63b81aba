#include <memory>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "loaders/fbx/materials.hpp"
#include "loaders/io/base64.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/unit/obj/samples.hpp"

namespace vitrine::fbx {
namespace {

using testing::ElementsAre;

const std::string red = test::tga(1, 1, {255, 0, 0, 255});
const std::string grey_ramp = test::tga(2, 1, {0, 0, 0, 255, 128, 128, 128, 255});

struct Loaded {
    std::shared_ptr<const std::string> text; // the map's names are views into it
    scene::Scene scene;
    MaterialMap map;
    std::vector<std::string> codes;
    const scene::Material& material() const { return scene.materials.at(0); }
};

Loaded load_text(const std::string& file, std::map<std::string, std::string> files = {})
{
    Loaded out;
    out.text = std::make_shared<const std::string>(file);
    const auto& text = *out.text;
    io::WarningLog warnings;
    const auto document = Document::parse(std::as_bytes(std::span(text)), {}, warnings);
    EXPECT_TRUE(document) << document.error().where << document.error().detail;
    if (!document) return out;
    files["model.fbx"] = text;
    test::MemorySource source("model.fbx", std::move(files));
    const Limits limits;
    const Import import{*document, source, limits, warnings, out.scene};
    auto map = add_materials(import);
    EXPECT_TRUE(map);
    if (map) out.map = std::move(*map);
    for (const auto& warning : warnings.take())
        out.codes.push_back(warning.code);
    return out;
}

// A material with these properties, textures and connections (1: the material, 2 ..: textures).
Loaded load(const std::string& properties, const std::string& textures = {},
            const std::string& connections = {}, std::map<std::string, std::string> files = {})
{
    return load_text(
        "; FBX 7.4.0 project file\nObjects: { Material: 1, \"Material::m\", \"\" { Properties70: {\n" +
            properties + "} }\n" + textures + "}\nConnections: {\n" + connections + "}\n",
        std::move(files));
}

std::string texture(int id, const std::string& file, const std::string& properties = {})
{
    return "Texture: " + std::to_string(id) + ", \"Texture::t\", \"\" { RelativeFilename: \"" + file +
           "\"\nProperties70: {\n" + properties + "} }\n";
}

std::string connect(int texture, const std::string& property)
{
    return "C: \"OP\"," + std::to_string(texture) + ",1, \"" + property + "\"\n";
}

TEST(FbxMaterial, ConvertsPhong)
{
    const auto loaded = load("P: \"DiffuseColor\", \"Color\", \"\", \"A\",1,0.5,0\n"
                             "P: \"DiffuseFactor\", \"Number\", \"\", \"A\",0.5\n"
                             "P: \"EmissiveColor\", \"Color\", \"\", \"A\",1,1,1\n"
                             "P: \"EmissiveFactor\", \"Number\", \"\", \"A\",0.25\n"
                             "P: \"ShininessExponent\", \"Number\", \"\", \"A\",25\n"
                             "P: \"Opacity\", \"double\", \"Number\", \"\",0.75\n");
    const scene::Material& m = loaded.material();
    EXPECT_EQ(m.name, "m");
    EXPECT_FLOAT_EQ(m.base_colour.x, 0.5f);
    EXPECT_NEAR(m.base_colour.y, 0.10702f, 1e-5f); // sRGB 0.5 is 0.21404 linear
    EXPECT_FLOAT_EQ(m.base_colour.w, 0.75f);
    EXPECT_EQ(m.alpha_mode, scene::AlphaMode::blend);
    EXPECT_FLOAT_EQ(m.emissive.x, 0.25f);
    EXPECT_FLOAT_EQ(m.roughness, 0.5f);
    EXPECT_EQ(m.metallic, 0.0f);
}

std::string property(const std::string& name, const char* type, const std::string& value)
{
    return fmt::format("P: \"{}\", {},{}\n", name, type, value);
}

std::string number(const std::string& name, const std::string& value)
{
    return property(name, R"("Number", "", "A")", value);
}

std::string colour(const std::string& name, const std::string& value)
{
    return property(name, R"("Color", "", "A")", value);
}

TEST(FbxMaterial, ReadsTheLayersOfShaders)
{
    const auto arnold = load(colour("Maya|baseColor", "0.5,0.5,0.5") + number("Maya|coat", "0.75") +
                             number("Maya|coatRoughness", "0.25") + number("Maya|transmission", "0.5") +
                             colour("Maya|transmissionColor", "1,0,0") + number("Maya|sheen", "0.5") +
                             colour("Maya|sheenColor", "1,0.5,0") + number("Maya|sheenRoughness", "0.4"))
                            .material();
    EXPECT_EQ(arnold.layers.clearcoat, 0.75f);
    EXPECT_EQ(arnold.layers.clearcoat_roughness, 0.25f);
    EXPECT_EQ(arnold.layers.transmission, 0.5f);
    EXPECT_EQ(arnold.base_colour, glm::vec4(0.75f, 0.25f, 0.25f, 1.0f))
        << "half of it is what shines through";
    EXPECT_EQ(arnold.layers.sheen, glm::vec3(0.5f, 0.25f, 0.0f));
    EXPECT_EQ(arnold.layers.sheen_roughness, 0.4f);
    const auto physical =
        load(number("3dsMax|Parameters|coating", "1") + number("3dsMax|Parameters|transparency", "1") +
             number("3dsMax|Parameters|coat_roughness", "nan"))
            .material();
    EXPECT_EQ(physical.layers.clearcoat, 1.0f);
    EXPECT_EQ(physical.layers.clearcoat_roughness, 0.1f) << "what is no number says nothing";
    EXPECT_EQ(physical.layers.transmission, 1.0f);
    for (const std::string broken : {"nan", "1e400", "-1e400"}) {
        const auto solid = load(number("3dsMax|Parameters|transparency", broken) +
                                number("3dsMax|Parameters|coating", broken));
        EXPECT_EQ(solid.material().layers, scene::Layers()) << broken;
    }
    const auto glossy =
        load(number("3dsMax|Parameters|coating", "1") + number("3dsMax|Parameters|coat_roughness", "0.25") +
             number("3dsMax|Parameters|coat_roughness_inv", "1"));
    EXPECT_EQ(glossy.material().layers.clearcoat_roughness, 0.75f);
    const auto none =
        load(number("Maya|coat", "0") + number("Maya|coatRoughness", "0.1") + number("Maya|sheen", "0") +
             colour("Maya|sheenColor", "1,1,1") + number("Maya|transmission", "0"));
    EXPECT_EQ(none.material().layers, scene::Layers());
}

TEST(FbxMaterial, KeepsColoursFiniteUnderAnyFactor)
{
    for (const std::string factor : {"1e300", "-1e300", "1e999", "nan"}) {
        const auto own = load(colour("DiffuseColor", "0,1,0") + number("DiffuseFactor", factor) +
                              colour("EmissiveColor", "0,1,0") + number("EmissiveFactor", factor));
        const auto shader = load(colour("Maya|baseColor", "0,1,0") + number("Maya|base", factor) +
                                 colour("Maya|emissionColor", "0,1,0") + number("Maya|emission", factor));
        for (const scene::Material& m : {own.material(), shader.material()}) {
            EXPECT_EQ(m.base_colour.x, 0.0f) << factor;
            EXPECT_TRUE(m.base_colour.y >= 0.0f && m.base_colour.y <= 1.0f) << factor;
            EXPECT_EQ(m.emissive.x, 0.0f) << factor;
            EXPECT_TRUE(m.emissive.y >= 0.0f && m.emissive.y <= 1e6f) << factor << ' ' << m.emissive.y;
        }
    }
}

TEST(FbxMaterial, ReadsTransparencyAsProgramsMeanIt)
{
    const auto alpha = [](const std::string& properties) {
        return load(properties).material().base_colour.w;
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
        const auto loaded =
            load(colour("DiffuseColor", "1,1,1") + property(prefix + base, vector, "0.5,0.25,0.125") +
                 property(prefix + "metalness", real, "0.75") + property(prefix + rough, real, "0.125"));
        const scene::Material& m = loaded.material();
        EXPECT_EQ(m.base_colour, glm::vec4(0.5f, 0.25f, 0.125f, 1.0f)) << prefix;
        EXPECT_EQ(m.metallic, 0.75f) << prefix;
        EXPECT_EQ(m.roughness, 0.125f) << prefix;
    }
    EXPECT_EQ(load("P: \"3dsMax|main|roughness\", \"Float\", \"\", \"A\",0.25\n"
                   "P: \"3dsMax|main|useGlossiness\", \"Integer\", \"\", \"A\",1\n")
                  .material()
                  .roughness,
              0.75f);
}

TEST(FbxMaterial, ConnectsTexturesByAnyName)
{
    for (const std::string name : {"DiffuseColor", "Maya|baseColor", "Maya|TEX_color_map",
                                   "3dsMax|Parameters|base_color_map", "3dsMax|main|baseColorMap"}) {
        const auto loaded = load("", texture(2, "a.tga"), connect(2, name), {{"a.tga", red}});
        const auto& image = loaded.material().base_colour_texture.image;
        ASSERT_NE(image, scene::none) << name;
        EXPECT_EQ(loaded.scene.images[image].width, 1u);
    }
}

TEST(FbxMaterial, PacksRoughnessAndMetalness)
{
    const auto loaded = load("P: \"Maya|metallic\", \"float\", \"\", \"\",0.5\n",
                             texture(2, "rough.tga") + texture(3, "metal.tga"),
                             connect(2, "Maya|TEX_roughness_map") + connect(3, "Maya|TEX_metallic_map"),
                             {{"rough.tga", grey_ramp}, {"metal.tga", red}});
    const scene::Material& m = loaded.material();
    ASSERT_NE(m.metallic_roughness_texture.image, scene::none);
    const scene::Image& packed = loaded.scene.images[m.metallic_roughness_texture.image];
    EXPECT_EQ(packed.pixels[4 + 1], 128);
    EXPECT_EQ(packed.pixels[4 + 2], 255);
    EXPECT_EQ(m.roughness, 1.0f);
    EXPECT_EQ(m.metallic, 1.0f);
}

TEST(FbxMaterial, FindsTexturesByEveryNameTheyHave)
{
    const auto by = [](const std::string& fields, const std::string& video = {}) {
        return load("",
                    "Texture: 2, \"Texture::t\", \"\" { " + fields +
                        " }\nVideo: 3, \"Video::v\", \"Clip\" { " + video + " }\n",
                    connect(2, "DiffuseColor") + "C: \"OO\",3,2\n", {{"pictures/a.tga", red}});
    };
    EXPECT_EQ(by("RelativeFilename: \"pictures\\a.tga\"").codes.size(), 0u);
    EXPECT_THAT(by("FileName: \"C:\\work\\a.tga\"").codes, ElementsAre("found_elsewhere"));
    EXPECT_EQ(by("RelativeFilename: \"..\\gone.tga\"\nFileName: \"pictures/a.tga\"").codes.size(), 0u);
    EXPECT_EQ(by("", "Filename: \"pictures/a.tga\"").codes.size(), 0u);
    EXPECT_THAT(by("RelativeFilename: \"gone.tga\"").codes, ElementsAre("missing_image"));
}

TEST(FbxMaterial, PlacesTexturesByElementsWhereNoPropertyDoes)
{
    const auto placed = [](const std::string& fields) {
        return load("",
                    "Texture: 2, \"Texture::t\", \"\" { RelativeFilename: \"a.tga\"\n"
                    "ModelUVTranslation: 0.25,0\nModelUVScaling: 2,1\n" +
                        fields + " }\n",
                    connect(2, "DiffuseColor"), {{"a.tga", red}})
            .material()
            .base_colour_texture;
    };
    EXPECT_EQ(placed("").scale, glm::vec2(2.0f, 1.0f));
    EXPECT_EQ(placed("").offset.x, 0.25f);
    const auto stated = placed("Properties70: { P: \"Scaling\", \"Vector\", \"\", \"A\",3,3,1\n"
                               "P: \"Translation\", \"Vector\", \"\", \"A\",0.5,0,0 }\n");
    EXPECT_EQ(stated.scale, glm::vec2(3.0f, 3.0f));
    EXPECT_EQ(stated.offset.x, 0.5f);
    EXPECT_EQ(placed("ModelUVScaling: \"x\",1\n").scale, glm::vec2(2.0f, 1.0f));
}

// Maps of 3ds Max that are shaders: the property is named after the shader.
TEST(FbxMaterial, FindsThePicturesOfShaders)
{
    const auto loaded =
        load("",
             "Texture: 2, \"Texture::out\", \"\" { FileName: \"\" }\n"
             "Texture: 3, \"Texture::osl\", \"\" { FileName: \"\"\nProperties70: {\n"
             "P: \"3dsMax|OSLBitmap2|Filename_map\", \"Reference\", \"\", \"A\"\n"
             "P: \"3dsMax|OSLBitmap2|Filename\", \"KString\", \"\", \"A\", \"pictures/a.tga\"\n} }\n",
             connect(2, "DiffuseColor") + "C: \"OP\",3,2, \"3dsMax|parameters|sourceMap\"\n",
             {{"pictures/a.tga", red}});
    EXPECT_THAT(loaded.codes, ElementsAre());
    ASSERT_EQ(loaded.scene.images.size(), 1u);
    EXPECT_EQ(loaded.material().base_colour_texture.image, 0u);
}

TEST(FbxMaterial, TakesEmbeddedPictures)
{
    const std::string text = io::encode_base64(std::as_bytes(std::span(red)));

    const std::size_t cut = text.size() / 2 / 4 * 4;
    const auto loaded = load("",
                             texture(2, "gone.tga") +
                                 "Video: 3, \"Video::v\", \"Clip\" { RelativeFilename: \"x\\e.tga\"\n"
                                 "Content: , \"" +
                                 text.substr(0, cut) + "\",\n  \"" + text.substr(cut) + "\"\n }\n",
                             connect(2, "DiffuseColor") + "C: \"OO\",3,2\n");
    EXPECT_THAT(loaded.codes, ElementsAre());
    ASSERT_EQ(loaded.scene.images.size(), 1u);
    EXPECT_EQ(loaded.scene.images[0].name, "e.tga");
    EXPECT_EQ(loaded.scene.images[0].pixels[0], 255);
}

// As Maya writes a file that several textures use.
TEST(FbxMaterial, TakesAPictureThatIsEmbeddedOnceForAllOfItsName)
{
    const auto video = [](int id, const std::string& content) {
        return fmt::format("Video: {}, \"Video::v\", \"Clip\" {{ Filename: \"C:\\work\\a.tga\"\n"
                           "RelativeFilename: \"a.tga\"\nContent: , \"{}\"\n }}\n",
                           id, content);
    };
    const std::string text = io::encode_base64(std::as_bytes(std::span(red)));
    const auto loaded =
        load("", texture(2, "a.tga") + texture(3, "a.tga") + video(4, text) + video(5, ""),
             connect(2, "DiffuseColor") + connect(3, "EmissiveColor") + "C: \"OO\",4,2\nC: \"OO\",5,3\n");
    EXPECT_THAT(loaded.codes, ElementsAre());
    EXPECT_EQ(loaded.scene.images.size(), 1u);
    EXPECT_EQ(loaded.material().base_colour_texture.image, 0u);
    EXPECT_EQ(loaded.material().emissive_texture.image, 0u);
}

// The value that a map is connected to shows without it; weights count with it, too.
TEST(FbxMaterial, MapsReplaceColoursAndKeepTheirWeights)
{
    const auto with = [](const std::string& properties, const std::string& slot) {
        return load(properties, texture(2, "a.tga"), connect(2, slot), {{"a.tga", red}}).material();
    };
    const auto emissive = [&](const std::string& properties, const std::string& slot) {
        return with(properties, slot).emissive.x;
    };
    EXPECT_EQ(emissive(colour("EmissiveColor", "0.5,0.5,0.5"), "EmissiveColor"), 1.0f);
    EXPECT_EQ(emissive(colour("EmissiveColor", "0,0,0"), "EmissiveColor"), 1.0f);
    EXPECT_EQ(emissive(number("EmissiveFactor", "0"), "EmissiveColor"), 0.0f);
    EXPECT_EQ(
        emissive(colour("Maya|emissionColor", "0,0,0") + number("Maya|emission", "0"), "Maya|emissionColor"),
        0.0f);
    EXPECT_EQ(
        with(colour("Maya|baseColor", "0,1,0") + number("Maya|base", "0.5"), "Maya|baseColor").base_colour,
        glm::vec4(0.5f, 0.5f, 0.5f, 1.0f));
    EXPECT_EQ(
        with(colour("DiffuseColor", "0,0,0") + number("DiffuseFactor", "0.5"), "DiffuseColor").base_colour,
        glm::vec4(0.5f, 0.5f, 0.5f, 1.0f));
}

TEST(FbxMaterial, LeavesOutMapsThatAreSwitchedOff)
{
    const auto shown = [](const std::string& properties, const std::string& slot) {
        const auto loaded = load(properties, texture(2, "a.tga"), connect(2, slot), {{"a.tga", red}});
        EXPECT_THAT(loaded.codes, ElementsAre());
        return loaded.material().base_colour_texture.image != scene::none;
    };
    const std::string physical = "3dsMax|Parameters|base_color_map", stingray = "Maya|TEX_color_map";
    EXPECT_TRUE(shown("", physical));
    EXPECT_TRUE(shown(number(physical + "_on", "1"), physical));
    EXPECT_FALSE(shown(number(physical + "_on", "0"), physical));
    EXPECT_TRUE(shown(number("Maya|use_color_map", "1"), stingray));
    EXPECT_FALSE(shown(number("Maya|use_color_map", "0"), stingray));
}

TEST(FbxMaterial, MovesAndWrapsTextures)
{
    const auto loaded = load("",
                             texture(2, "a.tga",
                                     "P: \"Scaling\", \"Vector\", \"\", \"A\",2,4,1\n"
                                     "P: \"Translation\", \"Vector\", \"\", \"A\",0.25,0.5,0\n"
                                     "P: \"WrapModeU\", \"enum\", \"\", \"\",1\n"
                                     "P: \"UVSet\", \"KString\", \"\", \"\", \"map2\"\n"),
                             connect(2, "DiffuseColor"), {{"a.tga", red}});
    const scene::Texture& t = loaded.material().base_colour_texture;
    EXPECT_EQ(t.wrap_s, scene::Wrap::clamp);
    EXPECT_EQ(t.wrap_t, scene::Wrap::repeat);
    EXPECT_EQ(t.scale, glm::vec2(2.0f, 4.0f));
    // v upwards: v' = 4 v + 0.5; from the top: y' = 1 - (4 (1 - y) + 0.5) = 4 y - 3.5
    EXPECT_EQ(t.offset, glm::vec2(0.25f, -3.5f));
    ASSERT_EQ(loaded.map.uv_sets.size(), 1u);
    EXPECT_EQ(loaded.map.uv_sets[0].name, "map2");
}

TEST(FbxMaterial, MakesOpacityPicturesTheAlpha)
{
    const auto loaded = load(
        "P: \"TransparencyFactor\", \"Number\", \"\", \"A\",1\n", texture(2, "a.tga") + texture(3, "b.tga"),
        connect(2, "DiffuseColor") + connect(3, "TransparentColor"), {{"a.tga", red}, {"b.tga", grey_ramp}});
    const scene::Material& m = loaded.material();
    EXPECT_EQ(m.alpha_mode, scene::AlphaMode::blend);
    const auto& image = loaded.scene.images[m.base_colour_texture.image];
    EXPECT_EQ(image.pixels[0], 255);
    EXPECT_EQ(image.pixels[7], 128);
}

TEST(FbxMaterial, WarnsOnceOfEachTextureThatIsNotShown)
{
    const auto with = [](const std::string& connections) {
        return load("", texture(2, "a.tga") + texture(3, "a.tga"), connections, {{"a.tga", red}}).codes;
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
    const auto loaded = load_text(R"(; FBX 6.1.0 project file
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
                                  {{"s.tga", red}, {"t.tga", grey_ramp}});
    ASSERT_EQ(loaded.scene.materials.size(), 2u);
    EXPECT_EQ(loaded.scene.images[loaded.scene.materials[0].base_colour_texture.image].name, "t.tga");
    EXPECT_EQ(loaded.scene.images[loaded.scene.materials[1].base_colour_texture.image].name, "s.tga");
    EXPECT_EQ(loaded.scene.materials[0].base_colour, glm::vec4(1.0f, 0.0f, 0.0f, 1.0f));
    EXPECT_THAT(loaded.codes, ElementsAre("map_not_shown"));
}

} // namespace
} // namespace vitrine::fbx
