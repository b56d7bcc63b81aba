// Whatever the bytes: load_fbx returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "loaders/export/fbx/fbx_writer.hpp"
#include "loaders/fbx/fbx.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/robustness/expect_valid_or_error.hpp"
#include "tests/robustness/hostile.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/work_count.hpp"
#include "tests/unit/fbx/blender_shape_keys.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {

std::string written(const scene::Scene& scene, exporting::FbxContainer container)
{
    const auto bytes = exporting::write_fbx(scene, "m", container).at(0).bytes;
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

const std::string binary_skin = written(skinned_bar(), exporting::FbxContainer::binary);
const std::string binary_cube = written(textured_cube(), exporting::FbxContainer::binary);
const std::string text_morph = written(morphing_quad(), exporting::FbxContainer::text);
const std::string shape_keys = blender_shape_keys(exporting::FbxContainer::binary);

const std::string version_6 = R"(; FBX 6.1.0 project file
FBXHeaderExtension: { FBXVersion: 6100 }
Objects: {
    Model: "Model::body", "Mesh" {
        Properties60: { Property: "Lcl Scaling", "Lcl Scaling", "A",2,2,2
            Property: "smile", "Number", "A",25 }
        Vertices: 0,0,0,1,0,0,0,1,0
        PolygonVertexIndex: 0,1,-3
        LayerElementUV: 0 { MappingInformationType: "ByPolygonVertex"
            UV: 0,0,1,1
            UVIndex: 0,1,0 }
        LayerElementMaterial: 0 { MappingInformationType: "AllSame"
            Materials: 0 }
        LayerElementTexture: 0 { MappingInformationType: "AllSame"
            TextureId: 0 }
        Shape: "smile" { Indexes: 0
            Vertices: 1,1,1 }
    }
    Model: "Model::arm", "LimbNode" { }
    Material: "Material::red", "" { Properties60: { Property: "DiffuseColor", "ColorRGB", "",1,0,0 } }
    Texture: "Texture::t", "TextureVideoClip" { RelativeFilename: "t.tga" }
    Deformer: "Deformer::Skin body", "Skin" { }
    Deformer: "SubDeformer::arm", "Cluster" { Indexes: 0,1
        Weights: 1,0.5
        TransformLink: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }
}
Connections: {
    Connect: "OO", "Model::body", "Model::Scene"
    Connect: "OO", "Model::arm", "Model::Scene"
    Connect: "OO", "Material::red", "Model::body"
    Connect: "OO", "Texture::t", "Model::body"
    Connect: "OO", "Deformer::Skin body", "Model::body"
    Connect: "OO", "SubDeformer::arm", "Deformer::Skin body"
    Connect: "OO", "Model::arm", "SubDeformer::arm"
}
Takes: { Current: "t"
    Take: "t" { LocalTime: 0,46186158000
        Model: "Model::arm" { Channel: "Transform" { Channel: "T" { Channel: "X" { Default: 0
            KeyVer: 4005
            KeyCount: 2
            Key: 0,0,U,s,0,0,n,46186158000,-70,C,s } } } } } }
)";

const std::string version_5 = R"(; FBX 5.8.0 project file
FBXHeaderExtension: { FBXVersion: 5800 }
Model: "Model::root" { Type: "Null"
    Children: "Model::skin", "Model::bone" }
Model: "Model::skin" { Material: "Material::red" { Diffuse: 1,0,0 }
    Link: "Model::bone" { Indexes: 0,1
        Weights: 1,1
        Transform: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }
    Vertices: 0,0,0,1,0,0,0,1,0
    Normals: 0,0,1,0,0,1,0,0,1
    Materials: 0
    PolygonVertexIndex: 0,1,-3
    GeometryUVInfo: { MappingInformationType: "ByPolygon"
        TextureUV: 0,0,1,1
        TextureUVVerticeIndex: 0,1,0 } }
Model: "Model::bone" { Type: "LimbNode" }
)";

