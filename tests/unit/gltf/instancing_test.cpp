// EXT_mesh_gpu_instancing.

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "tests/unit/gltf/builder.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::node_named;
using test::triangle;
using test::valid;
using test::warned;
using Floats = std::vector<float>;

TEST(GltfInstancing, MakesChildren)
{
    GltfBuilder builder = triangle();
    const int translations = builder.accessor<float>({0, 0, 0, 5, 0, 0}, "VEC3");
    const int rotations =
        builder.accessor<std::int8_t>({0, 0, 0, 127, 0, 0, 127, 0}, "VEC4", R"(,"normalized":true)");
    builder.add("nodes", fmt::format(R"({{"name":"forest","mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":
        {{"attributes":{{"TRANSLATION":{},"ROTATION":{}}}}}}}}})",
                                     translations, rotations));
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_EQ(scene.nodes.size(), 4u);
    EXPECT_EQ(node_named(scene, "forest").mesh, scene::none);
    const scene::Node& second = node_named(scene, "forest[1]");
    EXPECT_EQ(second.mesh, 0u);
    EXPECT_EQ(second.local.translation, glm::vec3(5, 0, 0));
    EXPECT_EQ(second.local.rotation.z, 1.0f);
}

std::vector<glm::vec4> colors_of(GltfBuilder& builder, int colors)
{
    const int translations = builder.accessor<float>({0, 0, 0, 5, 0, 0}, "VEC3");
    builder.add("nodes", fmt::format(R"({{"name":"pair","mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":
        {{"attributes":{{"TRANSLATION":{},"_COLOR_0":{}}}}}}}}})",
                                     translations, colors));
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_EQ(node_named(scene, "pair").color, glm::vec4(1.0f));
    return {node_named(scene, "pair[0]").color, node_named(scene, "pair[1]").color};
}

TEST(GltfInstancing, InstancesHaveColors)
{
    using Colors = std::vector<glm::vec4>;
    GltfBuilder floats = triangle();
    EXPECT_EQ(colors_of(floats, floats.accessor<float>({1, 0, 0, 0.5f, 0, 2, 1, 1}, "VEC4")),
              (Colors{{1, 0, 0, 0.5f}, {0, 2, 1, 1}}));
    GltfBuilder rgb = triangle();
    EXPECT_EQ(colors_of(rgb, rgb.accessor<float>({0.25f, 0, 0, -1, 0.5f, 1}, "VEC3")),
              (Colors{{0.25f, 0, 0, 1}, {0, 0.5f, 1, 1}}))
        << "none below 0";
    GltfBuilder bytes = triangle();
    EXPECT_EQ(colors_of(bytes, bytes.accessor<std::uint8_t>({255, 0, 51, 255, 0, 255, 0, 0}, "VEC4",
                                                            R"(,"normalized":true)")),
              (Colors{{1, 0, 0.2f, 1}, {0, 1, 0, 0}}));
    GltfBuilder shorts = triangle();
    EXPECT_EQ(colors_of(shorts, shorts.accessor<std::uint16_t>({65535, 0, 13107, 0, 0, 65535, 0, 0}, "VEC3",
                                                               R"(,"normalized":true)"))[0],
              glm::vec4(1, 0, 0.2f, 1));
}

TEST(GltfInstancing, ColorsThatCannotBeReadLeaveInstancesWhite)
{
    for (const bool of_another_shape : {false, true}) {
        GltfBuilder builder = triangle();
        const int scalars = builder.accessor<float>({0, 0}, "SCALAR");
        const int translations = builder.accessor<float>({0, 0, 0, 5, 0, 0}, "VEC3");
        builder.add("nodes", fmt::format(R"({{"name":"pair","mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":
            {{"attributes":{{"TRANSLATION":{},"_COLOR_0":{}}}}}}}}})",
                                         translations, of_another_shape ? scalars : 99));
        const scene::Scene scene = valid(builder.load_glb());
        EXPECT_EQ(node_named(scene, "pair[1]").color, glm::vec4(1.0f));
        EXPECT_EQ(node_named(scene, "pair[1]").local.translation.x, 5.0f);
        EXPECT_TRUE(warned(scene, "invalid_attribute"));
    }
}

