// Normals and tangents of meshes: read, corrected and computed.

#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/compare.hpp"
#include "tests/unit/gltf/builder.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::triangle;
using test::valid;
using test::warned;
using Indices = scene::Array<std::uint32_t>;

TEST(GltfMesh, NormalsWithoutALengthAreThoseOfTheTriangles)
{
    const auto loaded = [](const std::vector<float>& normals) {
        GltfBuilder builder;
        builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1}, "VEC3");
        builder.accessor<float>(normals, "VEC3");
        const int indices = builder.accessor<std::uint8_t>({0, 1, 2, 0, 3, 1}, "SCALAR");
        builder.add("nodes", R"({"mesh":0})");
        builder.mesh(R"("POSITION":0,"NORMAL":1)", ",\"indices\":" + std::to_string(indices));
        return valid(builder.load_glb());
    };
    const auto some = loaded({0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
    EXPECT_TRUE(warned(some, "zero_normals"));
    ASSERT_EQ(some.meshes[0].positions.size(), 4u);
    const float half = std::sqrt(0.5f);
    EXPECT_LT(glm::distance(some.meshes[0].normals[0], glm::vec3(0, half, half)), 1e-6f) << "of both";
    EXPECT_EQ(some.meshes[0].normals[1], glm::vec3(0, 0, 1)) << "its own";
    EXPECT_EQ(some.meshes[0].normals[2], glm::vec3(0, 0, 1));
    const auto all = loaded(std::vector<float>(12, 0.0f));
    EXPECT_TRUE(warned(all, "zero_normals"));
    ASSERT_EQ(all.meshes[0].positions.size(), 6u) << "as without normals: flat";
    EXPECT_EQ(all.meshes[0].normals[0], glm::vec3(0, 0, 1));
    EXPECT_EQ(all.meshes[0].normals[3], glm::vec3(0, 1, 0));
    EXPECT_FALSE(warned(loaded({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0}), "zero_normals"));
}

// Two triangles with a common edge and without normals.
GltfBuilder folded_square()
{
    GltfBuilder builder;
    builder.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, "VEC3");
    const int indices = builder.accessor<std::uint8_t>({0, 1, 2, 0, 2, 3}, "SCALAR");
    builder.accessor<float>({0, 0, 1, 0, 0, 1, 1, 1}, "VEC2");
    builder.mesh(R"("POSITION":0,"TEXCOORD_0":2)", ",\"indices\":" + std::to_string(indices));
    return builder;
}

TEST(GltfMesh, MissingNormalsAreFlat)
{
    const scene::Scene scene = valid(folded_square().load_glb());
    const scene::Mesh& mesh = scene.meshes[0];
    ASSERT_EQ(mesh.positions.size(), 6u);
    EXPECT_EQ(scene.source_vertices, 4u);
    EXPECT_EQ(mesh.normals[2], glm::vec3(0, 0, 1));
    EXPECT_EQ(mesh.normals[3], glm::vec3(1, 0, 0));
    EXPECT_EQ(mesh.uv0[5], glm::vec2(1, 1));
    EXPECT_EQ(mesh.indices, (Indices{0, 1, 2, 3, 4, 5}));
}

scene::Scene with_flat_meshes(const GltfBuilder& builder)
{
    test::MemorySource source("model.glb", {{"model.glb", builder.glb()}});
    auto scene = load_gltf_with_flat_meshes(source, Limits());
    EXPECT_TRUE(scene && validate(*scene, scene::FlatMeshes::allowed));
    return std::move(*scene);
}

std::size_t vertices_from_loader(GltfBuilder builder, const std::string& attributes,
                                 const std::string& primitive = "")
{
    builder.mesh(attributes, primitive);
    return with_flat_meshes(builder).meshes.back().positions.size();
}

TEST(GltfMesh, FlatMeshesShareVerticesUntilTheyAreExpanded)
{
    GltfBuilder square;
    square.accessor<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, "VEC3");
    const int indices = square.accessor<std::uint8_t>({0, 1, 2, 0, 2, 3}, "SCALAR");
    square.accessor<std::uint8_t>({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4");
    square.accessor<float>({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
    const auto rest = ",\"indices\":" + std::to_string(indices);
    EXPECT_EQ(vertices_from_loader(square, R"("POSITION":0)", rest), 4u);
    EXPECT_EQ(vertices_from_loader(square, R"("POSITION":0)", rest + R"(,"targets":[{"POSITION":0}])"), 6u);
    EXPECT_EQ(vertices_from_loader(square, R"("POSITION":0,"JOINTS_0":2,"WEIGHTS_0":3)", rest), 6u);
    EXPECT_EQ(vertices_from_loader(square, R"("POSITION":0)", rest + R"(,"mode":0)"), 4u) << "points";
}

TEST(GltfMesh, FlatMeshesExpandToWhatTheLoaderMakes)
{
    const GltfBuilder builder = folded_square();
    scene::Scene expanded = with_flat_meshes(builder);
    EXPECT_TRUE(scene::is_flat(expanded.meshes[0]));
    scene::expand_flat_meshes(expanded);
    EXPECT_TRUE(test::same(expanded, valid(builder.load_glb())));
}

TEST(GltfMesh, NormalsAreMadeUnitLength)
{
    GltfBuilder builder = triangle();
    const int normals =
        builder.accessor<std::int8_t>({0, 0, 64, 0, 64, 0, 0, 0, 0}, "VEC3", R"(,"normalized":true)");
    builder.mesh("\"POSITION\":0,\"NORMAL\":" + std::to_string(normals));
    const scene::Mesh mesh = valid(builder.load_glb()).meshes.at(1);
    EXPECT_EQ(mesh.normals[0], glm::vec3(0, 0, 1));
    EXPECT_EQ(mesh.normals[1], glm::vec3(0, 1, 0));
    EXPECT_EQ(mesh.normals[2], glm::vec3(0, 0, 1)) << "the triangle's";
}

// The triangle with UVs and a material with or without a normal map.
scene::Mesh mesh_with_material(const std::string& material, const std::string& attributes)
{
    GltfBuilder builder = triangle();
    builder.accessor<float>({0, 0, 1, 0, 0, 1}, "VEC2");
    builder.accessor<float>({0, 1, 0, -1, 0, 1, 0, -1, 0, 1, 0, -1}, "VEC4");
    builder.add("images", R"({"uri":"none.png"})");
    builder.add("textures", R"({"source":0})");
    builder.add("materials", material);
    builder.mesh(R"("POSITION":0,"NORMAL":1,"TEXCOORD_0":2)" + attributes, R"(,"material":0)");
    return valid(builder.load_glb()).meshes.at(1);
}

TEST(GltfMesh, TangentsAreComputedForNormalMapsOnly)
{
    const std::string mapped = R"({"normalTexture":{"index":0}})";
    EXPECT_TRUE(mesh_with_material("{}", "").tangents.empty());
    EXPECT_EQ(mesh_with_material(mapped, "").tangents.size(), 3u);
    EXPECT_EQ(mesh_with_material(mapped, R"(,"TANGENT":3)").tangents[0], glm::vec4(0, 1, 0, -1));
    EXPECT_EQ(mesh_with_material("{}", R"(,"TANGENT":3)").tangents[0], glm::vec4(0, 1, 0, -1));
}

} // namespace
} // namespace vitrine
