#include "tests/unit/gltf/builder.hpp"

namespace vitrine {
namespace {

using test::load_text;
using test::triangle;
using test::valid;
using test::warned;

std::string u32(std::uint32_t value)
{
    return std::string(reinterpret_cast<const char*>(&value), 4);
}

LoadResult<scene::Scene> load_bytes(std::string bytes)
{
    test::MemorySource source("model.glb", {{"model.glb", std::move(bytes)}});
    return load_gltf(source, {});
}

void set_u32(std::string& bytes, std::size_t at, std::uint32_t value)
{
    bytes.replace(at, 4, u32(value));
}

TEST(GltfDocument, GlbAndGltfGiveEqualScenes)
{
    const scene::Scene glb = valid(triangle().load_glb());
    const scene::Scene gltf = valid(triangle().load_gltf());
    EXPECT_EQ(glb.format, "glb");
    EXPECT_EQ(gltf.format, "gltf");
    EXPECT_EQ(glb.generator, "by hand");
    ASSERT_EQ(glb.meshes.size(), 1u);
    EXPECT_EQ(glb.meshes[0].positions, gltf.meshes[0].positions);
    EXPECT_EQ(glb.source_vertices, 3u);
    EXPECT_EQ(glb.source_polygons, 1u);
    EXPECT_TRUE(glb.warnings.empty());
    EXPECT_TRUE(gltf.warnings.empty());
}

TEST(GltfDocument, CamerasAreAWarning)
{
    const auto scene = valid(load_text(R"({"asset": {"version": "2.0"}, "cameras": [{"type": "perspective",
        "perspective": {"yfov": 1, "znear": 0.1}}], "nodes": [{"camera": 0}], "scenes": [{"nodes": [0]}]})"));
    ASSERT_EQ(scene.warnings.size(), 1u);
    EXPECT_EQ(scene.warnings[0].code, "cameras_ignored");
    EXPECT_EQ(scene.warnings[0].where, "/cameras");
}

TEST(GltfDocument, IgnoresUnknownChunksZeroPaddingAndTrailingBytes)
{
    std::string bytes = triangle().glb();
    bytes += u32(4) + "XYZ!" + "data";
    set_u32(bytes, 8, static_cast<std::uint32_t>(bytes.size()));
    EXPECT_TRUE(valid(load_bytes(bytes)).warnings.empty());
    EXPECT_TRUE(warned(valid(load_bytes(bytes + "tail")), "trailing_bytes"));
    const std::size_t json_end = 20 + std::string(triangle().json(true)).size();
    std::string zero_padded = triangle().glb();
    for (std::size_t at = json_end; at % 4 != 0; ++at)
        zero_padded[at] = '\0';
    valid(load_bytes(zero_padded));
}

TEST(GltfDocument, BrokenGlbIsRejected)
{
    const std::string good = triangle().glb();
    EXPECT_EQ(load_bytes(good.substr(0, 10)).error().code, LoadErrc::truncated);
    EXPECT_EQ(load_bytes(good.substr(0, good.size() - 4)).error().code, LoadErrc::truncated);
    std::string bytes = good;
    set_u32(bytes, 4, 1);
    EXPECT_EQ(load_bytes(bytes).error().code, LoadErrc::unsupported);
    bytes = good;
    set_u32(bytes, 12, 0xFFFFFFFF);
    EXPECT_EQ(load_bytes(bytes).error().code, LoadErrc::truncated);
    bytes = good;
    bytes.replace(16, 4, "NOPE");
    EXPECT_EQ(load_bytes(bytes).error().code, LoadErrc::malformed);
    EXPECT_EQ(load_bytes("glTF" + u32(2) + u32(12)).error().code, LoadErrc::malformed);
}