TEST(GltfInstancing, ColorsAloneCountInstances)
{
    GltfBuilder builder = triangle();
    const int colors = builder.accessor<float>({1, 0, 0, 0, 1, 0, 0, 0, 1}, "VEC3");
    builder.add("nodes", fmt::format(R"({{"name":"three","mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":
        {{"attributes":{{"_COLOR_0":{}}}}}}}}})",
                                     colors));
    EXPECT_EQ(node_named(valid(builder.load_glb()), "three[2]").color, glm::vec4(0, 0, 1, 1));
}

TEST(GltfInstancing, InstanceNamesAreCutToTheLimit)
{
    GltfBuilder builder = triangle();
    const int translations = builder.accessor<float>(Floats(3 * 5'000), "VEC3");
    builder.add("nodes", fmt::format(R"({{"name":"{}","mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":
        {{"attributes":{{"TRANSLATION":{}}}}}}}}})",
                                     std::string(100'000, 'n'), translations));
    const scene::Scene scene = valid(builder.load_glb());
    const auto& name = scene.nodes.back().name;
    EXPECT_LE(name.size(), 1'024u);
    EXPECT_TRUE(name.ends_with("nnn[4999]"));
}

TEST(GltfInstancing, NonFiniteInstanceTransformsAreIgnored)
{
    constexpr float infinite = std::numeric_limits<float>::infinity();
    GltfBuilder builder = triangle();
    const int scales = builder.accessor<float>({1, std::nanf(""), -infinite, 2, 2, 2}, "VEC3");
    const int rotations = builder.accessor<float>({infinite, 0, 0, 1, 0, 0, 0, 1}, "VEC4");
    builder.add("nodes", fmt::format(R"({{"name":"forest","mesh":0,"extensions":{{"EXT_mesh_gpu_instancing":
        {{"attributes":{{"SCALE":{},"ROTATION":{}}}}}}}}})",
                                     scales, rotations));
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_EQ(node_named(scene, "forest[0]").local.scale, glm::vec3(1, 0, 0));
    EXPECT_EQ(node_named(scene, "forest[0]").local.rotation.w, 1.0f);
    EXPECT_EQ(node_named(scene, "forest[1]").local.scale, glm::vec3(2));
    EXPECT_TRUE(warned(scene, "non_finite"));
}