LoadResult<scene::Scene> try_load(const std::string& bytes, const Limits& limits = {})
{
    MemorySource source("m.fbx", {{"m.fbx", bytes}});
    return load_fbx(source, limits);
}

void load_once(const std::string& bytes)
{
    expect_sane(try_load(bytes));
}

// The sentence, or nothing where it loaded.
std::string error_text(const std::string& bytes, const Limits& limits = {})
{
    const auto loaded = try_load(bytes, limits);
    return loaded ? std::string() : loaded.error().where + ": " + loaded.error().detail;
}

// The first of the bytes densely: what follows is mostly numbers.
void flip_bytes(const std::string& bytes)
{
    for (std::size_t at = 0; at < bytes.size(); at += at < 3000 ? 1 : 11) {
        for (const char c : {'\0', '\xFF'}) {
            std::string changed = bytes;
            changed[at] = c;
            load_once(changed);
        }
    }
}

std::string model_with(const std::string& objects, const std::string& connections)
{
    return "; FBX 7.4.0 project file\nObjects: {\n" + objects + "}\nConnections: {\n" + connections + "}\n";
}

} // namespace

TEST(RobustFbxMeshes, LoadsDamagedFiles)
{
    for (const std::string& bytes : {binary_skin, binary_cube, text_morph, shape_keys, version_6, version_5})
        EXPECT_EQ(error_text(bytes), "");
}

TEST(RobustFbxMeshes, CutEverywhere)
{
    for (const std::string& bytes : {binary_skin, text_morph, shape_keys, version_6, version_5})
        cut_everywhere(bytes, load_once);
}

TEST(RobustFbxMeshes, ChangedBytes)
{
    flip_bytes(binary_skin);
    change_bytes(shape_keys, load_once);
    change_bytes(version_6, load_once);
    change_bytes(version_5, load_once);
}

TEST(RobustFbxMeshes, Scrambled)
{
    scramble(binary_skin, 1000, load_once);
    scramble(binary_cube, 500, load_once);
    scramble(text_morph, 1000, load_once);
    scramble(shape_keys, 1000, load_once);
    scramble(version_6, 1000, load_once);
    scramble(version_5, 1000, load_once);
}

TEST(RobustFbxMeshes, TinyLimits)
{
    for (const std::string& bytes :
         {binary_skin, binary_cube, text_morph, shape_keys, version_6, version_5}) {
        for (std::uint64_t n = 0; n < 24; ++n) {
            Limits all;
            all.vertices = all.indices = all.total_pixels = all.influences = all.key_values =
                all.morph_deltas = n;
            all.meshes = all.materials = all.images = all.nodes = all.joints = all.clips = all.depth =
                static_cast<std::uint32_t>(n);
            const auto loaded = try_load(bytes, all);
            if (loaded) EXPECT_TRUE(scene::validate(*loaded));
        }
    }
}

TEST(RobustFbxMeshes, CyclesAndSelves)
{
    load_once(model_with("Model: 1, \"Model::a\", \"Null\" { }\nModel: 2, \"Model::b\", \"Null\" { }\n",
                         "C: \"OO\",1,2\nC: \"OO\",2,1\nC: \"OO\",1,1\nC: \"OO\",2,0\nC: \"OO\",0,1\n"));
    load_once(model_with("LayeredTexture: 1, \"LayeredTexture::a\", \"\" { }\nLayeredTexture: 2, "
                         "\"LayeredTexture::b\", \"\" { "
                         "}\nMaterial: 3, \"Material::m\", \"\" { }\n",
                         "C: \"OO\",1,2\nC: \"OO\",2,1\nC: \"OP\",1,3, \"DiffuseColor\"\n"));
}

