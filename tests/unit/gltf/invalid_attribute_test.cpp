// Indices and vertex attributes that violate the specification.

#include <fmt/format.h>

#include "tests/unit/gltf/reported_places.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::told;
using test::Told;
using test::triangle;
using test::valid;

// A mesh of one primitive with positions and these further attributes and members.
struct OnePrimitive {
    GltfBuilder builder = triangle();

    Told told_of(const std::string& attributes, const std::string& more = {})
    {
        const int mesh = builder.mesh(R"("POSITION":0,"NORMAL":1)" + attributes, more);
        builder.add("nodes", fmt::format(R"({{"mesh":{}}})", mesh));
        return told(valid(builder.load_glb()));
    }
};

template <class T>
Told told_of_indices(const std::string& more = {})
{
    OnePrimitive drawn;
    const int indices = drawn.builder.accessor<T>({0, 1, 2}, "SCALAR", more);
    return drawn.told_of("", fmt::format(R"(,"indices":{})", indices));
}

TEST(GltfInvalid, IndicesOfForbiddenTypes)
{
    const Told odd = {"invalid_accessor at /meshes/1/primitives/0/indices"};
    EXPECT_EQ(told_of_indices<float>(), odd);
    EXPECT_EQ(told_of_indices<std::int16_t>(), odd);
    EXPECT_EQ(told_of_indices<std::int8_t>(), odd);
    EXPECT_EQ(told_of_indices<std::uint16_t>(R"(,"normalized":true)"), odd);
    EXPECT_EQ(told_of_indices<std::uint8_t>(), Told());
    EXPECT_EQ(told_of_indices<std::uint32_t>(), Told());
}

template <class Joint, class Weight>
Told told_of_skin(Weight one, const std::string& of_joints = {}, const std::string& of_weights = {},
                  int set = 0)
{
    OnePrimitive drawn;
    const int joints = drawn.builder.accessor<Joint>(std::vector<Joint>(12), "VEC4", of_joints);
    const int weights =
        drawn.builder.accessor<Weight>({one, 0, 0, 0, one, 0, 0, 0, one, 0, 0, 0}, "VEC4", of_weights);
    return drawn.told_of(fmt::format(R"(,"JOINTS_{0}":{1},"WEIGHTS_{0}":{2})", set, joints, weights));
}

TEST(GltfInvalid, SkinWeightsOfForbiddenTypes)
{
    const std::string attributes = "/meshes/1/primitives/0/attributes";
    const Told joints = {"invalid_accessor at " + attributes + "/JOINTS_0"};
    const Told weights = {"invalid_accessor at " + attributes + "/WEIGHTS_0"};
    const std::string normalized = R"(,"normalized":true)";
    EXPECT_EQ((told_of_skin<float>(1.0f)), joints);
    EXPECT_EQ((told_of_skin<std::uint32_t>(1.0f)), joints);
    EXPECT_EQ((told_of_skin<std::uint8_t>(1.0f, normalized)), joints);
    EXPECT_EQ((told_of_skin<std::uint8_t>(std::int8_t{127}, {}, normalized)), weights);
    EXPECT_EQ((told_of_skin<std::uint8_t>(std::uint8_t{1})), weights);
    EXPECT_EQ((told_of_skin<std::uint16_t>(std::uint8_t{255}, {}, normalized)), Told());
    EXPECT_EQ((told_of_skin<std::uint8_t>(1.0f, {}, {}, 1)), (Told{"invalid_attribute at " + attributes}));
}

TEST(GltfInvalid, QuantisedAttributesNeedTheirExtension)
{
    const auto told_of_shorts = [](bool announced) {
        GltfBuilder builder = triangle();
        const int shorts =
            builder.view(test::to_bytes<std::int16_t>({0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}), 8);
        const int positions = builder.accessor_in(shorts, 3, 5122, "VEC3", R"(,"min":[0,0,0],"max":[1,1,0])");
        builder.add("nodes",
                    fmt::format(R"({{"mesh":{}}})",
                                builder.mesh(fmt::format(R"("POSITION":{},"NORMAL":1)", positions))));
        if (announced) builder.add("extensionsUsed", R"("KHR_mesh_quantization")");
        return told(valid(builder.load_glb()));
    };
    EXPECT_EQ(told_of_shorts(false),
              (Told{"invalid_accessor at /meshes/1/primitives/0/attributes/POSITION"}));
    EXPECT_EQ(told_of_shorts(true), Told());
}

TEST(GltfInvalid, ByteTextureCoordinatesAreRejected)
{
    OnePrimitive drawn;
    const int bytes =
        drawn.builder.accessor_in(drawn.builder.view(std::string(12, '\0'), 4), 3, 5121, "VEC2");
    EXPECT_EQ(drawn.told_of(fmt::format(R"(,"TEXCOORD_0":{})", bytes)),
              (Told{"invalid_accessor at /meshes/1/primitives/0/attributes/TEXCOORD_0"}));
}

TEST(GltfInvalid, AttributesWithoutBoundsOrOfNoName)
{
    OnePrimitive unbounded;
    const int deltas =
        unbounded.builder.accessor_in(unbounded.builder.view(std::string(36, '\0')), 3, 5126, "VEC3");
    const std::string primitive = "/meshes/1/primitives/0/";
    EXPECT_EQ(unbounded.told_of("", fmt::format(R"(,"targets":[{{"POSITION":{}}}])", deltas)),
              (Told{"missing_bounds at " + primitive + "targets/0/POSITION"}));
    EXPECT_EQ(OnePrimitive().told_of(R"(,"COLOR":1)"),
              (Told{"invalid_attribute at " + primitive + "attributes/COLOR"}));
    EXPECT_EQ(OnePrimitive().told_of(R"(,"_COLOR":1)"), Told());
    OnePrimitive apart;
    const int view = apart.builder.view(std::string(12, '\0'), 4);
    EXPECT_EQ(apart.told_of(
                  "", fmt::format(R"(,"indices":{})", apart.builder.accessor_in(view, 3, 5121, "SCALAR"))),
              (Told{"invalid_accessor at " + primitive + "indices"}));
}

} // namespace
} // namespace vitrine
