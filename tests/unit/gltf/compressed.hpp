#pragma once
// Documents whose geometry is compressed, made with the encoders of the libraries that the loader decodes
// with.

#include <vector>

#include "tests/unit/gltf/builder.hpp"

namespace vitrine::test {

// A wavy grid of `side` x `side` vertices facing +Z, the geometry of every document here.
struct Grid {
    explicit Grid(unsigned side);
    std::vector<float> positions; // x y z
    std::vector<float> normals;
    std::vector<std::uint32_t> indices;
};

// The bytes of accessor-ready data after meshopt's codecs.
std::string meshopt_vertices(const void* data, std::size_t count, std::size_t stride);
// Version 1 of the same (KHR_meshopt_compression), of which the library of Debian 12 knows nothing: zeros,
// groups of four bits, and the highest byte of each four as it is.
std::string meshopt_vertices_1(const void* data, std::size_t count, std::size_t stride);
std::string meshopt_triangles(const std::vector<std::uint32_t>& indices, std::size_t vertices);
std::string meshopt_sequence(const std::vector<std::uint32_t>& indices, std::size_t vertices);

// Adds a buffer view whose bytes are `compressed`, by the extension that has their version, of `count`
// elements of `stride` bytes. `more` are further members of the extension: ",\"filter\":\"EXPONENTIAL\"".
int meshopt_view(GltfBuilder& builder, const std::string& compressed, std::size_t count, std::size_t stride,
                 std::string_view mode, const std::string& more = {});

// Its attributes by `encode`.
GltfBuilder meshopt_document(const Grid& grid, decltype(&meshopt_vertices) encode = meshopt_vertices);

// Draco's bytes of the grid; attribute 0 holds positions, 1 normals.
std::string draco_bytes(const Grid& grid);
GltfBuilder draco_document(const Grid& grid, const std::string& bytes);

} // namespace vitrine::test
