// Files that violate the specification and are shown nevertheless: each fault is reported.

#include <fmt/format.h>

#include "tests/unit/gltf/reported_places.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::triangle;
using test::valid;
using test::Warnings;
using test::warnings_of;

// Of a clip with one channel of node 0 from these accessors.
struct Animated {
    GltfBuilder builder = triangle();
    int times = builder.accessor<float>({0, 1}, "SCALAR"); // accessor 2
    int vectors = builder.accessor<float>({0, 0, 0, 1, 1, 1}, "VEC3");

    scene::Scene move(const std::string& path, int input, int output,
                      const std::string& interpolation = "LINEAR", int node = 0)
    {
        builder.add(
            "animations",
            fmt::format(
                R"({{"samplers":[{{"input":{},"output":{},"interpolation":"{}"}}],"channels":[{{"sampler":0,"target":{{"node":{},"path":"{}"}}}}]}})",
                input, output, interpolation, node, path));
        return valid(builder.load_glb());
    }
};

TEST(GltfInvalid, KeysOfAnotherTypeAreIgnored)
{
    const Warnings left_out = {"invalid_channel at /animations/0/samplers/0", "empty_clip at /animations/0"};
    Animated turned;
    EXPECT_EQ(warnings_of(turned.move("rotation", turned.times, turned.vectors)), left_out);
    Animated moved;
    const int quaternions = moved.builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1}, "VEC4");
    EXPECT_EQ(warnings_of(moved.move("translation", moved.times, quaternions)), left_out);
    Animated timed;
    const int pairs = timed.builder.accessor<float>({0, 0, 1, 1}, "VEC2");
    EXPECT_EQ(warnings_of(timed.move("translation", pairs, timed.vectors)), left_out);
}

TEST(GltfInvalid, NonObjectListElements)
{
    GltfBuilder builder = triangle();
    builder.add("materials", R"("stone")");
    builder.add("materials", "null");
    EXPECT_EQ(warnings_of(valid(builder.load_glb())),
              (Warnings{"invalid_property at /materials/0", "invalid_property at /materials/1"}));
}

// Returns "code at place: detail" of the error.
std::string fault_of(const GltfBuilder& builder)
{
    const auto scene = builder.load_glb();
    return scene ? "it loads" : scene.error().where + ": " + scene.error().detail;
}

std::string fault_of(const std::string& list, const std::string& element)
{
    GltfBuilder builder = triangle();
    builder.add(list, element);
    return fault_of(builder);
}

TEST(GltfInvalid, ContainerOfAnotherType)
{
    EXPECT_EQ(fault_of("nodes", R"({"children":0})"),
              "/nodes/1/children: an array is expected, not a number");
    EXPECT_EQ(fault_of("scenes", R"({"nodes":"all"})"),
              "/scenes/0/nodes: an array is expected, not a string");
    const std::string mesh = R"({"primitives":[{"attributes":{"POSITION":0},"targets":)";
    EXPECT_EQ(fault_of("meshes", mesh + "[7]}]}"),
              "/meshes/1/primitives/0/targets/0: an object is expected, not a number");
    EXPECT_EQ(fault_of("meshes", mesh + "{}}]}"),
              "/meshes/1/primitives/0/targets: an array is expected, not an object");
    GltfBuilder word = triangle(), number = triangle();
    word.root(R"("extensionsRequired":"EXT_none")");
    EXPECT_EQ(fault_of(word), "/extensionsRequired: an array is expected, not a string");
    number.root(R"("extensionsRequired":[5])");
    EXPECT_EQ(fault_of(number), "/extensionsRequired/0: a string is expected");
}

TEST(GltfInvalid, NonFiniteWeights)
{
    GltfBuilder builder = triangle();
    builder.add(
        "meshes",
        R"({"primitives":[{"attributes":{"POSITION":0},"targets":[{"POSITION":0}]}],"weights":["1"]})");
    builder.add("nodes", R"({"mesh":1,"weights":[1e39]})");
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_EQ(warnings_of(scene), (Warnings{"invalid_property at /meshes/1/weights/0",
                                            "invalid_property at /nodes/1/weights/0"}));
    EXPECT_EQ(scene.nodes[1].morph_weights, (std::vector<float>{0.0f}));
}

TEST(GltfInvalid, NonObjectExtensions)
{
    for (const char* extensions : {R"("EXT_mesh_gpu_instancing")", "5", "[{}]"}) {
        GltfBuilder builder = triangle();
        builder.add("nodes", fmt::format(R"({{"mesh":0,"extensions":{}}})", extensions));
        EXPECT_EQ(warnings_of(valid(builder.load_glb())),
                  (Warnings{"invalid_property at /nodes/1/extensions"}));
    }
}

