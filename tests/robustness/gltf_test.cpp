// Broken glTF: cut, flipped, with changed numbers and missing members, under tiny limits. Nothing may crash,
// hang or take memory that the file does not have; every rejection has a sentence; what loads is valid or
// rejected by validate() for the size of its numbers. Meant to run under ASan and UBSan too.

#include <random>

#include <fmt/format.h>

#include "tests/robustness/gltf_broken.hpp"
#include "tests/robustness/rounds.hpp"
#include "tests/unit/gltf/pictures.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::load_safely;
using test::small_limits;
using test::with_json;

void add_nodes(GltfBuilder& b)
{
    b.add("nodes", R"({"name":"root","children":[2,3],"rotation":[0,0,0.6,0.8]})");
    b.add("nodes", R"({"name":"tip","translation":[0,1,0]})");
    b.add("nodes", R"({"mesh":1,"skin":0,"weights":[0.25]})");
    b.add("nodes",
          R"({"matrix":[1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1],"mesh":0,"extensions":{"MSFT_lod":{"ids":[6]}}})");
    const int instances = b.accessor<float>({1, 0, 0, 2, 0, 0}, "VEC3");
    b.add(
        "nodes",
        fmt::format(
            R"({{"mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{"TRANSLATION":{}}}}}}}}})",
            instances));
    b.add("nodes", R"({"mesh":0})"); // a level of detail
}

void add_animation(GltfBuilder& b)
{
    const int times = b.accessor<float>({0, 1, 2}, "SCALAR");
    const int rotations = b.accessor<std::int16_t>({0, 0, 0, 32767, 0, 0, 32767, 0, 0, 0, 0, 32767}, "VEC4",
                                                   R"(,"normalized":true)");
    const int morphs = b.accessor<float>({0, 0, 0, 0, 1, 0, 0, 0, 0}, "SCALAR");
    b.add("animations",
          fmt::format(R"({{"name":"move","samplers":[{{"input":{},"output":{}}},{{"input":{},"output":{},
        "interpolation":"CUBICSPLINE"}}],"channels":[{{"sampler":0,"target":{{"node":1,"path":"rotation"}}}},
        {{"sampler":1,"target":{{"node":3,"path":"weights"}}}}]}})",
                      times, rotations, times, morphs));
}

void add_material(GltfBuilder& b)
{
    const int view = b.view(test::two_pixels_png());
    b.add("images", fmt::format(R"({{"bufferView":{},"mimeType":"image/png"}})", view));
    b.add("samplers", R"({"wrapS":33071})");
    b.add("textures", R"({"source":0,"sampler":0})");
    b.add("materials",
          R"({"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":
        {"scale":[2,2],"rotation":1}}},"metallicFactor":0.5},"normalTexture":{"index":0,"scale":0.5},"alphaMode":"BLEND"})");
}

// One document with nearly every feature.
GltfBuilder everything()
{
    GltfBuilder b = test::triangle(); // accessors 0 and 1, mesh 0, node 0
    add_material(b);
    const int joints = b.accessor<std::uint8_t>({0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}, "VEC4");
    const int weights = b.accessor<float>({0.5f, 0.5f, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}, "VEC4");
    const int binds = b.accessor<float>(
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1},
        "MAT4");
    const int uv = b.accessor<std::uint16_t>({0, 0, 65535, 0, 0, 65535}, "VEC2", R"(,"normalized":true)");
    const int indices = b.accessor<std::uint16_t>({0, 1, 2, 1}, "SCALAR");
    const int sparse_indices = b.view(test::to_bytes<std::uint8_t>({1, 2}));
    const int sparse_values = b.view(test::to_bytes<float>({3, 0, 0, 0, 3, 0}));
    const int deltas = b.accessor_in(
        -1, 3, 5126, "VEC3",
        fmt::format(
            R"(,"min":[0,0,0],"max":[3,3,0],"sparse":{{"count":2,"indices":{{"componentType":5121,"bufferView":{}}},
                                         "values":{{"bufferView":{}}}}})",
            sparse_indices, sparse_values));
    const int interleaved = b.view(test::to_bytes<float>({0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0, 9}), 16);
    const int strided = b.accessor_in(interleaved, 3, 5126, "VEC3", R"(,"min":[0,0,0],"max":[1,1,0])");
    b.add("meshes",
          fmt::format(R"({{"weights":[0.5],"primitives":[{{"mode":5,"material":0,"indices":{},"attributes":
        {{"POSITION":0,"NORMAL":1,"TEXCOORD_0":{},"JOINTS_0":{},"WEIGHTS_0":{}}},"targets":[{{"POSITION":{}}}],
        "extensions":{{"KHR_materials_variants":{{"mappings":[{{"material":0,"variants":[1,0]}}]}}}}}},
        {{"attributes":{{"POSITION":{}}},"targets":[{{"POSITION":{}}}]}}]}})",
                      indices, uv, joints, weights, deltas, strided, deltas));
    b.add("skins", fmt::format(R"({{"joints":[1,2],"inverseBindMatrices":{}}})", binds));
    add_nodes(b);
    b.add("scenes", R"({"nodes":[0,1,4,5]})");
    b.root(R"("scene":0,"extensionsUsed":["EXT_mesh_gpu_instancing","KHR_materials_variants","MSFT_lod"])");
    b.root(R"("extensions":{"KHR_materials_variants":{"variants":[{"name":"day"},{"name":"night"}]}})");
    add_animation(b);
    return b;
}