// Node 1, "forest", draws a mesh of two targets twice; `more`: further members of the node.
GltfBuilder forest(const std::string& more = {})
{
    GltfBuilder builder = triangle();
    const int deltas = builder.accessor<float>({0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
    const int mesh = builder.add(
        "meshes",
        fmt::format(
            R"({{"primitives":[{{"attributes":{{"POSITION":0}},"targets":[{{"POSITION":{0}}},{{"POSITION":{0}}}]}}],"weights":[0.5,0.25]}})",
            deltas));
    const int places = builder.accessor<float>({0, 0, 0, 5, 0, 0}, "VEC3");
    builder.add(
        "nodes",
        fmt::format(
            R"({{"name":"forest","mesh":{},"extensions":{{"EXT_mesh_gpu_instancing":{{"attributes":{{"TRANSLATION":{}}}}}}}{}}})",
            mesh, places, more));
    return builder;
}

void animate(GltfBuilder& builder, const std::string& target, const Floats& values)
{
    const int times = builder.accessor<float>({0, 1}, "SCALAR");
    builder.add(
        "animations",
        fmt::format(R"({{"samplers":[{{"input":{},"output":{}}}],"channels":[{{"sampler":0,"target":{}}}]}})",
                    times, builder.accessor<float>(values, "SCALAR"), target));
}

TEST(GltfInstancing, WeightsOfANodeMoveAllItsInstances)
{
    GltfBuilder builder = forest();
    animate(builder, R"({"node":1,"path":"weights"})", {0, 0, 1, 2});
    const scene::Scene scene = valid(builder.load_glb());
    ASSERT_EQ(scene.clips.at(0).channels.size(), 2u);
    for (std::size_t n = 0; n < 2; ++n) {
        const scene::Channel& channel = scene.clips[0].channels[n];
        EXPECT_EQ(scene.nodes[channel.node].name, fmt::format("forest[{}]", n));
        EXPECT_EQ(channel.values, (Floats{0, 0, 1, 2}));
    }
    EXPECT_FALSE(warned(scene, "invalid_channel"));
}

TEST(GltfInstancing, PointerToOneWeightMovesAllInstances)
{
    GltfBuilder builder = forest(R"(,"weights":[3,4])");
    animate(builder,
            R"({"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/nodes/1/weights/1"}}})",
            {0, 7});
    const scene::Scene scene = valid(builder.load_glb());
    ASSERT_EQ(scene.clips.at(0).channels.size(), 2u);
    for (const scene::Channel& channel : scene.clips[0].channels)
        EXPECT_EQ(channel.values, (Floats{3, 0, 3, 7}));
    EXPECT_NE(scene.clips[0].channels[0].node, scene.clips[0].channels[1].node);
}

TEST(GltfInstancing, WeightsOfANodeWithoutAMeshAreReported)
{
    GltfBuilder builder = forest();
    builder.add("nodes", "{}");
    animate(builder, R"({"node":2,"path":"weights"})", {0, 0, 1, 2});
    EXPECT_TRUE(warned(valid(builder.load_glb()), "invalid_channel"));
}

// The positions of a triangle's instances with these attributes, and whether there was a warning.
struct DrawnInstances {
    std::vector<glm::vec3> places;
    bool warned = false;
};

DrawnInstances drawn(const std::string& attributes)
{
    GltfBuilder builder = triangle();
    builder.accessor<std::uint16_t>({7, 0, 8, 0, 9, 0}, "VEC2");
    builder.accessor<float>({1, 2, 3, 4, 5, 6}, "VEC3");
    builder.add("nodes", R"({"name":"forest","mesh":0,"extensions":{"EXT_mesh_gpu_instancing":{)" +
                             attributes + "}}}");
    const scene::Scene scene = valid(builder.load_glb());
    DrawnInstances out{{}, warned(scene, "invalid_attribute")};
    for (const scene::Node& node : scene.nodes)
        if (node.mesh == 0 && node.parent != scene::none) out.places.push_back(node.local.translation);
    return out;
}

TEST(GltfInstancing, UnusedAttributesAreCounted)
{
    const DrawnInstances numbered = drawn(R"("attributes":{"_ID":2})");
    EXPECT_EQ(numbered.places, (std::vector<glm::vec3>(3)));
    EXPECT_FALSE(numbered.warned);
}

TEST(GltfInstancing, WithoutACountTheMeshIsDrawnOnce)
{
    for (const char* attributes : {R"("attributes":{})", "", R"("attributes":{"_ID":99})"}) {
        const DrawnInstances once = drawn(attributes);
        EXPECT_EQ(once.places, (std::vector<glm::vec3>(1))) << attributes;
        EXPECT_TRUE(once.warned) << attributes;
    }
}

TEST(GltfInstancing, AttributesOfDifferentLengthsAreReported)
{
    const DrawnInstances placed = drawn(R"("attributes":{"_ID":2,"TRANSLATION":3})");
    EXPECT_EQ(placed.places, (std::vector<glm::vec3>{{1, 2, 3}, {4, 5, 6}}));
    EXPECT_TRUE(placed.warned);
    EXPECT_FALSE(drawn(R"("attributes":{"TRANSLATION":3})").warned);
}

} // namespace
} // namespace vitrine
