#include <gmock/gmock.h>

#include "loaders/fbx/materials/materials.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/unit/obj/samples.hpp"

namespace vitrine::fbx {
namespace {

using testing::ElementsAre;

struct LoadedTexture {
    scene::Scene scene;
    std::vector<std::string> codes;

    const scene::Texture& texture() const { return scene.materials.at(0).base_color_texture; }
    const scene::Image& image() const { return scene.images.at(texture().image); }
};

std::string texture(int id, const std::string& file, const std::string& properties = {})
{
    return "Texture: " + std::to_string(id) + ", \"Texture::" + file + "\", \"\" { RelativeFilename: \"" +
           file + "\"\nProperties70: {\n" + properties + "} }\n";
}

std::string scaling(const std::string& uv)
{
    return "P: \"Scaling\", \"Vector\", \"\", \"A\"," + uv + ",1\n";
}

const std::string dark_blue = test::tga(1, 1, {0, 0, 200, 255});
const std::string dark_red = test::tga(1, 1, {200, 0, 0, 255});
const std::string gray_ramp = test::tga(2, 1, {0, 0, 0, 255, 128, 128, 128, 255});

LoadedTexture load_layered_text(const std::string& text, const Limits& limits)
{
    LoadedTexture out;
    io::WarningLog warnings;
    const auto document = Document::parse(std::as_bytes(std::span(text)), {}, warnings);
    EXPECT_TRUE(document) << document.error().where << document.error().detail;
    if (!document) return out;
    test::MemorySource source(
        "model.fbx", {{"model.fbx", text}, {"r.tga", dark_red}, {"b.tga", dark_blue}, {"g.tga", gray_ramp}});
    const LoadContext context{*document, source, limits, warnings, out.scene};
    EXPECT_TRUE(add_materials(context));
    for (const auto& warning : warnings.take())
        out.codes.push_back(warning.code);
    return out;
}

// A material whose color is the layered texture 4 with the given content, of the textures 2 and 3.
LoadedTexture load_layered(const std::string& layered, const std::string& textures,
                           const std::string& connections = {}, const Limits& limits = Limits{})
{
    const std::string text = "; FBX 7.4.0 project file\nObjects: { Material: 1, \"Material::m\", \"\" { }\n" +
                             textures + "LayeredTexture: 4, \"LayeredTexture::l\", \"\" { " + layered +
                             " }\n}\nConnections: {\nC: \"OP\",4,1, \"DiffuseColor\"\nC: \"OO\",2,4\nC: "
                             "\"OO\",3,4\n" +
                             connections + "}\n";
    return load_layered_text(text, limits);
}

TEST(FbxLayeredTexture, MixesItsLayersFromTheBottomUp)
{
    const auto both = texture(2, "r.tga") + texture(3, "b.tga");
    const auto loaded = load_layered("BlendModes: *2 { a: 2,1 }\nAlphas: *2 { a: 0.75,0.5 }", both);
    EXPECT_THAT(loaded.codes, ElementsAre());
    EXPECT_EQ(loaded.image().name, "l");
    EXPECT_THAT(loaded.image().pixels, ElementsAre(200, 0, 100, 255));
    const auto over = load_layered("BlendModes: *2 { a: 0,4 }\nAlphas: *2 { a: 1,0.25 }", both);
    EXPECT_THAT(over.image().pixels, ElementsAre(150, 0, 50, 255));
    const auto plain = load_layered("", both); // opaque
    EXPECT_THAT(plain.image().pixels, ElementsAre(0, 0, 200, 255));
}

TEST(FbxLayeredTexture, IsAsLargeAsItsLargestLayer)
{
    const auto loaded = load_layered("BlendModes: *2 { a: 5,2 }", texture(2, "r.tga") + texture(3, "g.tga"));
    EXPECT_EQ(loaded.image().width, 2u);
    EXPECT_THAT(loaded.image().pixels, ElementsAre(0, 0, 0, 255, 100, 0, 0, 255));
}

TEST(FbxLayeredTexture, LayersKeepTheirRepetitions)
{
    const std::string add = "BlendModes: *2 { a: 5,1 }";
    const auto finer =
        load_layered(add, texture(2, "r.tga", scaling("3,1")) + texture(3, "g.tga", scaling("6,1")));
    EXPECT_EQ(finer.texture().scale, glm::vec2(3.0f, 1.0f));
    EXPECT_THAT(finer.image().pixels,
                ElementsAre(200, 0, 0, 255, 255, 128, 128, 255, 200, 0, 0, 255, 255, 128, 128, 255));
    const auto coarser = load_layered(add, texture(2, "g.tga", scaling("2,1")) + texture(3, "r.tga"));
    EXPECT_EQ(coarser.texture().scale, glm::vec2(1.0f));
    EXPECT_EQ(coarser.image().width, 4u);
    const auto neither =
        load_layered(add, texture(2, "g.tga", scaling("2,1")) + texture(3, "r.tga", scaling("3,1")));
    EXPECT_EQ(neither.texture().scale, glm::vec2(1.0f)); // untransformed UVs, in which both repeat
    EXPECT_THAT(neither.codes, ElementsAre());
    const auto none =
        load_layered(add, texture(2, "g.tga", scaling("0.5,1")) + texture(3, "r.tga", scaling("0.3,1")));
    EXPECT_THAT(none.codes, ElementsAre("layered_texture"));
    EXPECT_EQ(none.image().name, "g.tga");
    EXPECT_EQ(none.texture().scale, glm::vec2(0.5f, 1.0f));
}

TEST(FbxLayeredTexture, IgnoresUnmixableInputsWithAWarning)
{
    const auto both = texture(2, "r.tga") + texture(3, "b.tga");
    for (const std::string modes : {"5,6", "5,26", "5,31", "5,-1"}) {
        const auto loaded = load_layered("BlendModes: *2 { a: " + modes + " }", both);
        EXPECT_THAT(loaded.codes, ElementsAre("layered_texture")) << modes;
        EXPECT_EQ(loaded.image().name, "r.tga");
    }
    const auto sets = load_layered(
        "", texture(2, "r.tga") + texture(3, "b.tga", "P: \"UVSet\", \"KString\", \"\", \"\", \"map2\"\n"));
    EXPECT_THAT(sets.codes, ElementsAre("layered_texture"));
    EXPECT_EQ(sets.image().name, "r.tga");
    const auto missing = load_layered("", texture(2, "r.tga") + texture(3, "no.tga"));
    EXPECT_THAT(missing.codes, ElementsAre("missing_image"));
    EXPECT_EQ(missing.image().name, "r.tga");
    const auto first_missing = load_layered("", texture(2, "no.tga") + texture(3, "b.tga"));
    EXPECT_EQ(first_missing.image().name, "b.tga");
}

TEST(FbxLayeredTexture, LowestLayerIsUsedWithoutASlot)
{
    const auto both = texture(2, "g.tga") + texture(3, "b.tga");
    const auto pixels = load_layered("", both, {}, Limits{.total_pixels = 3});
    EXPECT_THAT(pixels.codes, ElementsAre("image_limit"));
    EXPECT_EQ(pixels.image().name, "g.tga");
    const auto images = load_layered("", both, {}, Limits{.images = 2});
    EXPECT_THAT(images.codes, ElementsAre("image_limit"));
    EXPECT_EQ(images.image().name, "g.tga");
    EXPECT_EQ(load_layered("", both, {}, Limits{.image_pixels = 1}).codes.front(), "invalid_image");
}

TEST(FbxLayeredTexture, SelfReferenceIsIgnored)
{
    const auto loaded =
        load_layered("",
                     texture(2, "r.tga") + texture(3, "b.tga") + texture(5, "r.tga") +
                         "LayeredTexture: 7, \"LayeredTexture::m\", \"\" { Alphas: *1 { a: 1 } }\n",
                     "C: \"OO\",7,4\nC: \"OO\",4,7\nC: \"OO\",5,7\n");
    EXPECT_THAT(loaded.codes, ElementsAre("layered_texture"));
    EXPECT_THAT(loaded.image().pixels, ElementsAre(200, 0, 0, 255));
}

TEST(FbxLayeredTexture, LayersMayBeLayeredThemselves)
{
    const auto loaded =
        load_layered("BlendModes: *3 { a: 5,1,1 }\nAlphas: *3 { a: 1,1,0.5 }",
                     texture(2, "r.tga") + texture(3, "b.tga") + texture(5, "r.tga") + texture(6, "b.tga") +
                         "LayeredTexture: 7, \"LayeredTexture::m\", \"\" { Alphas: *2 { a: 1,0.5 } }\n",
                     "C: \"OO\",7,4\nC: \"OO\",5,7\nC: \"OO\",6,7\n");
    EXPECT_THAT(loaded.codes, ElementsAre());
    EXPECT_THAT(loaded.image().pixels, ElementsAre(250, 0, 250, 255));
}

// Version 6: layer elements of the model, in Layers with their UVs. The third uses other UVs. MODE: the blend
// mode of the second.
const std::string legacy_file = R"(; FBX 6.1.0 project file
FBXHeaderExtension: { FBXVersion: 6100 }
Objects: {
    Model: "Model::m", "Mesh" {
        Vertices: 0,0,0
        LayerElementTexture: 0 { MappingInformationType: "AllSame"
            BlendMode: "Multiply"
            TextureAlpha: 0.5
            TextureId: 0 }
        LayerElementTexture: 1 { MappingInformationType: "AllSame"
            BlendMode: "MODE"
            TextureAlpha: 0.5
            TextureId: 1 }
        LayerElementTexture: 2 { MappingInformationType: "AllSame"
            TextureId: 0 }
        Layer: 0 {
            LayerElement: { Type: "LayerElementTexture"
                TypedIndex: 0 }
            LayerElement: { Type: "LayerElementUV"
                TypedIndex: 0 }
        }
        Layer: 1 {
            LayerElement: { Type: "LayerElementTexture"
                TypedIndex: 1 }
        }
        Layer: 2 {
            LayerElement: { Type: "LayerElementTexture"
                TypedIndex: 2 }
            LayerElement: { Type: "LayerElementUV"
                TypedIndex: 1 }
        }
    }
    Material: "Material::a", "" { }
    Texture: "Texture::s", "TextureVideoClip" { RelativeFilename: "r.tga" }
    Texture: "Texture::t", "TextureVideoClip" { RelativeFilename: "b.tga" }
}
Connections: {
    Connect: "OO", "Material::a", "Model::m"
    Connect: "OO", "Texture::s", "Model::m"
    Connect: "OO", "Texture::t", "Model::m"
}
)";

LoadedTexture load_legacy(const std::string& second_mode)
{
    auto text = legacy_file;
    text.replace(text.find("MODE"), 4, second_mode);
    return load_layered_text(text, Limits{});
}

TEST(FbxLayeredTexture, LayersOfVersion6AreMixedToo)
{
    const auto added = load_legacy("Add");
    EXPECT_THAT(added.codes, ElementsAre("layered_texture")); // of the third
    EXPECT_THAT(added.image().pixels, ElementsAre(200, 0, 100, 255));
    EXPECT_THAT(load_legacy("Over").image().pixels, ElementsAre(100, 0, 100, 255));
    const auto unknown = load_legacy("Sideways");
    EXPECT_THAT(unknown.codes, ElementsAre("layered_texture", "layered_texture"));
    EXPECT_EQ(unknown.image().name, "r.tga");
}

} // namespace
} // namespace vitrine::fbx