TEST(GltfInvalid, SparseIndicesWithASign)
{
    GltfBuilder builder = triangle();
    const int indices = builder.view(test::to_bytes<std::int8_t>({1}));
    const int values = builder.view(test::to_bytes<float>({3, 0, 0}));
    const int sparse = builder.accessor_in(
        -1, 3, 5126, "VEC3",
        fmt::format(R"(,"min":[0,0,0],"max":[3,0,0],"sparse":{{"count":1,"indices":{{"componentType":5120,)"
                    R"("bufferView":{}}},"values":{{"bufferView":{}}}}})",
                    indices, values));
    builder.mesh(fmt::format(R"("POSITION":{})", sparse));
    const Warnings warnings = warnings_of(valid(builder.load_glb()));
    EXPECT_EQ(std::ranges::count(warnings, "invalid_accessor at /accessors/2/sparse/indices"), 1);
}

TEST(GltfInvalid, UnknownInterpolation)
{
    Animated animated;
    animated.builder.add("animations",
                         fmt::format(R"({{"samplers":[{{"input":{},"output":{},"interpolation":)"
                                     R"(["STEP"]}}],"channels":[{{"sampler":0,"target":)"
                                     R"({{"node":0,"path":"translation"}}}}]}})",
                                     animated.times, animated.vectors));
    EXPECT_EQ(warnings_of(valid(animated.builder.load_glb())),
              (Warnings{"invalid_channel at /animations/0/channels/0", "empty_clip at /animations/0"}));
}

TEST(GltfInvalid, KeysOfForbiddenComponentTypes)
{
    Animated counted;
    const int whole_times =
        counted.builder.accessor<std::uint8_t>({0, 1}, "SCALAR", R"(,"min":[0],"max":[1])");
    const scene::Scene scene = counted.move("translation", whole_times, counted.vectors);
    EXPECT_EQ(warnings_of(scene), (Warnings{"invalid_accessor at /animations/0/samplers/0/input"}));
    EXPECT_EQ(scene.clips.at(0).duration, 1.0);
    Animated scaled;
    const int bytes = scaled.builder.accessor<std::uint8_t>({1, 1, 1, 2, 2, 2}, "VEC3");
    EXPECT_EQ(warnings_of(scaled.move("scale", scaled.times, bytes)),
              (Warnings{"invalid_accessor at /animations/0/samplers/0/output"}));
    Animated turned;
    const int shorts = turned.builder.accessor<std::int16_t>({0, 0, 0, 1, 0, 0, 0, 1}, "VEC4");
    EXPECT_EQ(warnings_of(turned.move("rotation", turned.times, shorts)),
              (Warnings{"invalid_accessor at /animations/0/samplers/0/output"}));
}

TEST(GltfInvalid, TimesBeforeZeroAndLonelyCurves)
{
    const Warnings keys = {"invalid_keys at /animations/0/samplers/0"};
    Animated early;
    const int before = early.builder.accessor<float>({-1, 1}, "SCALAR");
    EXPECT_EQ(warnings_of(early.move("translation", before, early.vectors)), keys);
    Animated curved;
    const int at = curved.builder.accessor<float>({0}, "SCALAR");
    const int tangents = curved.builder.accessor<float>({0, 0, 0, 1, 1, 1, 0, 0, 0}, "VEC3");
    EXPECT_EQ(warnings_of(curved.move("translation", at, tangents, "CUBICSPLINE")), keys);
}

TEST(GltfInvalid, MatrixIsNotToBeAnimated)
{
    Animated animated;
    animated.builder.add("nodes", R"({"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,5,0,0,1]})");
    const scene::Scene scene = animated.move("scale", animated.times, animated.vectors, "LINEAR", 1);
    EXPECT_EQ(warnings_of(scene), (Warnings{"animated_matrix at /nodes/1"}));
    EXPECT_EQ(scene.nodes[1].local.translation.x, 5.0f);
}

// The warnings of the triangle with further objects in its lists, as pairs of a list and an object.
Warnings warnings_with(const std::vector<std::pair<std::string, std::string>>& objects,
                       const std::string& root = {})
{
    GltfBuilder builder = triangle();
    for (const auto& [list, object] : objects)
        builder.add(list, object);
    if (!root.empty()) builder.root(root);
    return warnings_of(valid(builder.load_glb()));
}

