#include "tests/unit/gltf/builder.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::triangle;
using test::valid;
using test::warned;
using Indices = std::vector<std::uint32_t>;

GltfBuilder morphing(const std::string& target, const std::string& mesh_more = {})
{
    GltfBuilder builder = triangle();
    builder.accessor<float>({0, 0, 0, 0, 0, 0, 0, 0, 5}, "VEC3");
    const int indices = builder.view(test::to_bytes<std::uint8_t>({1}));
    const int values = builder.view(test::to_bytes<float>({3, 0, 0}));
    builder.accessor_in(-1, 3, 5126, "VEC3",
                        R"(,"sparse":{"count":1,"indices":{"componentType":5121,"bufferView":)" +
                            std::to_string(indices) + R"(},"values":{"bufferView":)" +
                            std::to_string(values) + "}}");
    builder.add("meshes", R"({"primitives":[{"attributes":{"POSITION":0,"NORMAL":1},"targets":[)" + target +
                              "]}]" + mesh_more + "}");
    return builder;
}

TEST(GltfMorph, TargetsKeepOnlyWhatMoves)
{
    const scene::Scene scene =
        valid(morphing(R"({"POSITION":2},{"POSITION":3,"NORMAL":2})",
                       R"(,"weights":[0.25,0.5],"extras":{"targetNames":["up","side"]})")
                  .load_glb());
    const scene::Mesh& mesh = scene.meshes[1];
    ASSERT_EQ(mesh.morph_targets.size(), 2u);
    EXPECT_EQ(mesh.morph_targets[0].name, "up");
    EXPECT_EQ(mesh.morph_targets[0].vertices, (Indices{2}));
    EXPECT_EQ(mesh.morph_targets[0].position_deltas[0], glm::vec3(0, 0, 5));
    EXPECT_TRUE(mesh.morph_targets[0].normal_deltas.empty());
    EXPECT_EQ(mesh.morph_targets[1].vertices, (Indices{1, 2}));
    EXPECT_EQ(mesh.morph_targets[1].position_deltas[0], glm::vec3(3, 0, 0));
    EXPECT_EQ(mesh.morph_targets[1].normal_deltas[1], glm::vec3(0, 0, 5));
    EXPECT_EQ(mesh.morph_weights, (std::vector<float>{0.25f, 0.5f}));
}

TEST(GltfMorph, FlatPrimitivesSplitTheirTargets)
{
    GltfBuilder builder = triangle();
    const int deltas = builder.accessor<float>({0, 0, 0, 0, 0, 0, 0, 0, 5}, "VEC3");
    const int indices = builder.accessor<std::uint8_t>({2, 0, 1, 1, 0, 2}, "SCALAR");
    builder.mesh(R"("POSITION":0)", R"(,"indices":)" + std::to_string(indices) +
                                        R"(,"targets":[{"POSITION":)" + std::to_string(deltas) + "}]");
    const scene::Mesh mesh = valid(builder.load_glb()).meshes.at(1);
    EXPECT_EQ(mesh.morph_targets[0].vertices, (Indices{0, 5}));
}

TEST(GltfMorph, WeightsOfTheNodeGoFirstAndCountsAreRepaired)
{
    GltfBuilder builder = morphing(R"({"POSITION":2},{"POSITION":3})", R"(,"weights":[1])");
    builder.add("nodes", R"({"mesh":1,"weights":[0.5,0.75,9]})");
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_EQ(scene.meshes[1].morph_weights, (std::vector<float>{1.0f, 0.0f}));
    EXPECT_EQ(scene.nodes[1].morph_weights, (std::vector<float>{0.5f, 0.75f}));
    EXPECT_TRUE(warned(scene, "weight_count"));
}

TEST(GltfMorph, DeltasAreLimited)
{
    Limits limits;
    limits.morph_deltas = 5;
    EXPECT_EQ(morphing(R"({"POSITION":2},{"POSITION":3})").load_glb(limits).error().code,
              LoadErrc::limit_exceeded);
}

} // namespace
} // namespace vitrine
