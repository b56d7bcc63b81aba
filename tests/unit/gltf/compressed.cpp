#include "tests/unit/gltf/compressed.hpp"

#include <algorithm>
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

std::string_view extension_of(bool version_1)
{
    return version_1 ? "KHR_meshopt_compression" : "EXT_meshopt_compression";
}

// Sixteen deltas of four bits; the value fifteen is followed by a byte.
std::string four_bits(std::string deltas)
{
    deltas.resize(16);
    std::string packed, whole;
    for (std::size_t i = 0; i < deltas.size(); ++i) {
        const auto delta = static_cast<unsigned char>(deltas[i]);
        const unsigned nibble = std::min<unsigned>(delta, 15);
        if (i % 2 == 0)
            packed += static_cast<char>(nibble << 4);
        else
            packed.back() = static_cast<char>(static_cast<unsigned char>(packed.back()) | nibble);
        if (nibble == 15) whole += deltas[i];
    }
    return packed + whole;
}

bool all_zeros(std::string_view deltas)
{
    return deltas.find_first_not_of('\0') == std::string_view::npos;
}

// Groups of sixteen, with two bits each for their encoding: 0 for zeros, 3 for four bits.
std::string in_groups(const std::string& deltas)
{
    std::string modes((deltas.size() + 63) / 64, '\0'), groups;
    for (std::size_t g = 0; g * 16 < deltas.size(); ++g) {
        const std::string group = deltas.substr(g * 16, 16);
        if (all_zeros(group)) continue;
        modes[g / 4] = static_cast<char>(modes[g / 4] | 3 << (g % 4 * 2));
        groups += four_bits(group);
    }
    return modes + groups;
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

std::string meshopt_vertices_1(const void* data, std::size_t count, std::size_t stride)
{
    const auto* const bytes = static_cast<const unsigned char*>(data);
    const std::size_t most = std::min<std::size_t>(8192 / stride / 16 * 16, 256);
    std::string out = "\xa1";
    for (std::size_t first = 0; first < count; first += most) {
        std::string controls(stride / 4, '\0'), blocks;
        for (std::size_t b = 0; b < stride; ++b) {
            std::string deltas;
            for (std::size_t i = first; i < std::min(count, first + most); ++i) {
                const int difference = bytes[i * stride + b] - bytes[(i == 0 ? 0 : i - 1) * stride + b];
                const int step = (difference + 384) % 256 - 128;
                deltas += static_cast<char>(step < 0 ? -2 * step - 1 : 2 * step);
            }
            const bool zeros = all_zeros(deltas), literal = !zeros && b % 4 == 3;
            controls[b / 4] = static_cast<char>(controls[b / 4] | (zeros     ? 2
                                                                   : literal ? 3
                                                                             : 0)
                                                                      << (b % 4 * 2));
            if (!zeros) blocks += literal ? deltas : in_groups(deltas);
        }
        out += controls + blocks;
    }
    const std::size_t tail = stride + stride / 4;
    out.append(tail < 24 ? 24 - tail : 0, '\0');
    out.append(reinterpret_cast<const char*>(bytes), stride);
    return out.append(stride / 4, '\0');
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
    const bool attributes = mode == "ATTRIBUTES", version_1 = compressed.starts_with('\xa1');
    return builder.add("bufferViews", fmt::format(R"({{"buffer":1,"byteLength":{}{},"extensions":{{"{}":
        {{{},"count":{},"byteStride":{},"mode":"{}"{}}}}}}})",
                                                  count * stride,
                                                  attributes ? fmt::format(",\"byteStride\":{}", stride) : "",
                                                  extension_of(version_1), data, count, stride, mode, more));
}

GltfBuilder meshopt_document(const Grid& grid, decltype(&meshopt_vertices) encode)
{
    const std::size_t vertices = grid.positions.size() / 3;
    GltfBuilder builder;
    // The fallback buffer for readers without the extension, which is missing.
    builder.root(fmt::format(R"("extensionsUsed":["{0}"],"extensionsRequired":["{0}"])",
                             extension_of(encode == meshopt_vertices_1)));
    const int positions =
        meshopt_view(builder, encode(grid.positions.data(), vertices, 12), vertices, 12, "ATTRIBUTES");
    const int normals =
        meshopt_view(builder, encode(grid.normals.data(), vertices, 12), vertices, 12, "ATTRIBUTES");
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
