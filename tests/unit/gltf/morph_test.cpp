#include "tests/unit/gltf/builder.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::triangle;
using test::valid;
using test::warned;
using Indices = scene::Array<std::uint32_t>;

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

TEST(GltfMorph, MorphTargetsStoreOnlyMovedVertices)
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
    const scene::MorphTarget& target = mesh.morph_targets[0];
    EXPECT_EQ(target.vertices, (Indices{0, 1, 2, 3, 4, 5})); // both triangles rotate
    EXPECT_EQ(target.position_deltas[0], glm::vec3(0, 0, 5));
    EXPECT_EQ(target.position_deltas[1], glm::vec3(0, 0, 0));
    EXPECT_EQ(target.position_deltas[5], glm::vec3(0, 0, 5));
}

// Two triangles, (0, 1, 2) and (0, 2, 3), without normals; `attributes` of the single target.
GltfBuilder flat_square(const std::vector<float>& deltas, const std::string& attributes)
{
    GltfBuilder builder;
    const int square = builder.accessor<float>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, "VEC3");
    const int indices = builder.accessor<std::uint8_t>({0, 1, 2, 0, 2, 3}, "SCALAR");
    builder.accessor<float>(deltas, "VEC3"); // 2
    builder.mesh(R"("POSITION":)" + std::to_string(square),
                 R"(,"indices":)" + std::to_string(indices) + R"(,"targets":[{)" + attributes + "}]");
    return builder;
}

scene::MorphTarget only_target(const GltfBuilder& builder)
{
    return valid(builder.load_glb()).meshes.at(0).morph_targets.at(0);
}

// glTF 2.0, 3.7.2.2: "client implementations MUST calculate flat normals for each morph target".
TEST(GltfMorph, TargetsOfAFlatPrimitiveAreFlat)
{
    const auto target = only_target(flat_square({0, 0, 0, 0, -1, -1, 0, 0, 0, 0, 0, 0}, R"("POSITION":2)"));
    EXPECT_EQ(target.vertices, (Indices{0, 1, 2})); // the other triangle is unchanged
    const glm::vec3 turned = glm::normalize(glm::cross(glm::vec3(1, -1, -1), glm::vec3(1, 1, 0)));
    ASSERT_EQ(target.normal_deltas.size(), 3u);
    for (const glm::vec3& delta : target.normal_deltas)
        EXPECT_LT(glm::distance(glm::vec3(0, 0, 1) + delta, turned), 1e-6f);
}

TEST(GltfMorph, NormalsOfTargetsOfAFlatPrimitiveDoNotCount)
{
    const auto alone = only_target(flat_square({0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, R"("NORMAL":2)"));
    EXPECT_TRUE(alone.vertices.empty());
    const auto both =
        only_target(flat_square({0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, R"("POSITION":2,"NORMAL":2)"));
    const glm::vec3 turned = glm::normalize(glm::cross(glm::vec3(1, 0, 1), glm::vec3(1, 1, 0)));
    EXPECT_LT(glm::distance(glm::vec3(0, 0, 1) + both.normal_deltas.at(1), turned), 1e-6f);
}

TEST(GltfMorph, FlatTrianglesThatDoNotTurnOrVanishKeepTheirNormals)
{
    const auto moved = only_target(flat_square({3, 0, 1, 3, 0, 1, 3, 0, 1, 3, 0, 1}, R"("POSITION":2)"));
    EXPECT_EQ(moved.vertices.size(), 6u);
    EXPECT_TRUE(moved.normal_deltas.empty());
    // Moved onto the adjacent corner.
    const auto flattened = only_target(flat_square({0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0}, R"("POSITION":2)"));
    EXPECT_EQ(flattened.vertices, (Indices{1}));
    EXPECT_TRUE(flattened.normal_deltas.empty());
}

// Three vertices may have any number of triangles.
TEST(GltfMorph, DeltasOfAFlatPrimitiveAreLimitedByItsCorners)
{
    Limits limits;
    limits.morph_deltas = 6; // four of the vertices, then three whose normal changes
    const auto square = flat_square({0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}, R"("POSITION":2)");
    EXPECT_EQ(square.load_glb(limits).error().code, LoadErrc::limit_exceeded);
    limits.morph_deltas = 7;
    EXPECT_TRUE(square.load_glb(limits));
}

TEST(GltfMorph, LinesHaveNoNormalsForATargetToMove)
{
    GltfBuilder builder = triangle();
    const int deltas = builder.accessor<float>({0, 0, 1, 0, 0, 1, 0, 0, 1}, "VEC3");
    builder.mesh(R"("POSITION":0)", R"(,"mode":3,"targets":[{"NORMAL":)" + std::to_string(deltas) + "}]");
    EXPECT_TRUE(valid(builder.load_glb()).meshes.at(1).morph_targets.at(0).vertices.empty());
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

TEST(GltfMorph, TargetsOfColorsAndCoordinatesAreReported)
{
    for (const char* attribute : {"TEXCOORD_0", "COLOR_0"}) {
        const scene::Scene scene =
            valid(morphing(std::string(R"({"POSITION":2,")") + attribute + R"(":2})").load_glb());
        EXPECT_TRUE(warned(scene, "unsupported_morph")) << attribute;
        EXPECT_EQ(scene.meshes[1].morph_targets.at(0).vertices, (Indices{2})) << attribute;
    }
    EXPECT_FALSE(warned(valid(morphing(R"({"POSITION":2})").load_glb()), "unsupported_morph"));
}

} // namespace
} // namespace vitrine
