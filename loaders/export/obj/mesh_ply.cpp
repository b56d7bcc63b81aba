#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "loaders/export/obj/mesh_files.hpp"
#include "loaders/export/obj/piece_buffer.hpp"
#include "loaders/export/srgb_color.hpp"

namespace vitrine {
namespace {

static_assert(std::endian::native == std::endian::little,
              "PLY declares little-endian values, which are copied from memory");

template <class T>
void put(std::string& out, const T& value)
{
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Returns whether positions need double precision.
bool is_far(const BakedMesh& mesh)
{
    return mesh.origin != glm::dvec3(0.0);
}

// Of what a screen shows.
std::array<std::uint8_t, 4> bytes_of(const glm::vec4& c)
{
    const auto byte = [](float v) { return static_cast<std::uint8_t>(std::lround(255.0f * v)); };
    using exporting::to_srgb;
    return {byte(to_srgb(c.x)), byte(to_srgb(c.y)), byte(to_srgb(c.z)), byte(std::clamp(c.w, 0.0f, 1.0f))};
}

std::string header_of(const BakedMesh& mesh)
{
    std::string text = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment Vitrine\nelement vertex {}\n", mesh.positions.size());
    for (const auto* property : {"x", "y", "z"})
        text += fmt::format("property {} {}\n", is_far(mesh) ? "double" : "float", property);
    for (const auto* property : {"nx", "ny", "nz"})
        text += fmt::format("property float {}\n", property);
    if (!mesh.uvs.empty()) text += "property float s\nproperty float t\n";
    for (const auto* property : {"red", "green", "blue", "alpha"})
        if (!mesh.colors.empty()) text += fmt::format("property uchar {}\n", property);
    text +=
        fmt::format("element face {}\nproperty list uchar int vertex_indices\n", mesh.triangles.size() / 3);
    if (!mesh.lines.empty())
        text += fmt::format("element edge {}\nproperty int vertex1\nproperty int vertex2\n",
                            mesh.lines.size() / 2);
    return text + "end_header\n";
}

void write_vertex_records(const BakedMesh& mesh, PieceBuffer& buffer)
{
    std::string& out = buffer.bytes;
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        if (is_far(mesh))
            put(out, mesh.origin + glm::dvec3(mesh.positions[i]));
        else
            put(out, mesh.positions[i]);
        put(out, mesh.normals[i]);
        if (!mesh.uvs.empty()) put(out, glm::vec2(mesh.uvs[i].x, 1.0f - mesh.uvs[i].y));
        if (!mesh.colors.empty()) put(out, bytes_of(mesh.colors[i]));
        buffer.flush_if_full();
    }
}

void write_faces(const BakedMesh& mesh, PieceBuffer& buffer)
{
    std::string& out = buffer.bytes;
    for (std::size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
        put(out, std::uint8_t{3});
        for (std::size_t corner = 0; corner < 3; ++corner)
            put(out, static_cast<std::int32_t>(mesh.triangles[i + corner]));
        buffer.flush_if_full();
    }
}

void write_edges(const BakedMesh& mesh, PieceBuffer& buffer)
{
    for (std::size_t i = 0; i + 1 < mesh.lines.size(); i += 2) {
        put(buffer.bytes, static_cast<std::int32_t>(mesh.lines[i]));
        put(buffer.bytes, static_cast<std::int32_t>(mesh.lines[i + 1]));
        buffer.flush_if_full();
    }
}

} // namespace

void write_mesh_ply(const BakedMesh& mesh, const MeshSink& sink)
{
    PieceBuffer buffer(sink);
    buffer.bytes = header_of(mesh);
    write_vertex_records(mesh, buffer);
    write_faces(mesh, buffer);
    write_edges(mesh, buffer);
    buffer.flush();
}

std::string write_mesh_ply(const BakedMesh& mesh)
{
    std::string bytes;
    write_mesh_ply(mesh, [&](std::string_view piece) { bytes += piece; });
    return bytes;
}

} // namespace vitrine
