// Geometry compressed with EXT_meshopt_compression and KHR_draco_mesh_compression.

#include "tests/unit/gltf/compressed.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <meshoptimizer.h>

namespace vitrine {
namespace {

using test::GltfBuilder;
using test::Grid;
using test::valid;

// The corners of each triangle in a canonical order, independent of the file's.
using Triangle = std::array<std::array<float, 6>, 3>; // position and normal

std::vector<Triangle> sorted(std::vector<Triangle> triangles)
{
    for (Triangle& triangle : triangles) // keeps the winding, smallest corner first
        std::ranges::rotate(triangle, std::ranges::min_element(triangle));
    std::ranges::sort(triangles);
    return triangles;
}

template <class Corner>
std::vector<Triangle> triangles_of(std::size_t count, Corner corner)
{
    std::vector<Triangle> out(count);
    for (std::size_t t = 0; t < count; ++t)
        for (std::size_t c = 0; c < 3; ++c)
            out[t][c] = corner(3 * t + c);
    return sorted(std::move(out));
}

std::vector<Triangle> triangles_of(const Grid& grid)
{
    return triangles_of(grid.indices.size() / 3, [&](std::size_t at) {
        const float* const p = &grid.positions[std::size_t{grid.indices[at]} * 3];
        const float* const n = &grid.normals[std::size_t{grid.indices[at]} * 3];
        return std::array{std::round(p[0]), std::round(p[1]), p[2], n[0], n[1], n[2]};
    });
}

// x and y are integers in the grid: rounding gives both sides the same order.
std::vector<Triangle> triangles_of(const scene::Mesh& mesh)
{
    return triangles_of(mesh.indices.size() / 3, [&](std::size_t at) {
        const glm::vec3 p = mesh.positions[mesh.indices[at]], n = mesh.normals[mesh.indices[at]];
        return std::array{std::round(p.x), std::round(p.y), p.z, n.x, n.y, n.z};
    });
}

void expect_same(const scene::Mesh& mesh, const Grid& grid, float tolerance)
{
    const auto found = triangles_of(mesh), expected = triangles_of(grid);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t t = 0; t < found.size(); ++t)
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t n = 0; n < 6; ++n)
                ASSERT_NEAR(found[t][c][n], expected[t][c][n], tolerance) << t << ' ' << c << ' ' << n;
}

LoadError rejected(const GltfBuilder& builder)
{
    const auto loaded = builder.load_glb();
    EXPECT_FALSE(loaded);
    return loaded ? LoadError{} : loaded.error();
}

TEST(GltfMeshopt, AttributesAndTriangles)
{
    const Grid grid(9);
    for (const auto encode : {test::meshopt_vertices, test::meshopt_vertices_1}) {
        const scene::Scene scene = valid(test::meshopt_document(grid, encode).load_glb());
        expect_same(scene.meshes.at(0), grid, 0.0f);
        EXPECT_TRUE(scene.warnings.empty());
    }
}

TEST(GltfMeshopt, IndexSequence)
{
    const Grid grid(4);
    GltfBuilder builder = test::triangle();
    const auto bytes = test::meshopt_sequence({0, 1, 2}, 3);
    const int view = test::meshopt_view(builder, bytes, 3, 2, "INDICES");
    const int indices = builder.accessor_in(view, 3, 5123, "SCALAR");
    builder.mesh(R"("POSITION":0,"NORMAL":1)", fmt::format(R"(,"indices":{})", indices));
    EXPECT_EQ(valid(builder.load_glb()).meshes.at(1).indices, (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(GltfMeshopt, OctahedralFilter)
{
    const Grid grid(5);
    const std::size_t count = grid.normals.size() / 3;
    std::vector<float> padded;
    for (std::size_t n = 0; n < count; ++n)
        padded.insert(padded.end(),
                      {grid.normals[3 * n], grid.normals[3 * n + 1], grid.normals[3 * n + 2], 0});
    std::vector<std::int16_t> filtered(count * 4);
    meshopt_encodeFilterOct(filtered.data(), count, 8, 16, padded.data());
    GltfBuilder builder;
    builder.accessor<float>(grid.positions, "VEC3");
    const int view = test::meshopt_view(builder, test::meshopt_vertices(filtered.data(), count, 8), count, 8,
                                        "ATTRIBUTES", R"(,"filter":"OCTAHEDRAL")");
    builder.accessor_in(view, count, 5122, "VEC3", R"(,"normalized":true)");
    builder.accessor<std::uint32_t>(grid.indices, "SCALAR");
    builder.mesh(R"("POSITION":0,"NORMAL":1)", R"(,"indices":2)");
    builder.add("nodes", R"({"mesh":0})");
    expect_same(valid(builder.load_glb()).meshes.at(0), grid, 1e-3f);
}

TEST(GltfMeshopt, ExponentialFilterAndQuaternions)
{
    const std::vector<float> times = {0, 1};
    const std::vector<float> turns = {0, 0, 0, 1, 0, 0.6f, 0, 0.8f};
    std::vector<std::uint32_t> exponential(2);
    meshopt_encodeFilterExp(exponential.data(), 2, 4, 20, times.data());
    std::vector<std::int16_t> quaternions(8);
    meshopt_encodeFilterQuat(quaternions.data(), 2, 8, 16, turns.data());
    GltfBuilder builder = test::triangle();
    const int in =
        builder.accessor_in(test::meshopt_view(builder, test::meshopt_vertices(exponential.data(), 2, 4), 2,
                                               4, "ATTRIBUTES", R"(,"filter":"EXPONENTIAL")"),
                            2, 5126, "SCALAR");
    const int out =
        builder.accessor_in(test::meshopt_view(builder, test::meshopt_vertices(quaternions.data(), 2, 8), 2,
                                               8, "ATTRIBUTES", R"(,"filter":"QUATERNION")"),
                            2, 5122, "VEC4", R"(,"normalized":true)");
    builder.add("animations",
                fmt::format(R"({{"samplers":[{{"input":{},"output":{}}}],"channels":[{{"sampler":0,
        "target":{{"node":0,"path":"rotation"}}}}]}})",
                            in, out));
    const scene::Scene scene = valid(builder.load_glb());
    ASSERT_EQ(scene.clips.size(), 1u);
    EXPECT_NEAR(scene.clips[0].duration, 1.0, 1e-5);
    const auto& values = scene.clips[0].channels.at(0).values;
    ASSERT_EQ(values.size(), 8u);
    for (std::size_t n = 0; n < 8; ++n)
        EXPECT_NEAR(values[n], turns[n], 1e-3f) << n;
}