// Each of these is quadratic for a reader that looks for things one after the other.
TEST(RobustFbxMeshes, ManyOfEverythingStayLinear)
{
    expect_nearly_linear("models of one geometry", 300, [](int n) {
        std::string models, connections;
        for (int i = 1; i <= n; ++i) {
            models += "Model: " + std::to_string(i) + ", \"Model::n\", \"Mesh\" { }\n";
            connections +=
                "C: \"OO\"," + std::to_string(i) + ",0\nC: \"OO\",99999," + std::to_string(i) + "\n";
        }
        const std::string mesh =
            "Geometry: 99999, \"Geometry::g\", \"Mesh\" { Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }\n"
            "PolygonVertexIndex: *3 { a: 0,1,-3 } }\n";
        load_once(model_with(models + mesh, connections));
    });
    expect_nearly_linear("properties", 300, [](int n) {
        std::string properties;
        for (int i = 1; i <= n; ++i)
            properties += "P: \"p" + std::to_string(i) + "\", \"int\", \"\", \"\",1\n";
        load_once(model_with("Model: 1, \"Model::n\", \"Mesh\" { Properties70: {\n" + properties + "} }\n",
                             "C: \"OO\",1,0\n"));
    });
    expect_nearly_linear("corners at one position", 300, [](int n) {
        std::string corners, normals;
        for (int i = 0; i < n; ++i) {
            corners += i % 3 == 2 ? "-1," : "0,";
            normals += std::to_string(i) + ",1,0,";
        }
        load_once(model_with("Model: 1, \"Model::n\", \"Mesh\" { }\nGeometry: 2, \"Geometry::g\", \"Mesh\" { "
                             "Vertices: *3 { a: 0,0,0 }\nPolygonVertexIndex: *9 { a: " +
                                 corners +
                                 "-1 }\nLayerElementNormal: 0 { "
                                 "MappingInformationType: \"ByPolygonVertex\"\nNormals: *9 { a: " +
                                 normals + "0 } } }\n",
                             "C: \"OO\",1,0\nC: \"OO\",2,1\n"));
    });
}

TEST(RobustFbxMeshes, ManyShapesOfAFanAreRejected)
{
    constexpr int triangles = 20'000, shapes = 100;
    std::string corners, objects, connections = "C: \"OO\",1,0\nC: \"OO\",2,1\nC: \"OO\",3,2\n";
    for (int i = 0; i < triangles; ++i)
        corners += "0,1,-3,";
    for (int i = 10; i < 10 + 2 * shapes; i += 2) {
        objects += fmt::format(
            "Deformer: {}, \"SubDeformer::c\", \"BlendShapeChannel\" {{ }}\nGeometry: {}, "
            "\"Geometry::s\", \"Shape\" {{ Indexes: *1 {{ a: 0 }}\nVertices: *3 {{ a: 1,0,0 }} }}\n",
            i, i + 1);
        connections += fmt::format("C: \"OO\",{0},3\nC: \"OO\",{1},{0}\n", i, i + 1);
    }
    const std::string bytes =
        model_with("Model: 1, \"Model::m\", \"Mesh\" { }\nDeformer: 3, \"Deformer::b\", \"BlendShape\" { }\n"
                   "Geometry: 2, \"Geometry::g\", \"Mesh\" { Vertices: *9 { a: 0,0,0,1,0,0,2,0,0 }\n"
                   "PolygonVertexIndex: *9 { a: " +
                       corners + "0,1,-3 } }\n" + objects,
                   connections);
    load_once(bytes);
    EXPECT_NE(error_text(bytes, {.morph_deltas = 2'000'000}).find("morph_deltas"), std::string::npos);
}

TEST(RobustFbxMeshes, DeepAndHuge)
{
    std::string deep = "; FBX 7.4.0 project file\n";
    for (int i = 0; i < 100'000; ++i)
        deep += "A: {";
    EXPECT_NE(error_text(deep).find("nested deeper"), std::string::npos);
    // An array that announces four billion numbers.
    std::string announced =
        "; FBX 7.4.0 project file\nObjects: { Model: 1, \"Model::m\", \"Mesh\" { }\nGeometry: 2, "
        "\"Geometry::g\", \"Mesh\" { Vertices: *4000000000 { a: 0,0,0 } } }\n"
        "Connections: { C: \"OO\",1,0\nC: \"OO\",2,1\n }\n";
    EXPECT_EQ(error_text(announced), "");
}
