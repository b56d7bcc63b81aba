#include "tests/unit/gltf/builder.hpp"

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::triangle;
using test::valid;
using test::warned;
using Indices = scene::Array<std::uint32_t>;

const std::vector<float> five_points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0};
const std::vector<float> five_normals = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};

GltfBuilder five(const std::string& more)
{
    GltfBuilder builder;
    builder.accessor<float>(five_points, "VEC3");
    builder.accessor<float>(five_normals, "VEC3");
    builder.add("nodes", R"({"mesh":0})");
    builder.mesh(R"("POSITION":0,"NORMAL":1)", more);
    return builder;
}

scene::Mesh mesh_of_mode(int mode)
{
    return valid(five(",\"mode\":" + std::to_string(mode)).load_glb()).meshes.at(0);
}

TEST(GltfMesh, EveryMode)
{
    EXPECT_EQ(mesh_of_mode(0).indices, (Indices{0, 1, 2, 3, 4}));
    EXPECT_EQ(mesh_of_mode(1).indices, (Indices{0, 1, 2, 3}));
    EXPECT_EQ(mesh_of_mode(2).indices, (Indices{0, 1, 1, 2, 2, 3, 3, 4, 4, 0}));
    EXPECT_EQ(mesh_of_mode(3).indices, (Indices{0, 1, 1, 2, 2, 3, 3, 4}));
    EXPECT_EQ(mesh_of_mode(4).indices, (Indices{0, 1, 2}));
    EXPECT_EQ(mesh_of_mode(5).indices, (Indices{0, 1, 2, 1, 3, 2, 2, 3, 4}));
    EXPECT_EQ(mesh_of_mode(6).indices, (Indices{1, 2, 0, 2, 3, 0, 3, 4, 0}));
    EXPECT_EQ(mesh_of_mode(0).primitives[0].topology, scene::Topology::points);
    EXPECT_EQ(mesh_of_mode(2).primitives[0].topology, scene::Topology::lines);
    EXPECT_EQ(mesh_of_mode(5).primitives[0].topology, scene::Topology::triangles);
    EXPECT_EQ(five(R"(,"mode":7)").load_glb().error().code, LoadErrc::malformed);
}

// By which lines and points are lit (glTF 2.0, 3.9.7).
TEST(GltfMesh, LinesAndPointsKnowWhetherTheyHaveNormals)
{
    for (int mode = 0; mode < 4; ++mode) {
        EXPECT_TRUE(mesh_of_mode(mode).primitives[0].has_normals) << mode;
        GltfBuilder builder;
        builder.accessor<float>(five_points, "VEC3");
        builder.add("nodes", R"({"mesh":0})");
        builder.mesh(R"("POSITION":0)", ",\"mode\":" + std::to_string(mode));
        EXPECT_FALSE(valid(builder.load_glb()).meshes.at(0).primitives[0].has_normals) << mode;
    }
}

TEST(GltfMesh, StripsTurnTheSameWay)
{
    const scene::Mesh mesh = mesh_of_mode(5);
    for (std::size_t at = 0; at < mesh.indices.size(); at += 3) {
        const glm::vec3 a = mesh.positions[mesh.indices[at]];
        const glm::vec3 b = mesh.positions[mesh.indices[at + 1]];
        const glm::vec3 c = mesh.positions[mesh.indices[at + 2]];
        EXPECT_GT(glm::cross(b - a, c - a).z, 0.0f) << at;
    }
}

template <class T>
Indices indices_of(const std::vector<T>& values)
{
    GltfBuilder builder = triangle();
    const int indices = builder.accessor<T>(values, "SCALAR");
    builder.mesh(R"("POSITION":0,"NORMAL":1)", ",\"indices\":" + std::to_string(indices));
    return valid(builder.load_glb()).meshes.at(1).indices;
}

TEST(GltfMesh, IndicesOfEveryType)
{
    EXPECT_EQ(indices_of<std::uint8_t>({0, 2, 1}), (Indices{0, 2, 1}));
    EXPECT_EQ(indices_of<std::uint16_t>({0, 2, 1}), (Indices{0, 2, 1}));
    EXPECT_EQ(indices_of<std::uint32_t>({0, 2, 1}), (Indices{0, 2, 1}));
}

