// KHR_animation_pointer.

#include <fmt/format.h>

#include "tests/unit/gltf/builder.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::triangle;
using test::valid;
using test::warned;
using Floats = std::vector<float>;

TEST(GltfPointer, PointersThatNameNodes)
{
    GltfBuilder builder = triangle();
    const int times = builder.accessor<float>({0, 1}, "SCALAR");
    const int values = builder.accessor<float>({0, 0, 0, 1, 1, 1}, "VEC3");
    const auto pointer = [](const char* to) {
        return fmt::format(
            R"({{"sampler":0,"target":{{"path":"pointer","extensions":{{"KHR_animation_pointer":
            {{"pointer":"{}"}}}}}}}})",
            to);
    };
    builder.add("animations",
                fmt::format(R"({{"samplers":[{{"input":{},"output":{}}}],"channels":[{},{},{},{}]}})", times,
                            values, pointer("/nodes/0/scale"), pointer("/nodes/9/scale"),
                            pointer("/nodes/-1/scale"), pointer("/materials/0/emissiveFactor")));
    const scene::Scene scene = valid(builder.load_glb());
    ASSERT_EQ(scene.clips.at(0).channels.size(), 1u);
    EXPECT_EQ(scene.clips[0].channels[0].path, scene::Path::scale);
    EXPECT_TRUE(warned(scene, "unsupported_animation"));
}

TEST(GltfPointer, AnimationPointerExtensionIsNotReported)
{
    GltfBuilder builder = triangle();
    const int times = builder.accessor<float>({0, 1}, "SCALAR");
    const int values = builder.accessor<float>({0, 0, 0, 1, 1, 1}, "VEC3");
    const std::string pointer = R"("KHR_animation_pointer":{"pointer":"/nodes/0/scale"})";
    builder.add("extensionsUsed", R"("KHR_animation_pointer")");
    builder.add(
        "animations",
        fmt::format(
            R"({{"samplers":[{{"input":{},"output":{}}}],"channels":[{{"sampler":0,"target":{{"path":"pointer","extensions":{{{}}}}}}}]}})",
            times, values, pointer));
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_EQ(scene.clips.at(0).channels.size(), 1u);
    EXPECT_TRUE(scene.warnings.empty()) << scene.warnings[0].message;
}

// Two nodes show a mesh of three targets, the second with its own weights.
GltfBuilder three_targets()
{
    GltfBuilder builder = triangle();
    const int deltas = builder.accessor<float>({0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
    const std::string target = fmt::format(R"({{"POSITION":{}}})", deltas);
    builder.add("meshes",
                fmt::format(R"({{"primitives":[{{"attributes":{{"POSITION":0}},"targets":[{0},{0},{0}]}}],
                                      "weights":[0.25,0.5,0.75]}})",
                            target));
    builder.add("nodes", R"({"mesh":1})");
    builder.add("nodes", R"({"mesh":1,"weights":[1,1,1]})");
    return builder;
}

struct PointedKeys {
    std::string pointer;
    std::vector<float> times, values;
    std::string interpolation = "LINEAR";
};

scene::Scene pointed(const std::vector<PointedKeys>& keys)
{
    GltfBuilder builder = three_targets();
    std::string samplers, channels;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        samplers += fmt::format(R"({}{{"input":{},"output":{},"interpolation":"{}"}})", i > 0 ? "," : "",
                                builder.accessor<float>(keys[i].times, "SCALAR"),
                                builder.accessor<float>(keys[i].values, "SCALAR"), keys[i].interpolation);
        channels += fmt::format(
            R"({}{{"sampler":{},"target":{{"path":"pointer","extensions":{{"KHR_animation_pointer":{{"pointer":"{}"}}}}}}}})",
            i > 0 ? "," : "", i, keys[i].pointer);
    }
    builder.add("animations", R"({"samplers":[)" + samplers + R"(],"channels":[)" + channels + "]}");
    return valid(builder.load_glb());
}