TEST(GltfMeshopt, RejectsWhatTheExtensionForbids)
{
    const auto with = [](std::size_t count, std::size_t stride, std::string_view mode,
                         const std::string& more = {}) {
        GltfBuilder builder = test::triangle();
        const std::vector<float> values = {1, 7, 3, 9, -2, 0.5f, 11, 4, 8, 0.1f, -5, 6};
        const int view = test::meshopt_view(builder, test::meshopt_vertices(values.data(), 3, 16), count,
                                            stride, mode, more);
        builder.mesh(fmt::format(R"("POSITION":{})", builder.accessor_in(view, 3, 5126, "VEC3")));
        return rejected(builder);
    };
    EXPECT_EQ(with(3, 6, "ATTRIBUTES").detail, "the mode or filter does not allow a stride of 6 bytes");
    EXPECT_EQ(with(3, 0, "ATTRIBUTES").detail, "the mode or filter does not allow a stride of 0 bytes");
    EXPECT_EQ(with(3, 8, "TRIANGLES").detail, "the mode or filter does not allow a stride of 8 bytes");
    EXPECT_EQ(with(4, 4, "TRIANGLES").detail, "the number of triangle indices (4) is not a multiple of 3");
    EXPECT_EQ(with(3, 16, "ATTRIBUTES", R"(,"filter":"QUATERNION")").detail,
              "the mode or filter does not allow a stride of 16 bytes");
    EXPECT_EQ(with(3, 4, "INDICES", R"(,"filter":"EXPONENTIAL")").detail, "indices have no filter");
    EXPECT_EQ(with(3, 16, "VERTICES").detail, "VERTICES is not a value of the extension");
    EXPECT_NE(with(900'000'000, 16, "ATTRIBUTES").detail.find("do not fit"), std::string::npos);
}

TEST(GltfMeshopt, RejectsDataThatEndTooEarly)
{
    const Grid grid(5);
    const std::size_t count = grid.positions.size() / 3;
    const std::string bytes = test::meshopt_vertices(grid.positions.data(), count, 12);
    GltfBuilder builder = test::triangle();
    const int view = test::meshopt_view(builder, bytes.substr(0, bytes.size() / 2), count, 12, "ATTRIBUTES");
    builder.mesh(fmt::format(R"("POSITION":{})", builder.accessor_in(view, count, 5126, "VEC3")));
    const LoadError error = rejected(builder);
    EXPECT_EQ(error.code, LoadErrc::malformed);
    EXPECT_EQ(error.where, "/bufferViews/2/extensions/EXT_meshopt_compression");
    EXPECT_EQ(error.detail, "the meshopt data is damaged");
}

TEST(GltfDraco, PositionsNormalsAndTriangles)
{
    const Grid grid(9);
    const scene::Scene scene = valid(test::draco_document(grid, test::draco_bytes(grid)).load_glb());
    expect_same(scene.meshes.at(0), grid, 2e-3f);
    EXPECT_EQ(scene.source_polygons, grid.indices.size() / 3);
    EXPECT_EQ(scene.source_vertices, grid.positions.size() / 3);
}

TEST(GltfDraco, UncompressedTwinIsPreferred)
{
    const Grid grid(3);
    GltfBuilder builder;
    builder.accessor<float>(grid.positions, "VEC3");
    builder.accessor<float>(grid.normals, "VEC3");
    builder.accessor<std::uint32_t>(grid.indices, "SCALAR");
    builder.mesh(R"("POSITION":0,"NORMAL":1)", fmt::format(R"(,"indices":2,"extensions":
        {{"KHR_draco_mesh_compression":{{"bufferView":{},"attributes":{{"POSITION":0}}}}}})",
                                                           builder.view("no Draco at all")));
    builder.add("nodes", R"({"mesh":0})");
    expect_same(valid(builder.load_glb()).meshes.at(0), grid, 0.0f);
}

TEST(GltfDraco, RejectsBrokenData)
{
    const Grid grid(5);
    const std::string bytes = test::draco_bytes(grid);
    const LoadError cut = rejected(test::draco_document(grid, bytes.substr(0, bytes.size() / 2)));
    EXPECT_EQ(cut.code, LoadErrc::malformed);
    EXPECT_EQ(cut.where, "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression");
    EXPECT_NE(rejected(test::draco_document(grid, "nothing of the kind")).detail.find("damaged"),
              std::string::npos);
}

} // namespace
} // namespace vitrine
