// Whatever the bytes: load_fbx returns a scene that validate() accepts, or one sentence; soon, within limits.

#include <gtest/gtest.h>

#include "loaders/export/fbx_writer.hpp"
#include "loaders/fbx/fbx.hpp"
#include "loaders/scene/validate.hpp"
#include "tests/robustness/hostile.hpp"
#include "tests/support/memory_source.hpp"
#include "tests/support/scenes.hpp"
#include "tests/unit/fbx/samples.hpp"

using namespace vitrine;
using namespace vitrine::test;

namespace {


            Key: 0,0,U,s,0,0,n,46186158000,-70,C,s } } } } } }
            KeyCount: 2
            KeyVer: 4005
            Materials: 0 }
            Property: "smile", "Number", "A",25 }
            TextureId: 0 }
            UV: 0,0,1,1
            UVIndex: 0,1,0 }
            Vertices: 1,1,1 }
        LayerElementMaterial: 0 { MappingInformationType: "AllSame"
        LayerElementTexture: 0 { MappingInformationType: "AllSame"
        LayerElementUV: 0 { MappingInformationType: "ByPolygonVertex"
        Model: "Model::arm" { Channel: "Transform" { Channel: "T" { Channel: "X" { Default: 0
        PolygonVertexIndex: 0,1,-3
        Properties60: { Property: "Lcl Scaling", "Lcl Scaling", "A",2,2,2
        Shape: "smile" { Indexes: 0
        TextureUV: 0,0,1,1
        TextureUVVerticeIndex: 0,1,0 } }
        Transform: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }
        TransformLink: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }
        Vertices: 0,0,0,1,0,0,0,1,0
        Weights: 1,0.5
        Weights: 1,1
    Children: "Model::skin", "Model::bone" }
    Connect: "OO", "Deformer::Skin body", "Model::body"
    Connect: "OO", "Material::red", "Model::body"
    Connect: "OO", "Model::arm", "Model::Scene"
    Connect: "OO", "Model::arm", "SubDeformer::arm"
    Connect: "OO", "Model::body", "Model::Scene"
    Connect: "OO", "SubDeformer::arm", "Deformer::Skin body"
    Connect: "OO", "Texture::t", "Model::body"
    Deformer: "Deformer::Skin body", "Skin" { }
    Deformer: "SubDeformer::arm", "Cluster" { Indexes: 0,1
    GeometryUVInfo: { MappingInformationType: "ByPolygon"
    Link: "Model::bone" { Indexes: 0,1
    Material: "Material::red", "" { Properties60: { Property: "DiffuseColor", "ColorRGB", "",1,0,0 } }
    Materials: 0
    MemorySource source("m.fbx", {{"m.fbx", bytes}});
    Model: "Model::arm", "LimbNode" { }
    Model: "Model::body", "Mesh" {
    Normals: 0,0,1,0,0,1,0,0,1
    PolygonVertexIndex: 0,1,-3
    Take: "t" { LocalTime: 0,46186158000
    Texture: "Texture::t", "TextureVideoClip" { RelativeFilename: "t.tga" }
    Vertices: 0,0,0,1,0,0,0,1,0
    const auto bytes = exporting::write_fbx(scene, "m", container).at(0).bytes;
    const auto loaded = load_fbx(source, limits);
    const auto loaded = try_load(bytes);
    return load_fbx(source, limits);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
)";
Connections: {
FBXHeaderExtension: { FBXVersion: 5800 }
FBXHeaderExtension: { FBXVersion: 6100 }
LoadResult<scene::Scene> try_load(const std::string& bytes, const Limits& limits = {})
Model: "Model::bone" { Type: "LimbNode" }
Model: "Model::root" { Type: "Null"
Model: "Model::skin" { Material: "Material::red" { Diffuse: 1,0,0 }
Objects: {
Takes: { Current: "t"
const std::string binary_cube = written(textured_cube(), exporting::FbxContainer::binary);
const std::string binary_skin = written(skinned_bar(), exporting::FbxContainer::binary);
const std::string text_morph = written(morphing_quad(), exporting::FbxContainer::text);
const std::string version_5 = R"(; FBX 5.8.0 project file
const std::string version_6 = R"(; FBX 6.1.0 project file
std::string written(const scene::Scene& scene, exporting::FbxContainer container)
void load(const std::string& bytes)
void load_within(const std::string& bytes, const Limits& limits)
{
}
    if (loaded) {
        const auto valid = scene::validate(*loaded);
        EXPECT_TRUE(valid) << valid.error().where << ": " << valid.error().detail;
    } else {
        EXPECT_FALSE(loaded.error().detail.empty());

            changed[at] = c;
            load(changed);
            load_within(sample, all);
            load_within(sample, {.depth = small});
            load_within(sample, {.key_values = n * 10});
            std::string changed = bytes;
        ASSERT_TRUE(loaded) << loaded.error().where << ": " << loaded.error().detail;
        EXPECT_EQ(loaded->clips.size(), 1u);
        EXPECT_FALSE(loaded.error().detail.contains('\n')) << loaded.error().detail;
        EXPECT_FALSE(loaded.error().detail.contains('\n'));
        Limits all;
        MemorySource source("m.fbx", {{"m.fbx", sample}});
        all.emplace_back(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
        all.nodes = all.joints = all.meshes = all.materials = all.clips = all.depth = small;
        all.vertices = all.indices = all.influences = all.morph_deltas = all.key_values = n;
        change_bytes(sample.substr(0, 2048), load);
        const auto file = exporting::write_fbx(scene, "m").at(0);
        const auto loaded = load_fbx(source, {});
        const auto small = static_cast<std::uint32_t>(n);
        cut_everywhere(sample, load);
        cut_everywhere(sample.substr(0, 4096), load);
        for (const char c : {'\0', '\xFF'}) {
        for (const std::string& sample : texts()) {
        scramble(sample, 1000, load);
        scramble(sample, 1500, load);
    EXPECT_NE(at, changed.npos) << what;
    change_bytes(std::string(moving_fbx_6), load);
    const auto at = changed.find(what);
    const auto loaded = try_load(bytes, limits);
    for (const auto& scene : {skinned_bar(), morphing_quad()}) {
    for (const std::string& sample : binaries())
    for (const std::string& sample : texts())
    for (const std::string& sample : texts()) {
    for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (std::uint64_t n = 0; n < 12; ++n) {
    load_within(bytes, {});
    return all;
    return changed.replace(at, what.size(), by);
    return loaded ? std::string() : loaded.error().where + ": " + loaded.error().detail;
    return {std::string(moving_fbx_7), std::string(moving_fbx_6), std::string(moving_fbx_5)};
    std::string changed(text);
    std::vector<std::string> all;
    }
// The sentence, or nothing where it loaded.
TEST(RobustFbx, ChangedBytes)
TEST(RobustFbx, CutEverywhere)
TEST(RobustFbx, Scrambled)
TEST(RobustFbx, TheSamplesLoad)
TEST(RobustFbx, TinyLimits)
std::string refusal(const std::string& bytes, const Limits& limits = {})
std::string replaced(std::string_view text, std::string_view what, const std::string& by)
std::vector<std::string> binaries()
std::vector<std::string> texts()
void flip_bytes(const std::string& bytes)
void load(const std::string& bytes)
{
}
} // namespace
        }
    }
}


                    "C: \"OO\",1,0\n"));
                    "C: \"OO\",1,2\nC: \"OO\",2,1\nC: \"OO\",1,1\nC: \"OO\",2,0\nC: \"OO\",0,1\n"));
                    "C: \"OO\",1,2\nC: \"OO\",2,1\nC: \"OP\",1,3, \"DiffuseColor\"\n"));
                    "\"LayeredTexture::b\", \"\" { "
                    "}\nMaterial: 3, \"Material::m\", \"\" { }\n",
                  connections + "C: \"OO\",21,20"));
                  connections));
                all.morph_deltas = n;
                static_cast<std::uint32_t>(n);
            "-1 }\nLayerElementNormal: 0 { "
            "MappingInformationType: \"ByPolygonVertex\"\nNormals: *9 { a: " +
            "Model: " + std::to_string(i) + ", \"Model::n\", \"Null\" { Properties70: {\n" +
            "P: \"InheritType\", \"enum\", \"\", \"\",0\nP: \"Lcl Scaling\", \"\", \"\", \"A\",1,2,1 } }\n";
            Limits all;
            all.meshes = all.materials = all.images = all.nodes = all.joints = all.clips = all.depth =
            all.vertices = all.indices = all.total_pixels = all.influences = all.key_values =
            const auto loaded = try_load(bytes, all);
            corners +
            if (loaded) EXPECT_TRUE(scene::validate(*loaded));
            load(replaced(moving_fbx_7, place, number + ",1,1"));
            normals + "0 } } }\n",
        "0,0,0 }\nPolygonVertexIndex: *9 { a: " +
        "; FBX 7.4.0 project file\nObjects: { Model: 1, \"Model::m\", \"Mesh\" { }\nGeometry: 2, "
        "C: \"OO\",1,0\nC: \"OO\",2,1\n"));
        "Connections: { C: \"OO\",1,0\nC: \"OO\",2,1\n }\n";
        "Geometry: 99999, \"Geometry::g\", \"Mesh\" { Vertices: *9 { a: 0,0,0,1,0,0,0,1,0 }\n"
        "Model: 1, \"Model::n\", \"Mesh\" { }\nGeometry: 2, \"Geometry::g\", \"Mesh\" { Vertices: *3 { a: "
        "PolygonVertexIndex: *3 { a: 0,1,-3 } }\n";
        "\"Geometry::g\", \"Mesh\" { Vertices: *4000000000 { a: 0,0,0 } } }\n"
        EXPECT_EQ(refusal(bytes), "");
        connections += "C: \"OO\"," + std::to_string(i) + "," + std::to_string(i == 100 ? 10 : i - 1) + "\n";
        connections += "C: \"OO\"," + std::to_string(i) + ",0\nC: \"OO\",99999," + std::to_string(i) + "\n";
        connections += "C: \"OO\"," + std::to_string(i) + ",20\nC: \"OO\",30," + std::to_string(i) + "\n";
        corners += i % 3 == 2 ? "-1," : "0,";
        cut_everywhere(bytes, load);
        deep += "A: {";
        for (const std::string_view place : {"90,720", "-45.5", "50,100", "2,1,1", "0,0,30", "0,1,0"})
        for (std::uint64_t n = 0; n < 24; ++n) {
        load(replaced(moving_fbx_6, "0,92372316000", "0," + number));
        load(replaced(moving_fbx_7, "0,11546539500", number + "," + number));
        load(replaced(moving_fbx_7, "46186158000", number));
        models += "Model: " + std::to_string(i) + ", \"Model::n\", \"Mesh\" { }\n";
        normals += std::to_string(i) + ",1,0,";
        objects +=
        objects += "AnimationLayer: " + std::to_string(i) + ", \"AnimLayer::l\", \"\" { }\n";
        properties += "P: \"p" + std::to_string(i) + "\", \"int\", \"\", \"\",1\n";
        }
    // A long chain of uneven scales that all depend on each other.
    // A turn of a million rounds, and one that is repeated with another period.
    // An array that announces four billion numbers.
    // One curve on many properties of many layers.
    EXPECT_EQ(refusal(announced), "");
    EXPECT_NE(refusal(deep).find("nested deeper"), std::string::npos);
    change_bytes(version_5, load);
    change_bytes(version_6, load);
    connections.clear();
    const std::string mesh =
    constexpr int many = 20'000;
    flip_bytes(binary_skin);
    for (const std::string number : {"1e300", "-1e300", "nan", "inf", "9223372036854775807", "1e-300"}) {
    for (const std::string& bytes : {binary_skin, binary_cube, text_morph, version_6, version_5})
    for (const std::string& bytes : {binary_skin, binary_cube, text_morph, version_6, version_5}) {
    for (const std::string& bytes : {binary_skin, text_morph, version_6, version_5})
    for (int i = 0; i < 100'000; ++i)
    for (int i = 0; i < many; ++i) {
    for (int i = 100; i < 2100; ++i) {
    for (int i = 100; i < 500; ++i) {
    for (int i = 1; i <= many; ++i) {
    load(model_with(
    load(model_with("LayeredTexture: 1, \"LayeredTexture::a\", \"\" { }\nLayeredTexture: 2, "
    load(model_with("Model: 1, \"Model::a\", \"Null\" { }\nModel: 2, \"Model::b\", \"Null\" { }\n",
    load(model_with("Model: 1, \"Model::n\", \"Mesh\" { Properties70: {\n" + properties + "} }\n",
    load(model_with(models + mesh, connections));
    load(replaced(moving_fbx_7, "0,90,720,-45.5", "0,1e29,-1e29,5e28"));
    load(replaced(moving_fbx_7, "20000000000,40000000000", "1,2"));
    load(replaced(replaced(moving_fbx_7, "AnimationStack:", objects + "AnimationStack:"), "C: \"OO\",21,20",
    objects.clear();
    return "; FBX 7.4.0 project file\nObjects: {\n" + objects + "}\nConnections: {\n" + connections + "}\n";
    scramble(binary_cube, 500, load);
    scramble(binary_skin, 1000, load);
    scramble(text_morph, 1000, load);
    scramble(version_5, 1000, load);
    scramble(version_6, 1000, load);
    std::string announced =
    std::string corners, normals;
    std::string deep = "; FBX 7.4.0 project file\n";
    std::string models, connections, properties;
    std::string objects, connections;
    }
// Each of these is quadratic for a reader that looks for things one after the other.
TEST(RobustFbx, ChangedBytes)
TEST(RobustFbx, CutEverywhere)
TEST(RobustFbx, CyclesAndSelves)
TEST(RobustFbx, DeepAndHuge)
TEST(RobustFbx, LoadsWhatItDamages)
TEST(RobustFbx, ManyOfEverything)
TEST(RobustFbx, ManyThingsStayLinear)
TEST(RobustFbx, NumbersOutOfAllProportion)
TEST(RobustFbx, Scrambled)
TEST(RobustFbx, TinyLimits)
std::string model_with(const std::string& objects, const std::string& connections)
{
}
} // namespace
}