TEST(GltfPointer, PointerToAMeshMovesItsNodes)
{
    const scene::Scene scene = pointed({{"/meshes/1/weights", {0, 1}, {0, 0, 0, 1, 2, 3}}});
    ASSERT_EQ(scene.clips.at(0).channels.size(), 1u) << "the last node has weights of its own";
    const scene::Channel& channel = scene.clips[0].channels[0];
    EXPECT_EQ(scene.nodes[channel.node].mesh, 1u);
    EXPECT_TRUE(scene.nodes[channel.node].morph_weights.empty());
    EXPECT_EQ(channel.values, (Floats{0, 0, 0, 1, 2, 3}));
}

TEST(GltfPointer, PointersToSingleWeightsAreJoined)
{
    const scene::Scene scene =
        pointed({{"/meshes/1/weights/0", {0, 2}, {0, 1}}, {"/meshes/1/weights/2", {1, 3}, {0, 8}}});
    ASSERT_EQ(scene.clips.at(0).channels.size(), 1u);
    const scene::Channel& channel = scene.clips[0].channels[0];
    EXPECT_EQ(channel.times, (Floats{0, 1, 2, 3}));
    EXPECT_EQ(channel.values, (Floats{0, 0.5f, 0, 0.5f, 0.5f, 0, 1, 0.5f, 4, 1, 0.5f, 8}));
    const scene::Scene curves = pointed({{"/nodes/1/weights/0", {0, 1}, {1, 2, 3, 4, 5, 6}, "CUBICSPLINE"},
                                         {"/nodes/1/weights/1", {0, 1}, {7, 8, 9, 7, 8, 9}, "CUBICSPLINE"}});
    EXPECT_EQ(curves.clips.at(0).channels.at(0).values,
              (Floats{1, 7, 0, 2, 8, 0.75f, 3, 9, 0, 4, 7, 0, 5, 8, 0.75f, 6, 9, 0}));
}

TEST(GltfPointer, MissingWeightPointersAreReported)
{
    EXPECT_TRUE(warned(pointed({{"/nodes/1/weights/3", {0, 1}, {0, 1}}}), "invalid_channel"));
    EXPECT_TRUE(warned(pointed({{"/nodes/99/weights", {0, 1}, {0, 1}}}), "invalid_channel"));
    EXPECT_TRUE(
        warned(pointed({{"/meshes/1/weights/0", {0, 1}, {0, 1}}, {"/meshes/1/weights/0", {0, 1}, {0, 1}}}),
               "invalid_channel"));
    EXPECT_TRUE(warned(pointed({{"/nodes/0/weights", {0, 1}, {0, 1}}}), "invalid_channel"));
    EXPECT_TRUE(warned(pointed({{"/nodes/1/weights/0/1", {0, 1}, {0, 1}}}), "unsupported_animation"));
    EXPECT_TRUE(warned(pointed({{"/meshes/1/name", {0, 1}, {0, 1}}}), "unsupported_animation"));
    EXPECT_TRUE(warned(
        pointed({{"/nodes/1/weights/0", {0, 1}, {0, 1}}, {"/nodes/1/weights/1", {0, 1}, {0, 1}, "STEP"}}),
        "unsupported_animation"));
}

constexpr const char* visible = "/nodes/{}/extensions/KHR_node_visibility/visible";