TEST(GltfDocument, OtherVersionsAreRejectedAsSuch)
{
    const auto one = load_text(R"({"asset":{"version":"1.0"},"meshes":{},"nodes":{}})");
    EXPECT_EQ(one.error().code, LoadErrc::unsupported);
    EXPECT_NE(one.error().detail.find("1.0"), std::string::npos);
    for (const std::string list : {"nodes", "meshes"}) {
        const auto two = load_text(R"({"asset":{"version":"2.0"},")" + list + R"(":{}})");
        EXPECT_EQ(two.error().code, LoadErrc::malformed);
        EXPECT_EQ(two.error().where, "/" + list);
    }
    EXPECT_EQ(load_text(R"({"asset":{"version":"3.0"}})").error().code, LoadErrc::unsupported);
    EXPECT_EQ(load_text(R"({"asset":{"version":"2.0","minVersion":"2.1"}})").error().code,
              LoadErrc::unsupported);
    EXPECT_EQ(load_text(R"({"meshes":[]})").error().code, LoadErrc::malformed);
    EXPECT_EQ(load_text("[]").error().code, LoadErrc::malformed);
}

TEST(GltfDocument, FileWithoutVisibleMeshLoads)
{
    const scene::Scene bare = valid(load_text(R"({"asset":{"version":"2.0","generator":"none"}})"));
    EXPECT_EQ(bare.generator, "none");
    EXPECT_TRUE(bare.nodes.empty() && bare.meshes.empty() && bare.clips.empty());
    const scene::Scene library = valid(
        load_text(R"({"asset":{"version":"2.0"},"materials":[{"name":"Gold"}],"nodes":[{"name":"eye"}]})"));
    EXPECT_EQ(library.materials.at(0).name, "Gold");
    EXPECT_EQ(library.nodes.size(), 1u);
}

// Some writers write every list.
TEST(GltfDocument, AcceptsEmptyLists)
{
    const auto is_animation_only = [](std::string_view text) {
        return is_animation_only_gltf(std::as_bytes(std::span(text)));
    };
    EXPECT_TRUE(is_animation_only(R"({"animations":[{}]})"));
    EXPECT_TRUE(is_animation_only(R"({"meshes":[],"animations":[{}],"skins":[]})"));
    EXPECT_TRUE(is_animation_only("{\"meshes\" : [\n\t],\"animations\": [ {}]}"));
    EXPECT_TRUE(is_animation_only(R"({"nodes":[{"name":"meshes"}],"animations":[{}]})"));
    EXPECT_FALSE(is_animation_only(R"({"meshes":[{}],"animations":[{}]})"));
    EXPECT_FALSE(is_animation_only(R"({"meshes":[],"animations":[]})"));
    EXPECT_FALSE(is_animation_only(R"({"meshes":[]})"));
    EXPECT_FALSE(is_animation_only(R"({"animations":)"));
}

TEST(GltfDocument, RequiredExtensionsAreRejectedByName)
{
    test::GltfBuilder builder = triangle();
    builder.root(
        R"("extensionsUsed":["ACME_gizmo","KHR_materials_unlit"],"extensionsRequired":["KHR_materials_unlit","ACME_gizmo"])");
    const auto rejected = builder.load_glb();
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().code, LoadErrc::unsupported);
    EXPECT_EQ(rejected.error().where, "/extensionsRequired/1");
    EXPECT_NE(rejected.error().detail.find("ACME_gizmo"), std::string::npos);
}

TEST(GltfDocument, OptionalExtensionsAreReportedOnce)
{
    test::GltfBuilder builder = triangle();
    builder.root(
        R"("extensionsUsed":["ACME_gizmo","ACME_gizmo","KHR_lights_punctual","KHR_materials_unlit"])");
    const scene::Scene scene = valid(builder.load_glb());
    ASSERT_EQ(scene.warnings.size(), 2u);
    EXPECT_EQ(scene.warnings[0].code, "extension_unknown");
    EXPECT_EQ(scene.warnings[1].code, "extension_ignored");
}

