#pragma once
// Documents with compressed geometry, created with the encoders of the libraries whose decoders the loader
// uses.

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

// Returns accessor data encoded by meshopt's codecs.
std::string meshopt_vertices(const void* data, std::size_t count, std::size_t stride);
// Version 1 of the same (KHR_meshopt_compression), which Debian 12's library does not support: zeros, groups
// of four bits, and the highest byte of each four as literals.
std::string meshopt_vertices_1(const void* data, std::size_t count, std::size_t stride);
std::string meshopt_triangles(const std::vector<std::uint32_t>& indices, std::size_t vertices);
std::string meshopt_sequence(const std::vector<std::uint32_t>& indices, std::size_t vertices);

// Adds a buffer view with the bytes `compressed`, by the extension for their version, with `count` elements
// of `stride` bytes. `more`: further members of the extension, such as ",\"filter\":\"EXPONENTIAL\"".
int meshopt_view(GltfBuilder& builder, const std::string& compressed, std::size_t count, std::size_t stride,
                 std::string_view mode, const std::string& more = {});

// Encodes its attributes by `encode`.
GltfBuilder meshopt_document(const Grid& grid, decltype(&meshopt_vertices) encode = meshopt_vertices);

// The grid encoded by Draco; attribute 0 has positions, 1 normals.
std::string draco_bytes(const Grid& grid);
GltfBuilder draco_document(const Grid& grid, const std::string& bytes);

} // namespace vitrine::test