TEST(GltfInvalid, DuplicateRootsAndChildren)
{
    const std::pair<std::string, std::string> parent = {"nodes", R"({"children":[0]})"};
    EXPECT_EQ(warnings_with({parent, {"scenes", R"({"nodes":[1,0]})"}}),
              (Warnings{"invalid_node at /scenes/0/nodes/1"}));
    EXPECT_EQ(warnings_with({parent, {"scenes", R"({"nodes":[1,1]})"}}),
              (Warnings{"invalid_node at /scenes/0/nodes/1"}));
    EXPECT_EQ(warnings_with({parent, {"scenes", R"({"nodes":[1]})"}, {"scenes", R"({"nodes":[1,7]})"}}),
              (Warnings{"invalid_node at /scenes/1/nodes/1"}))
        << "not the scene that is shown";
    EXPECT_EQ(warnings_with({parent, {"scenes", R"({"nodes":[1]})"}, {"scenes", R"({"nodes":[1]})"}}),
              Warnings());
    EXPECT_EQ(warnings_with({{"nodes", R"({"children":[0,0]})"}}),
              (Warnings{"invalid_node at /nodes/1/children/1"}));
    EXPECT_EQ(warnings_with({}, R"("scene":3)"), (Warnings{"invalid_property at /scene"}));
}

TEST(GltfInvalid, NodesThatContradictThemselves)
{
    const Warnings odd = {"invalid_node at /nodes/1"};
    const std::string matrix = R"("matrix":[1,0,0,0,0,1,0,0,0,0,1,0,5,0,0,1])";
    EXPECT_EQ(warnings_with({{"nodes", "{" + matrix + R"(,"scale":[2,2,2]})"}}), odd);
    EXPECT_EQ(warnings_with({{"nodes", "{" + matrix + "}"}}), Warnings());
    EXPECT_EQ(warnings_with({{"nodes", R"({"matrix":[1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1]})"}}), odd)
        << "skewed";
    EXPECT_EQ(warnings_with({{"nodes", R"({"weights":[1]})"}}), odd);
    EXPECT_EQ(warnings_with({{"nodes", R"({"camera":4})"}}),
              (Warnings{"invalid_property at /nodes/1/camera"}));
}

TEST(GltfInvalid, SkinsThatContradictThemselves)
{
    EXPECT_EQ(warnings_with({{"skins", R"({"joints":[0,0]})"}}), (Warnings{"invalid_skin at /skins/0"}));
    EXPECT_EQ(warnings_with({{"skins", R"({"joints":[0],"skeleton":9})"}}),
              (Warnings{"invalid_property at /skins/0/skeleton"}));
    EXPECT_EQ(warnings_with({{"skins", R"({"joints":[0],"skeleton":0})"}}), Warnings());
    EXPECT_EQ(warnings_with({{"skins", R"({"joints":[0]})"}, {"nodes", R"({"mesh":0,"skin":0})"}}),
              (Warnings{"invalid_skin at /nodes/1"}));
}

TEST(GltfInvalid, UnusedObjects)
{
    const auto accessor = [](const std::string& members) {
        return warnings_with(
            {{"accessors", R"({"count":3,"type":"SCALAR","componentType":)" + members + "}"}});
    };
    const Warnings odd = {"invalid_accessor at /accessors/2"};
    EXPECT_EQ(accessor("5126"), Warnings());
    EXPECT_EQ(accessor(R"(5126,"normalized":true)"), odd);
    EXPECT_EQ(accessor("5124"), odd);
    EXPECT_EQ(accessor(R"(5126,"byteOffset":4)"), odd);
    EXPECT_EQ(accessor(R"(5126,"bufferView":9)"), (Warnings{"invalid_property at /accessors/2/bufferView"}));
    EXPECT_EQ(accessor(R"(5126,"sparse":{"count":0})"),
              (Warnings{"invalid_accessor at /accessors/2/sparse"}));
    const Warnings view = {"invalid_accessor at /bufferViews/2"};
    EXPECT_EQ(warnings_with({{"bufferViews", R"({"buffer":0,"byteLength":0})"}}), view);
    EXPECT_EQ(warnings_with({{"bufferViews", R"({"buffer":0,"byteLength":12,"byteStride":6})"}}), view);
    EXPECT_EQ(warnings_with({{"textures", R"({"source":1})"}}),
              (Warnings{"invalid_property at /textures/0/source"}));
    EXPECT_EQ(warnings_with({{"textures", R"({"sampler":1})"}}),
              (Warnings{"invalid_property at /textures/0/sampler"}));
}

TEST(GltfInvalid, ExtensionsThatAreRequiredAndNotUsed)
{
    EXPECT_EQ(warnings_with({}, R"("extensionsRequired":["KHR_mesh_quantization"])"),
              (Warnings{"undeclared_extension at /extensionsRequired/0"}));
}

} // namespace
} // namespace vitrine
