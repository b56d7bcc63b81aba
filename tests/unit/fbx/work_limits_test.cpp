// Limits of files, and files in which many objects refer to the same large data: none would finish if each
// reference were processed separately.

#include <gmock/gmock.h>

#include <fmt/format.h>

#include "loaders/fbx/document/document.hpp"
#include "loaders/fbx/fbx.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/work_count.hpp"
#include "tests/unit/fbx/materials.hpp"
#include "tests/unit/fbx/text_file.hpp"

namespace vitrine {
namespace {

using namespace test::fbx;

fbx::Document parse(const std::string& text)
{
    io::WarningLog warnings;
    auto document = fbx::Document::parse(std::as_bytes(std::span(text)), {}, warnings);
    EXPECT_TRUE(document);
    return std::move(*document);
}

TEST(FbxWork, ChildrenAreFoundByName)
{
    test::expect_nearly_linear("children", 240, [](int n) {
        const int names = n / 6 * 5;
        const auto child_of = [&](int i) { return fmt::format("a{}: {}\n", i % names, i); };
        const std::string text =
            "; FBX 7.4.0 project file\nObjects: {\n" + repeated(n, child_of) + "}\n"; // outlives the document
        const fbx::Document document = parse(text);
        const fbx::Element objects = document.root()["Objects"];
        for (int i = 0; i < n; ++i)
            ASSERT_EQ(objects.integer(fmt::format("a{}", i), -1), i < names ? i : -1);
    });
}

// Multiples of the size of a hash table for so many objects, which the standard library's hash maps to one
// bucket.
TEST(FbxWork, IdsMayBeMultiplesOfANumber)
{
    constexpr int objects = 9'000, size = 10'273;
    const auto object = [](int i) { return fmt::format("x: {}, \"\", \"\" {{ }}\n", size * (1 + i)); };
    test::expect_work_below("9'000 objects", 30'000'000, [&] {
        const std::string text = "; FBX 7.4.0 project file\nObjects: {\n" + repeated(objects, object) + "}\n";
        const fbx::Document document = parse(text);
        EXPECT_EQ(document.find_by_id(size * objects), std::uint32_t{objects});
    });
}

TEST(FbxWork, SettingsOfVersion5AreReadOnce)
{
    test::expect_nearly_linear("settings", 250, [](int n) {
        const std::string text =
            "; FBX 5.0.0 project file\nFBXHeaderExtension: { FBXVersion: 5000 }\nSettings: {\n" +
            repeated(n, [](int i) { return fmt::format("a{}: {}\n", i, i); }) +
            "a7: 8\n}\nObjects: { Model: \"Model::m\", \"Null\" { } }\n";
        const fbx::Document document = parse(text);
        EXPECT_EQ(document.global_settings().own().size(), static_cast<std::size_t>(n));
        EXPECT_EQ(document.global_settings().integer("a7"), 7);
    });
}

TEST(FbxWork, TemplatesAreFoundBySubType)
{
    const auto shared = [](int i) { return fmt::format("PropertyTemplate: \"K{}\" {{ }}\n", i); };
    const auto model_of = [](int i) { return fmt::format("Model: {}, \"\", \"x\" {{ }}\n", i + 2); };
    test::expect_nearly_linear("templates", 250, [&](int n) {
        const std::string text =
            "; FBX 7.4.0 project file\nDefinitions: { ObjectType: \"Model\" {\n" + repeated(n, shared) +
            "PropertyTemplate: \"FbxNull\" { Properties70: { P: \"a\", \"int\", \"\", \"\",5 } }\n"
            "} }\nObjects: {\n" +
            model(1, "first") + repeated(n, model_of) + "}\n";
        EXPECT_EQ(parse(text).object(1).properties.integer("a"), 5);
    });
}

TEST(FbxWork, ClustersOfLongChainsAreBoundWhereTheyRest)
{
    const auto link_of = [](int i) {
        return model(1000 + i, fmt::format("n{}", i), vec3("Lcl Translation", "1,0,0"));
    };
    const auto place = [](int i) { return connect(1000 + i, i == 0 ? 0 : 999 + i); };
    const auto cluster_of = [](int i) {
        return fmt::format(
            "Deformer: {}, \"\", \"Cluster\" {{ Indexes: *1 {{ a: 0 }} Weights: *1 {{ a: 1 }} }}\n",
            5000 + i);
    };
    const auto bind = [](int i) { return connect(5000 + i, 3) + connect(1000 + i, 5000 + i); };
    test::expect_nearly_linear("links", 20, [&](int links) {
        const scene::Scene scene = load(version_7("Model: 1, \"Model::m\", \"Mesh\" { }\nGeometry: 2, "
                                                  "\"Geometry::g\", \"Mesh\" { Vertices: *9 { a: "
                                                  "0,0,0,1,0,0,0,1,0 } PolygonVertexIndex: *3 { a: 0,1,-3 } "
                                                  "}\nDeformer: 3, \"Deformer::s\", \"Skin\" "
                                                  "{ }\n" +
                                                      repeated(links, link_of) + repeated(links, cluster_of),
                                                  connect(1, 0) + connect(2, 1) + connect(3, 2) +
                                                      repeated(links, place) + repeated(links, bind)));
        const scene::Skin& skin = scene.skins.at(0);
        ASSERT_EQ(skin.joints.size(), static_cast<std::size_t>(links));
        for (std::size_t i = 0; i < skin.joints.size(); ++i) {
            ASSERT_EQ(scene.nodes[skin.joints[i]].name, fmt::format("n{}", i));
            ASSERT_EQ(skin.inverse_bind[i][3].x, -static_cast<float>(i + 1));
        }
    });
}

TEST(FbxWork, InputsOfAShaderAreLookedThroughOnce)
{
    const auto material = [](int i) { return fmt::format("Material: {}, \"\", \"\" {{ }}\n", 1000 + i); };
    const auto use = [](int i) { return fmt::format("C: \"OP\",50,{}, \"DiffuseColor\"\n", 1000 + i); };
    test::expect_nearly_linear("inputs and materials", 60, [&](int n) {
        const fbx::LoadedMaterial loaded = fbx::load_material_text(
            "; FBX 7.4.0 project file\nObjects: {\nTexture: 50, \"Texture::t\", \"\" { }\n" +
                fbx::texture(51, "r.tga") + repeated(n, material) + "}\nConnections: {\n" +
                repeated(n, [](int) { return connect(51, 50); }) + repeated(n, use) + "}\n",
            {{"r.tga", fbx::red}});
        ASSERT_EQ(loaded.scene.materials.size(), static_cast<std::size_t>(n));
        EXPECT_EQ(loaded.scene.materials.back().base_color_texture.image, 0u);
    });
}

TEST(FbxWork, LayersOfVersion6AreLookedThroughOnce)
{
    const auto element = [](int i) {
        return fmt::format(
            "LayerElementTexture: {} {{ MappingInformationType: \"AllSame\"\nTextureId: 0 }}\n", i);
    };
    const auto lie = [](int) { return "Layer: 0 { LayerElement: { Type: \"x\"\nTypedIndex: 0 } }\n"; };
    test::expect_nearly_linear("elements and layers", 60, [&](int n) {
        const fbx::LoadedMaterial loaded = fbx::load_material_text(
            "; FBX 6.1.0 project file\nFBXHeaderExtension: { FBXVersion: 6100 }\nObjects: "
            "{\nModel: \"Model::m\", \"Mesh\" {\n"
            "Vertices: 0,0,0,1,0,0,0,1,0\nPolygonVertexIndex: 0,1,-3\n" +
                repeated(n, element) +
                "Layer: 0 { LayerElement: { Type: \"LayerElementTexture\"\nTypedIndex: 0 }\n"
                "LayerElement: { Type: \"LayerElementUV\"\nTypedIndex: 7 } }\n" +
                repeated(n, lie) +
                "}\nMaterial: \"Material::a\", \"\" { }\nTexture: \"Texture::a\", \"\" { "
                "RelativeFilename: \"r.tga\" }\n}\nConnections: {\n"
                "Connect: \"OO\", \"Model::m\", \"Model::Scene\"\nConnect: \"OO\", "
                "\"Material::a\", \"Model::m\"\n"
                "Connect: \"OO\", \"Texture::a\", \"Model::m\"\n}\n",
            {{"r.tga", fbx::red}});
        EXPECT_EQ(loaded.material().base_color_texture.image, 0u);
        EXPECT_THAT(loaded.codes, testing::Contains("layered_texture"));
    });
}

TEST(FbxFault, RejectionsNameTheirLimit)
{
    const std::string mesh =
        "Geometry: 7, \"Geometry::g\", \"Mesh\" { Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 } PolygonVertexIndex: "
        "*3 "
        "{ a: 0,1,-3 } }\nMaterial: 8, \"Material::a\", \"\" { }\nMaterial: 9, \"Material::b\", \"\" { }\n";
    const std::string text =
        version_7(model(1, "a") + model(2, "b") + mesh, "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",7,1\n");
    const auto error_text = [&](auto member, std::uint32_t number) {
        Limits limits;
        limits.*member = number;
        test::MemorySource source("model.fbx", {{"model.fbx", text}});
        const auto loaded = load_fbx(source, limits);
        return loaded ? "loaded" : loaded.error().detail;
    };
    EXPECT_THAT(error_text(&Limits::nodes, 1), testing::HasSubstr("nodes = 1"));
    EXPECT_THAT(error_text(&Limits::nodes, 0), testing::HasSubstr("nodes = 0"));
    EXPECT_THAT(error_text(&Limits::depth, 1), testing::HasSubstr("depth = 1"));
    EXPECT_THAT(error_text(&Limits::materials, 1), testing::HasSubstr("materials = 1"));
    EXPECT_THAT(error_text(&Limits::vertices, 2), testing::HasSubstr("vertices = 2"));
    EXPECT_THAT(error_text(&Limits::indices, 2), testing::HasSubstr("indices = 2"));
    EXPECT_THAT(error_text(&Limits::meshes, 0), testing::HasSubstr("meshes = 0"));
    EXPECT_THAT(error_text(&Limits::file_bytes, 9), testing::HasSubstr("file_bytes = 9"));
}

TEST(FbxFault, PlacesThatCurvesMoveAreLimited)
{
    const std::string text = version_7(
        model(1, "a") + stack + node(80) + curve(81, "0,1", "0,1"),
        stack_connections + "C: \"OO\",1,0\nC: \"OO\",80,91\nC: \"OP\",81,80, \"d|X\"\n"
                            "C: \"OP\",80,1, \"Lcl Translation\"\nC: \"OP\",80,1, \"Lcl Scaling\"\n");
    test::MemorySource source("model.fbx", {{"model.fbx", text}});
    EXPECT_TRUE(load_fbx(source, {.key_values = 32}));
    const auto rejected = load_fbx(source, {.key_values = 31});
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().detail,
              "curves animate properties in more than 1 places, a sixteenth of the limit key_values = 31");
}

TEST(FbxFault, RejectsChainsWithoutEnd)
{
    std::string models, connections = "C: \"OO\",1,0\n";
    for (int i = 1; i <= 700; ++i) {
        models += model(i, "n");
        connections += "C: \"OO\"," + std::to_string(i + 1) + "," + std::to_string(i) + "\n";
    }
    test::MemorySource source("model.fbx", {{"model.fbx", version_7(models, connections)}});
    Limits limits;
    limits.depth = 20;
    EXPECT_EQ(load_fbx(source, limits).error().code, LoadErrc::limit_exceeded);
}

} // namespace
} // namespace vitrine