// Vulkan 1.3, 21.1.9: "primitive restart"; the topology begins anew after the index of all ones.
template <class T>
scene::Scene restarted(int mode, const std::vector<T>& values)
{
    GltfBuilder builder = five("");
    const int indices = builder.accessor<T>(values, "SCALAR");
    builder.mesh(R"("POSITION":0,"NORMAL":1)",
                 ",\"mode\":" + std::to_string(mode) + ",\"indices\":" + std::to_string(indices));
    return valid(builder.load_glb());
}

TEST(GltfMesh, HighestIndexBeginsAStripOrFanAnew)
{
    const auto check = [](auto highest) {
        using T = decltype(highest);
        const scene::Scene strip = restarted<T>(5, {0, 1, 2, 3, highest, 1, 3, 2, 4});
        EXPECT_EQ(strip.meshes.at(1).indices, (Indices{0, 1, 2, 1, 3, 2, 1, 3, 2, 3, 4, 2}));
        EXPECT_TRUE(warned(strip, "primitive_restart"));
        EXPECT_FALSE(warned(strip, "index_out_of_range"));
        // An odd number of corners before it: the winding would be the other one.
        EXPECT_EQ(restarted<T>(5, {0, 1, 2, highest, 1, 3, 2}).meshes.at(1).indices,
                  (Indices{0, 1, 2, 1, 3, 2}));
        EXPECT_EQ(restarted<T>(6, {0, 1, 2, highest, 4, 2, 3, 1}).meshes.at(1).indices,
                  (Indices{1, 2, 0, 2, 3, 4, 3, 1, 4}));
        EXPECT_EQ(restarted<T>(2, {0, 1, 2, highest, 3, 4}).meshes.at(1).indices,
                  (Indices{0, 1, 1, 2, 2, 0, 3, 4}));
        EXPECT_EQ(restarted<T>(3, {highest, 0, 1, highest, highest, 3, 4, highest}).meshes.at(1).indices,
                  (Indices{0, 1, 3, 4}));
        const scene::Scene list = restarted<T>(4, {0, 1, 2, highest, 1, 2});
        EXPECT_EQ(list.meshes.at(1).indices, (Indices{0, 1, 2})) << "a list has no restart";
        EXPECT_TRUE(warned(list, "index_out_of_range"));
        EXPECT_FALSE(warned(list, "primitive_restart"));
    };
    check(std::uint8_t{0xFF});
    check(std::uint16_t{0xFFFF});
    check(std::uint32_t{0xFFFF'FFFF});
}

TEST(GltfMesh, TrianglesWithInvalidVerticesAreDropped)
{
    GltfBuilder builder = triangle();
    const int some = builder.accessor<std::uint32_t>({0, 1, 2, 0, 1, 3, 2, 1, 0}, "SCALAR");
    builder.mesh(R"("POSITION":0,"NORMAL":1)", ",\"indices\":" + std::to_string(some));
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_EQ(scene.meshes[1].indices, (Indices{0, 1, 2, 2, 1, 0}));
    EXPECT_TRUE(warned(scene, "index_out_of_range"));
    const int all = builder.accessor<std::uint32_t>({7, 8, 4294967295}, "SCALAR");
    builder.mesh(R"("POSITION":0,"NORMAL":1)", ",\"indices\":" + std::to_string(all));
    const auto rejected = builder.load_glb();
    EXPECT_EQ(rejected.error().code, LoadErrc::out_of_range);
    EXPECT_EQ(rejected.error().where, "/meshes/2/primitives/0");
}

TEST(GltfMesh, PrimitivesThatNameTheSameAccessorsShareVertices)
{
    GltfBuilder builder = five(R"(,"mode":0)");
    const int reversed = builder.accessor<float>({4, 4, 4}, "VEC3");
    builder.add("materials", "{}");
    builder.add("meshes", R"({"primitives":[{"attributes":{"POSITION":0,"NORMAL":1}},
        {"attributes":{"POSITION":0,"NORMAL":1},"mode":5,"material":0},{"attributes":{"POSITION":)" +
                              std::to_string(reversed) + R"(},"mode":0}]})");
    const scene::Scene scene = valid(builder.load_glb());
    const scene::Mesh& mesh = scene.meshes[1];
    EXPECT_EQ(mesh.positions.size(), 6u);
    EXPECT_EQ(scene.source_vertices, 6u);
    EXPECT_EQ(scene.source_polygons, 4u);
    ASSERT_EQ(mesh.primitives.size(), 3u);
    EXPECT_EQ(mesh.primitives[1].first, 3u);
    EXPECT_EQ(mesh.primitives[1].count, 9u);
    EXPECT_EQ(mesh.primitives[1].material, 0u);
    EXPECT_EQ(mesh.indices.back(), 5u);
}

TEST(GltfMesh, AttributesOfOnePrimitiveAreNeutralInTheOther)
{
    GltfBuilder builder = triangle();
    const int uv =
        builder.accessor<std::uint16_t>({0, 0, 65535, 0, 0, 65535}, "VEC2", R"(,"normalized":true)");
    const int red =
        builder.accessor<std::uint8_t>({255, 0, 0, 255, 0, 0, 255, 0, 0}, "VEC3", R"(,"normalized":true)");
    builder.add("meshes",
                R"({"primitives":[{"attributes":{"POSITION":0,"NORMAL":1}},{"attributes":{"POSITION":0,
        "NORMAL":1,"TEXCOORD_0":)" +
                    std::to_string(uv) + R"(,"COLOR_0":)" + std::to_string(red) + R"(}}]})");
    const scene::Mesh mesh = valid(builder.load_glb()).meshes.at(1);
    ASSERT_EQ(mesh.positions.size(), 6u);
    EXPECT_EQ(mesh.uv0[0], glm::vec2(0, 0));
    EXPECT_EQ(mesh.uv0[4], glm::vec2(1, 0));
    EXPECT_EQ(mesh.colors[0], glm::vec4(1, 1, 1, 1));
    EXPECT_EQ(mesh.colors[3], glm::vec4(1, 0, 0, 1));
}

TEST(GltfMesh, AttributeThatDoesNotFitIsIgnored)
{
    GltfBuilder builder = triangle();
    const int uv = builder.accessor<float>({0, 0, 1, 0}, "VEC2");
    builder.mesh(R"("POSITION":0,"NORMAL":1,"TEXCOORD_0":)" + std::to_string(uv));
    const scene::Scene scene = valid(builder.load_glb());
    EXPECT_TRUE(scene.meshes[1].uv0.empty());
    EXPECT_TRUE(warned(scene, "invalid_attribute"));
}

TEST(GltfMesh, OddPrimitives)
{
    GltfBuilder builder = triangle();
    builder.mesh(R"("NORMAL":1)");
    EXPECT_TRUE(warned(valid(builder.load_glb()), "no_positions"));
    GltfBuilder no_attributes = triangle();
    no_attributes.add("meshes", R"({"primitives":[{}]})");
    EXPECT_EQ(no_attributes.load_glb().error().where, "/meshes/1/primitives/0");
    GltfBuilder empty = triangle();
    empty.add("meshes", "{}");
    EXPECT_TRUE(warned(valid(empty.load_glb()), "empty_mesh"));
}

TEST(GltfMesh, LimitsAreKept)
{
    Limits limits;
    limits.vertices = 2;
    EXPECT_EQ(triangle().load_glb(limits).error().code, LoadErrc::limit_exceeded);
    limits = {};
    limits.indices = 2;
    EXPECT_EQ(triangle().load_glb(limits).error().code, LoadErrc::limit_exceeded);
    limits = {};
    limits.meshes = 0;
    EXPECT_EQ(triangle().load_glb(limits).error().code, LoadErrc::limit_exceeded);
}

TEST(GltfMesh, IncompleteLastElementIsDropped)
{
    const auto loaded = [](int mode, const std::vector<std::uint8_t>& indices) {
        GltfBuilder builder = five(",\"mode\":" + std::to_string(mode) + ",\"indices\":2");
        EXPECT_EQ(builder.accessor<std::uint8_t>(indices, "SCALAR"), 2);
        return valid(builder.load_glb());
    };
    for (const auto& [mode, indices, kept] :
         {std::tuple(4, std::vector<std::uint8_t>{0, 1, 2, 1, 3}, Indices{0, 1, 2}),
          std::tuple(1, std::vector<std::uint8_t>{0, 1, 2}, Indices{0, 1})}) {
        const scene::Scene scene = loaded(mode, indices);
        EXPECT_TRUE(warned(scene, "incomplete_element")) << mode;
        EXPECT_EQ(scene.meshes.at(0).indices, kept) << mode;
    }
    EXPECT_FALSE(warned(loaded(4, {0, 1, 2}), "incomplete_element"));
    EXPECT_FALSE(warned(loaded(5, {0, 1, 2, 3, 4}), "incomplete_element")) << "a strip may end anywhere";
}

} // namespace
} // namespace vitrine