TEST(RobustnessGltf, WholeDocumentLoads)
{
    const scene::Scene scene = test::valid(everything().load_glb());
    ASSERT_EQ(scene.warnings.size(), 1u) << scene.warnings[0].code << " " << scene.warnings[0].where;
    EXPECT_EQ(scene.warnings[0].where, "/nodes/4") << "the skewed matrix, and nothing else";
    EXPECT_EQ(scene.clips.size(), 1u);
    EXPECT_EQ(scene.clips[0].channels.size(), 2u);
}

TEST(RobustnessGltf, CutAnywhere)
{
    const std::string glb = everything().glb();
    const std::string gltf = everything().json(false);
    for (std::size_t size = 0; size < glb.size(); ++size)
        EXPECT_FALSE(load_safely("a.glb", glb.substr(0, size), small_limits())) << size;
    for (std::size_t size = 0; size < gltf.size(); size += 3)
        EXPECT_FALSE(load_safely("a.gltf", gltf.substr(0, size), small_limits())) << size;
}

TEST(RobustnessGltf, BytesFlipped)
{
    const std::string glb = everything().glb();
    std::mt19937 random(1);
    const auto count = static_cast<unsigned>(test::rounds(20'000));
    int loaded = 0;
    for (unsigned round = 0; round < count; ++round) {
        std::string broken = glb;
        for (unsigned n = 0; n <= round % 4u; ++n)
            broken[random() % broken.size()] = static_cast<char>(random());
        loaded += load_safely("a.glb", broken, small_limits());
    }
    EXPECT_GT(loaded, 0);
}

TEST(RobustnessGltf, EveryNumberReplaced)
{
    test::replace_numbers(everything().glb(), everything().json(true));
}

// The closing bracket of the value that opens at `at`; the text has no brackets in strings.
std::size_t closing(const std::string& text, std::size_t at)
{
    int depth = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == '{' || text[at] == '[') ++depth;
        if ((text[at] == '}' || text[at] == ']') && --depth == 0) return at;
    }
    return text.size();
}

TEST(RobustnessGltf, EveryMemberRenamedOrEmptied)
{
    const std::string glb = everything().glb();
    const std::string json = everything().json(true);
    for (std::size_t at = json.find("\":"); at != std::string::npos; at = json.find("\":", at + 1)) {
        std::string renamed = json;
        renamed[at - 1] = '_';
        load_safely("a.glb", with_json(glb, renamed), small_limits());
        if (json[at + 2] != '{' && json[at + 2] != '[') continue;
        const std::size_t end = closing(json, at + 2);
        for (const char* empty : {"{}", "[]", "[{}]", "[[]]", "null", "7"}) {
            const std::string emptied = json.substr(0, at + 2) + empty + json.substr(end + 1);
            load_safely("a.glb", with_json(glb, emptied), small_limits());
        }
    }
}

TEST(RobustnessGltf, TinyLimits)
{
    const std::string glb = everything().glb();
    const auto rejected = [&](auto Limits::* member, auto value) {
        Limits limits = small_limits();
        limits.*member = value;
        test::MemorySource source("a.glb", {{"a.glb", glb}});
        const auto scene = load_gltf(source, limits);
        EXPECT_FALSE(scene);
        return scene ? LoadErrc::internal : scene.error().code;
    };
    EXPECT_EQ(rejected(&Limits::file_bytes, 100u), LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected(&Limits::total_bytes, 100u), LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected(&Limits::vertices, 3u), LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected(&Limits::indices, 3u), LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected(&Limits::influences, 3u), LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected(&Limits::key_values, 3u), LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected(&Limits::morph_deltas, 2u), LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected(&Limits::nodes, 7u), LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected(&Limits::joints, 1u), LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected(&Limits::meshes, 1u), LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected(&Limits::materials, 0u), LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected(&Limits::images, 0u), LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected(&Limits::clips, 0u), LoadErrc::limit_exceeded);
    EXPECT_EQ(rejected(&Limits::depth, 3u), LoadErrc::limit_exceeded);
}

// Files of a few kilobytes that ask for much work. A hang ends at ctest's TIMEOUT.
TEST(RobustnessGltf, SmallFilesCannotAskForMuch)
{
    GltfBuilder zeros = test::triangle();
    const int huge = zeros.accessor_in(-1, 60'000'000, 5126, "VEC3");
    for (int n = 0; n < 100; ++n)
        zeros.mesh(fmt::format(R"("POSITION":{})", huge), R"(,"mode":0)");
    EXPECT_FALSE(load_safely("a.glb", zeros.glb(), small_limits()));

    std::string nested = R"({"asset":{"version":"2.0"},"extras":)";
    nested += std::string(100'000, '[') + std::string(100'000, ']') + "}";
    EXPECT_FALSE(load_safely("a.gltf", nested, small_limits()));

    std::string chain = R"({"asset":{"version":"2.0"},"meshes":[{}],"skins":[{"joints":[0]}],"nodes":[)";
    for (int n = 0; n < 50'000; ++n)
        chain += fmt::format(R"({{"children":[{}]}},)", n + 1);
    EXPECT_TRUE(load_safely("a.gltf", chain + "{}]}", small_limits()));
    EXPECT_FALSE(load_safely("a.gltf", chain + R"({"children":[0]}]})", small_limits()));

    std::string warnings = R"({"asset":{"version":"2.0"},"skins":[{"joints":[0]}],"nodes":[)";
    for (int n = 0; n < 50'000; ++n)
        warnings += R"({"rotation":[0,0,0,9]},)";
    EXPECT_TRUE(load_safely("a.gltf", warnings + "{}]}", small_limits()));
}

} // namespace
} // namespace vitrine