// Nodes 3 to 5: a node that is hidden in the static pose, its child that shows the mesh, and that mesh with a
// skin.
scene::Scene hiding(const std::string& interpolation = "STEP")
{
    GltfBuilder builder = three_targets();
    builder.add(
        "nodes",
        R"({"name":"above","children":[4,5],"extensions":{"KHR_node_visibility":{"visible":false}}})");
    builder.add("nodes", R"({"name":"shown","mesh":1,"weights":[1,2,3],"scale":[5,5,5]})");
    builder.add("nodes", R"({"name":"skinned","mesh":1,"skin":0})");
    builder.add("skins", R"({"joints":[0]})");
    const int times = builder.accessor<float>({0, 1, 2}, "SCALAR");
    const int late = builder.accessor<float>({1.5f}, "SCALAR");
    const int on_off_on = builder.accessor<std::uint8_t>({1, 0, 1}, "SCALAR");
    const int half_past = builder.accessor<float>({0.5f, 1.5f}, "SCALAR");
    const int off = builder.accessor<std::uint8_t>({1, 0}, "SCALAR");
    const int weights = builder.accessor<float>({7, 8, 9}, "SCALAR");
    const auto pointer = [](int sampler, int node) {
        return fmt::format(
            R"({{"sampler":{},"target":{{"path":"pointer","extensions":{{"KHR_animation_pointer":{{"pointer":"{}"}}}}}}}})",
            sampler, fmt::format(fmt::runtime(visible), node));
    };
    const auto sampler = [&](int input, int output) {
        return fmt::format(R"({{"input":{},"output":{},"interpolation":"{}"}})", input, output,
                           interpolation);
    };
    builder.add("animations", R"({"samplers":[)" + sampler(times, on_off_on) + "," + sampler(half_past, off) +
                                  R"(],"channels":[)" + pointer(0, 3) + "," + pointer(1, 4) + "]}");
    builder.add("animations", R"({"samplers":[)" + sampler(late, weights) +
                                  R"(],"channels":[{"sampler":0,"target":{"node":4,"path":"weights"}}]})");
    return valid(builder.load_glb());
}

const scene::Channel* scaling(const scene::Scene& scene, std::size_t clip, const std::string& node)
{
    for (const scene::Channel& channel : scene.clips.at(clip).channels)
        if (channel.path == scene::Path::scale && scene.nodes[channel.node].name == node) return &channel;
    return nullptr;
}

TEST(GltfPointer, NodesAreHiddenForAWhile)
{
    const scene::Scene scene = hiding();
    const scene::Channel* steps = scaling(scene, 0, "shown.visibility");
    ASSERT_NE(steps, nullptr);
    EXPECT_EQ(steps->interpolation, scene::Interpolation::step);
    EXPECT_EQ(steps->times, (Floats{0, 0.5f, 1, 1.5f, 2}));
    EXPECT_EQ(steps->values, (Floats{1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(scene.clips[0].duration, 2.0);
    const scene::Node& drawn = scene.nodes[steps->node];
    EXPECT_EQ(drawn.mesh, 1u);
    EXPECT_EQ(drawn.morph_weights, (Floats{1, 2, 3}));
    EXPECT_TRUE(drawn.visible);
    EXPECT_EQ(scene.nodes[drawn.parent].name, "shown");
    EXPECT_EQ(scene.nodes[drawn.parent].mesh, scene::none);
    EXPECT_TRUE(warned(scene, "unsupported_animation")) << "of the skin";
}

TEST(GltfPointer, NodesShownByAnotherClipAreHiddenInTheStaticPose)
{
    const scene::Scene scene = hiding();
    const scene::Channel* rest = scaling(scene, 1, "shown.visibility");
    ASSERT_NE(rest, nullptr);
    EXPECT_EQ(rest->values, (Floats{0, 0, 0}));
    const scene::Channel& weights = scene.clips[1].channels.at(0);
    EXPECT_EQ(weights.path, scene::Path::weights);
    EXPECT_EQ(weights.node, rest->node) << "the mesh moved on";
}

TEST(GltfPointer, VisibilityCanOnlyStep)
{
    const scene::Scene scene = hiding("LINEAR");
    EXPECT_TRUE(warned(scene, "invalid_channel"));
    EXPECT_EQ(scaling(scene, 0, "shown.visibility"), nullptr);
}

} // namespace
} // namespace vitrine
