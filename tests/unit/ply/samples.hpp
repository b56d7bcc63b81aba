#pragma once
// Small PLY files with manually computable values.

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "loaders/ply/ply.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test {

inline std::string ply_header(const std::string& elements, const std::string& format = "ascii")
{
    return "ply\nformat " + format + " 1.0\n" + elements + "end_header\n";
}

inline const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
inline const std::string face_list = "property list uchar int vertex_indices\n";
inline const std::string square_vertices = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";

// A square in the plane z = 0, facing +Z.
inline const std::string square_ply =
    ply_header("comment made by hand\nelement vertex 4\n" + xyz + "element face 1\n" + face_list) +
    square_vertices + "4 0 1 2 3\n";

inline LoadResult<scene::Scene> try_ply(const std::string& bytes, const Limits& limits = {},
                                        std::map<std::string, std::string> others = {})
{
    others["scan.ply"] = bytes;
    MemorySource source("scan.ply", std::move(others));
    return load_ply(source, limits);
}

inline scene::Scene load_ply_bytes(const std::string& bytes, std::map<std::string, std::string> others = {})
{
    return valid(try_ply(bytes, {}, std::move(others)));
}

// Faces with shared vertices and without normals.
inline scene::Scene load_flat_ply(const std::string& bytes)
{
    MemorySource source("scan.ply", {{"scan.ply", bytes}});
    auto loaded = load_ply_with_flat_meshes(source, {});
    EXPECT_TRUE(loaded) << error_text(loaded);
    if (!loaded) return {};
    EXPECT_TRUE(scene::validate(*loaded, scene::FlatMeshes::allowed));
    return *std::move(loaded);
}

// Appends the bytes of a value, reversed for big endian.
template <class T>
void put_value(std::string& bytes, T value, bool big_endian)
{
    std::string own(reinterpret_cast<const char*>(&value), sizeof value);
    if (big_endian) own.assign(own.rbegin(), own.rend());
    bytes += own;
}

// A triangle with colors, unknown elements around it, and a property of every type.
inline std::string every_type_ply(bool big_endian)
{
    std::string bytes =
        ply_header("obj_info everything\nelement junk 2\nproperty list ushort int16 numbers\n"
                   "property uint8 flag\nelement face 1\nproperty list uint32 uint vertex_index\n"
                   "property uchar red\nproperty uchar green\nproperty uchar blue\n"
                   "element vertex 3\nproperty char tag\nproperty double x\nproperty float32 y\n"
                   "property short z\nproperty ushort weight\nproperty float64 quality\n"
                   "element tail 1\nproperty int8 end\n",
                   big_endian ? "binary_big_endian" : "binary_little_endian");
    const auto put = [&](auto value) { put_value(bytes, value, big_endian); };
    put(std::uint16_t{2});
    put(std::int16_t{-1});
    put(std::int16_t{7});
    put(std::uint8_t{1});
    put(std::uint16_t{0});
    put(std::uint8_t{1});
    put(std::uint32_t{3});
    for (const std::uint32_t corner : {0u, 1u, 2u})
        put(corner);
    for (const int part : {255, 0, 0})
        put(static_cast<std::uint8_t>(part));
    for (const auto& [x, y, z] : {std::array{0, 0, 0}, std::array{300, 0, -2}, std::array{0, 300, -2}}) {
        put(std::int8_t{-5});
        put(static_cast<double>(x));
        put(static_cast<float>(y));
        put(static_cast<std::int16_t>(z));
        put(std::uint16_t{65535});
        put(0.5);
    }
    put(std::int8_t{1});
    return bytes;
}

// Attributes of vertices and faces, a texture, strips and edges.
inline const std::string rich_ply =
    ply_header("comment TextureFile a.png\nelement vertex 4\n" + xyz +
               "property float nx\nproperty float ny\nproperty float nz\nproperty float s\nproperty float t\n"
               "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n"
               "element face 2\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n"
               "property int texnumber\nproperty float red\nproperty float green\nproperty float blue\n"
               "element tristrips 1\nproperty list int int vertex_indices\n"
               "element edge 1\nproperty int vertex1\nproperty int vertex2\n") +
    "0 0 0 0 0 1 0 0 1 2 3 99\n1 0 0 0 0 1 1 0 1 2 3 99\n1 1 0 0 0 1 1 1 1 2 3 99\n0 1 0 0 0 1 0 1 1 2 3 99\n"
    "4 0 1 2 3 8 0 0 1 0 1 1 0 1 0 .1 .2 .3\n3 0 1 2 0 0 1 0 0\n6 0 1 2 -1 1 2\n0 2\n";

} // namespace vitrine::test
