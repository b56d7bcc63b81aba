#include "tests/unit/gltf/compressed.hpp"

#include <cmath>

#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#include <fmt/format.h>
#include <meshoptimizer.h>

namespace vitrine::test {
namespace {

std::string to_string(const std::vector<unsigned char>& bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class Encode>
std::string encoded(std::size_t bound, Encode encode)
{
    std::vector<unsigned char> out(bound);
    out.resize(encode(out.data(), out.size()));
    return to_string(out);
}

} // namespace

Grid::Grid(unsigned side)
{
    for (unsigned y = 0; y < side; ++y)
        for (unsigned x = 0; x < side; ++x) {
            const float slope = 0.5f * std::cos(static_cast<float>(x));
            const float length = std::sqrt(1.0f + slope * slope);
            positions.insert(positions.end(), {static_cast<float>(x), static_cast<float>(y),
                                               0.5f * std::sin(static_cast<float>(x))});
            normals.insert(normals.end(), {-slope / length, 0.0f, 1.0f / length});
        }
    for (unsigned y = 0; y + 1 < side; ++y)
        for (unsigned x = 0; x + 1 < side; ++x) {
            const unsigned at = y * side + x;
            indices.insert(indices.end(), {at, at + 1, at + side, at + 1, at + side + 1, at + side});
        }
}

std::string meshopt_vertices(const void* data, std::size_t count, std::size_t stride)
{
    return encoded(meshopt_encodeVertexBufferBound(count, stride), [&](unsigned char* out, std::size_t size) {
        return meshopt_encodeVertexBuffer(out, size, data, count, stride);
    });
}

std::string meshopt_triangles(const std::vector<std::uint32_t>& indices, std::size_t vertices)
{
    return encoded(meshopt_encodeIndexBufferBound(indices.size(), vertices),
                   [&](unsigned char* out, std::size_t size) {
                       return meshopt_encodeIndexBuffer(out, size, indices.data(), indices.size());
                   });
}

std::string meshopt_sequence(const std::vector<std::uint32_t>& indices, std::size_t vertices)
{
    return encoded(meshopt_encodeIndexSequenceBound(indices.size(), vertices),
                   [&](unsigned char* out, std::size_t size) {
                       return meshopt_encodeIndexSequence(out, size, indices.data(), indices.size());
                   });
}

int meshopt_view(GltfBuilder& builder, const std::string& compressed, std::size_t count, std::size_t stride,
                 std::string_view mode, const std::string& more)
{
    const std::string data = builder.slice(compressed);
    const bool attributes = mode == "ATTRIBUTES";
    return builder.add("bufferViews",
                       fmt::format(R"({{"buffer":1,"byteLength":{}{},"extensions":{{"EXT_meshopt_compression":
        {{{},"count":{},"byteStride":{},"mode":"{}"{}}}}}}})",
                                   count * stride,
                                   attributes ? fmt::format(",\"byteStride\":{}", stride) : "", data, count,
                                   stride, mode, more));
}

GltfBuilder meshopt_document(const Grid& grid)
{
    const std::size_t vertices = grid.positions.size() / 3;
    GltfBuilder builder;
    // The buffer that a reader without the extension would use: there is none.
    builder.root(
        R"("extensionsUsed":["EXT_meshopt_compression"],"extensionsRequired":["EXT_meshopt_compression"])");
    const int positions = meshopt_view(builder, meshopt_vertices(grid.positions.data(), vertices, 12),
                                       vertices, 12, "ATTRIBUTES");
    const int normals = meshopt_view(builder, meshopt_vertices(grid.normals.data(), vertices, 12), vertices,
                                     12, "ATTRIBUTES");
    const int indices =
        meshopt_view(builder, meshopt_triangles(grid.indices, vertices), grid.indices.size(), 4, "TRIANGLES");
    builder.accessor_in(positions, vertices, 5126, "VEC3", R"(,"min":[-1,-1,-1],"max":[1,1,1])");
    builder.accessor_in(normals, vertices, 5126, "VEC3");
    builder.accessor_in(indices, grid.indices.size(), 5125, "SCALAR");
    builder.mesh(R"("POSITION":0,"NORMAL":1)", R"(,"indices":2)");
    builder.add("nodes", R"({"mesh":0})");
    return builder;
}

std::string draco_bytes(const Grid& grid)
{
    draco::TriangleSoupMeshBuilder soup;
    soup.Start(static_cast<int>(grid.indices.size() / 3));
    const int positions = soup.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
    const int normals = soup.AddAttribute(draco::GeometryAttribute::NORMAL, 3, draco::DT_FLOAT32);
    for (std::size_t f = 0; f * 3 < grid.indices.size(); ++f) {
        const draco::FaceIndex face(static_cast<std::uint32_t>(f));
        const std::uint32_t* corner = &grid.indices[f * 3];
        soup.SetAttributeValuesForFace(positions, face, &grid.positions[std::size_t{corner[0]} * 3],
                                       &grid.positions[std::size_t{corner[1]} * 3],
                                       &grid.positions[std::size_t{corner[2]} * 3]);
        soup.SetAttributeValuesForFace(normals, face, &grid.normals[std::size_t{corner[0]} * 3],
                                       &grid.normals[std::size_t{corner[1]} * 3],
                                       &grid.normals[std::size_t{corner[2]} * 3]);
    }
    draco::Encoder encoder;
    encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, 16);
    encoder.SetAttributeQuantization(draco::GeometryAttribute::NORMAL, 12);
    draco::EncoderBuffer buffer;
    EXPECT_TRUE(encoder.EncodeMeshToBuffer(*soup.Finalize(), &buffer).ok());
    return {buffer.data(), buffer.size()};
}

GltfBuilder draco_document(const Grid& grid, const std::string& bytes)
{
    const std::size_t vertices = grid.positions.size() / 3;
    GltfBuilder builder;
    builder.root(
        R"("extensionsUsed":["KHR_draco_mesh_compression"],"extensionsRequired":["KHR_draco_mesh_compression"])");
    builder.accessor_in(-1, vertices, 5126, "VEC3");
    builder.accessor_in(-1, vertices, 5126, "VEC3");
    builder.accessor_in(-1, grid.indices.size(), 5125, "SCALAR");
    builder.mesh(R"("POSITION":0,"NORMAL":1)",
                 fmt::format(R"(,"indices":2,"extensions":{{"KHR_draco_mesh_compression":
        {{"bufferView":{},"attributes":{{"POSITION":0,"NORMAL":1}}}}}})",
                             builder.view(bytes)));
    builder.add("nodes", R"({"mesh":0})");
    return builder;
}

} // namespace vitrine::test