TEST(GltfDocument, UndeclaredExtensionsAreReported)
{
    const scene::Scene scene = valid(load_text(
        R"({"asset":{"version":"2.0"},"extensionsUsed":["KHR_materials_volume"],"extensions":{"ACME_sky":{}},
            "materials":[{"extensions":{"KHR_materials_volume":{},"KHR_materials_unlit":{}}},
                         {"extensions":{"KHR_materials_transmission":{}}},
                         {"extensions":{"KHR_materials_transmission":{}}}]})"));
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"extension_approximated", "/extensionsUsed/0"},
        {"undeclared_extension", "/extensions/ACME_sky"},
        {"extension_unknown", "/extensions/ACME_sky"},
        {"undeclared_extension", "/materials/0/extensions/KHR_materials_unlit"},
        {"undeclared_extension", "/materials/1/extensions/KHR_materials_transmission"},
        {"extension_approximated", "/materials/1/extensions/KHR_materials_transmission"}};
    std::vector<std::pair<std::string, std::string>> found;
    for (const scene::Warning& warning : scene.warnings)
        found.emplace_back(warning.code, warning.where);
    EXPECT_EQ(found, expected);
}

TEST(GltfDocument, HalfOfASurrogatePairInANameIsReplaced)
{
    test::GltfBuilder builder = triangle();
    builder.add("nodes", R"({"name":"\ud800 x"})");
    const scene::Scene scene = valid(builder.load_gltf());
    EXPECT_EQ(scene.nodes[1].name, "\uFFFD x");
    ASSERT_EQ(scene.warnings.size(), 1u);
    EXPECT_EQ(scene.warnings[0].code, "lone_surrogate");
    const std::size_t at = builder.json(false).find("\\ud800");
    EXPECT_EQ(scene.warnings[0].where, "byte " + std::to_string(at));
}

TEST(GltfDocument, BuffersComeFromFilesBesideIt)
{
    const std::string json = R"({"asset":{"version":"2.0"},"buffers":[{"uri":"a%20b.bin","byteLength":36}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"nodes":[{"mesh":0}],
        "accessors":[{"bufferView":0,"count":3,"type":"VEC3","componentType":5126,"min":[0,0,0],"max":[2,2,0]}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]})";
    const std::string body = test::to_bytes<float>({0, 0, 0, 2, 0, 0, 0, 2, 0});
    EXPECT_EQ(valid(load_text(json, {{"a b.bin", body}})).meshes[0].positions[1].x, 2.0f);
    EXPECT_TRUE(valid(load_text(json, {{"a%20b.bin", body}})).warnings.empty());
    EXPECT_TRUE(warned(valid(load_text(json, {{"sub/A B.bin", body}})), "found_elsewhere"));
    EXPECT_EQ(load_text(json).error().code, LoadErrc::missing_file);
    EXPECT_EQ(load_text(json, {{"a b.bin", body.substr(0, 30)}}).error().code, LoadErrc::out_of_range);
    Limits limits;
    limits.file_bytes = 35;
    EXPECT_EQ(load_text(json, {{"a b.bin", body}}, limits).error().code, LoadErrc::limit_exceeded);
}

TEST(GltfDocument, BufferOfFewerBytesThanDeclaredIsReported)
{
    const auto loaded = [](int declared) {
        const std::string json = R"({"asset":{"version":"2.0"},"buffers":[{"uri":"a.bin","byteLength":)" +
                                 std::to_string(declared) + R"(}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"nodes":[{"mesh":0}],
        "accessors":[{"bufferView":0,"count":3,"type":"VEC3","componentType":5126,"min":[0,0,0],"max":[2,2,0]}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]})";
        return valid(load_text(json, {{"a.bin", test::to_bytes<float>({0, 0, 0, 2, 0, 0, 0, 2, 0})}}));
    };
    const scene::Scene scene = loaded(40);
    EXPECT_TRUE(warned(scene, "short_buffer"));
    EXPECT_EQ(scene.meshes.at(0).positions.at(1).x, 2.0f) << "the view has its bytes";
    EXPECT_FALSE(warned(loaded(36), "short_buffer"));
}

TEST(GltfDocument, OutsideUrisAreNotFollowed)
{
    for (const char* uri :
         {"http://example.org/a.bin", "../../etc/passwd", "/etc/passwd", "file:///etc/passwd"}) {
        const std::string json =
            std::string(R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":")") + uri +
            R"("}],"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,
            "count":3,"type":"VEC3","componentType":5126}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]})";
        EXPECT_EQ(load_text(json).error().code, LoadErrc::missing_file) << uri;
    }
}

} // namespace
} // namespace vitrine
