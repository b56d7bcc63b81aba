// Indices and vertex attributes that violate the specification.

#include <fmt/format.h>

#include "tests/unit/gltf/reported_places.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::triangle;
using test::valid;
using test::Warnings;
using test::warnings_of;

// A mesh of one primitive with positions and these further attributes and members.
struct OnePrimitive {
    GltfBuilder builder = triangle();

    Warnings warnings_with(const std::string& attributes, const std::string& more = {})
    {
        const int mesh = builder.mesh(R"("POSITION":0,"NORMAL":1)" + attributes, more);
        builder.add("nodes", fmt::format(R"({{"mesh":{}}})", mesh));
        return warnings_of(valid(builder.load_glb()));
    }
};

template <class T>
Warnings warnings_of_indices(const std::string& more = {})
{
    OnePrimitive drawn;
    const int indices = drawn.builder.accessor<T>({0, 1, 2}, "SCALAR", more);
    return drawn.warnings_with("", fmt::format(R"(,"indices":{})", indices));
}

TEST(GltfInvalid, IndicesOfForbiddenTypes)
{
    const Warnings odd = {"invalid_accessor at /meshes/1/primitives/0/indices"};
    EXPECT_EQ(warnings_of_indices<float>(), odd);
    EXPECT_EQ(warnings_of_indices<std::int16_t>(), odd);
    EXPECT_EQ(warnings_of_indices<std::int8_t>(), odd);
    EXPECT_EQ(warnings_of_indices<std::uint16_t>(R"(,"normalized":true)"), odd);
    EXPECT_EQ(warnings_of_indices<std::uint8_t>(), Warnings());
    EXPECT_EQ(warnings_of_indices<std::uint32_t>(), Warnings());
}

template <class Joint, class Weight>
Warnings warnings_of_skin(Weight one, const std::string& of_joints = {}, const std::string& of_weights = {},
                          int set = 0)
{
    OnePrimitive drawn;
    const int joints = drawn.builder.accessor<Joint>(std::vector<Joint>(12), "VEC4", of_joints);
    const int weights =
        drawn.builder.accessor<Weight>({one, 0, 0, 0, one, 0, 0, 0, one, 0, 0, 0}, "VEC4", of_weights);
    return drawn.warnings_with(fmt::format(R"(,"JOINTS_{0}":{1},"WEIGHTS_{0}":{2})", set, joints, weights));
}

TEST(GltfInvalid, SkinWeightsOfForbiddenTypes)
{
    const std::string attributes = "/meshes/1/primitives/0/attributes";
    const Warnings joints = {"invalid_accessor at " + attributes + "/JOINTS_0"};
    const Warnings weights = {"invalid_accessor at " + attributes + "/WEIGHTS_0"};
    const std::string normalized = R"(,"normalized":true)";
    EXPECT_EQ((warnings_of_skin<float>(1.0f)), joints);
    EXPECT_EQ((warnings_of_skin<std::uint32_t>(1.0f)), joints);
    EXPECT_EQ((warnings_of_skin<std::uint8_t>(1.0f, normalized)), joints);
    EXPECT_EQ((warnings_of_skin<std::uint8_t>(std::int8_t{127}, {}, normalized)), weights);
    EXPECT_EQ((warnings_of_skin<std::uint8_t>(std::uint8_t{1})), weights);
    EXPECT_EQ((warnings_of_skin<std::uint16_t>(std::uint8_t{255}, {}, normalized)), Warnings());
    EXPECT_EQ((warnings_of_skin<std::uint8_t>(1.0f, {}, {}, 1)),
              (Warnings{"invalid_attribute at " + attributes}));
}

TEST(GltfInvalid, QuantizedAttributesNeedTheirExtension)
{
    const auto warnings_of_shorts = [](bool announced) {
        GltfBuilder builder = triangle();
        const int shorts =
            builder.view(test::to_bytes<std::int16_t>({0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}), 8);
        const int positions = builder.accessor_in(shorts, 3, 5122, "VEC3", R"(,"min":[0,0,0],"max":[1,1,0])");
        builder.add("nodes",
                    fmt::format(R"({{"mesh":{}}})",
                                builder.mesh(fmt::format(R"("POSITION":{},"NORMAL":1)", positions))));
        if (announced) builder.add("extensionsUsed", R"("KHR_mesh_quantization")");
        return warnings_of(valid(builder.load_glb()));
    };
    EXPECT_EQ(warnings_of_shorts(false),
              (Warnings{"invalid_accessor at /meshes/1/primitives/0/attributes/POSITION"}));
    EXPECT_EQ(warnings_of_shorts(true), Warnings());
}

TEST(GltfInvalid, ByteTextureCoordinatesAreRejected)
{
    OnePrimitive drawn;
    const int bytes =
        drawn.builder.accessor_in(drawn.builder.view(std::string(12, '\0'), 4), 3, 5121, "VEC2");
    EXPECT_EQ(drawn.warnings_with(fmt::format(R"(,"TEXCOORD_0":{})", bytes)),
              (Warnings{"invalid_accessor at /meshes/1/primitives/0/attributes/TEXCOORD_0"}));
}

TEST(GltfInvalid, AttributesWithoutBoundsOrOfNoName)
{
    OnePrimitive unbounded;
    const int deltas =
        unbounded.builder.accessor_in(unbounded.builder.view(std::string(36, '\0')), 3, 5126, "VEC3");
    const std::string primitive = "/meshes/1/primitives/0/";
    EXPECT_EQ(unbounded.warnings_with("", fmt::format(R"(,"targets":[{{"POSITION":{}}}])", deltas)),
              (Warnings{"missing_bounds at " + primitive + "targets/0/POSITION"}));
    EXPECT_EQ(OnePrimitive().warnings_with(R"(,"COLOR":1)"),
              (Warnings{"invalid_attribute at " + primitive + "attributes/COLOR"}));
    EXPECT_EQ(OnePrimitive().warnings_with(R"(,"_COLOR":1)"), Warnings());
    OnePrimitive apart;
    const int view = apart.builder.view(std::string(12, '\0'), 4);
    EXPECT_EQ(apart.warnings_with(
                  "", fmt::format(R"(,"indices":{})", apart.builder.accessor_in(view, 3, 5121, "SCALAR"))),
              (Warnings{"invalid_accessor at " + primitive + "indices"}));
}

} // namespace
} // namespace vitrine
