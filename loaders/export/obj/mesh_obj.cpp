#include "loaders/export/obj/mesh_obj.hpp"

#include <iterator>
#include <span>

#include <fmt/format.h>

#include "loaders/export/obj/piece_buffer.hpp"
#include "loaders/export/srgb_color.hpp"

namespace vitrine {
namespace {

using Out = std::back_insert_iterator<std::string>;
using IndexSpan = std::span<const std::uint32_t>;

std::string one_line(std::string name)
{
    for (char& c : name)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\') c = '_';
    return name.empty() ? "mesh" : name;
}

// Appends a color after the position, an extension that many programs write and read; OBJ itself has no
// colors.
void write_color(const glm::vec4& c, Out out)
{
    using exporting::to_srgb;
    fmt::format_to(out, " {} {} {}", to_srgb(c.x), to_srgb(c.y), to_srgb(c.z));
}

// Positions far from zero need more digits than a float has; fifteen digits are exact for any double.
void write_positions(const BakedMesh& mesh, PieceBuffer& buffer)
{
    const Out out(buffer.bytes);
    const bool is_far = mesh.origin != glm::dvec3(0.0);
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        const auto& p = mesh.positions[i];
        const glm::dvec3 at = mesh.origin + glm::dvec3(p);
        if (is_far)
            fmt::format_to(out, "v {:.15g} {:.15g} {:.15g}", at.x, at.y, at.z);
        else
            fmt::format_to(out, "v {} {} {}", p.x, p.y, p.z);
        if (!mesh.colors.empty()) write_color(mesh.colors[i], out);
        fmt::format_to(out, "\n");
        buffer.flush_if_full();
    }
}

void write_vertices(const BakedMesh& mesh, PieceBuffer& buffer)
{
    const Out out(buffer.bytes);
    write_positions(mesh, buffer);
    for (const auto& uv : mesh.uvs) {
        fmt::format_to(out, "vt {} {}\n", uv.x, 1.0f - uv.y);
        buffer.flush_if_full();
    }
    for (const auto& n : mesh.normals) {
        fmt::format_to(out, "vn {} {} {}\n", n.x, n.y, n.z);
        buffer.flush_if_full();
    }
}

void write_corner(std::uint32_t index, bool uvs, Out out)
{
    const std::uint64_t number = std::uint64_t{index} + 1;
    if (uvs)
        fmt::format_to(out, " {0}/{0}/{0}", number);
    else
        fmt::format_to(out, " {0}//{0}", number);
}

void write_faces(IndexSpan corners, bool uvs, PieceBuffer& buffer)
{
    const Out out(buffer.bytes);
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
        fmt::format_to(out, "f");
        for (const auto corner : corners.subspan(i, 3))
            write_corner(corner, uvs, out);
        fmt::format_to(out, "\n");
        buffer.flush_if_full();
    }
}

void write_lines_and_points(IndexSpan lines, IndexSpan points, PieceBuffer& buffer)
{
    const Out out(buffer.bytes);
    for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
        fmt::format_to(out, "l {} {}\n", std::uint64_t{lines[i]} + 1, std::uint64_t{lines[i + 1]} + 1);
        buffer.flush_if_full();
    }
    for (const auto point : points) {
        fmt::format_to(out, "p {}\n", std::uint64_t{point} + 1);
        buffer.flush_if_full();
    }
}

} // namespace

void write_mesh_obj(const BakedMesh& mesh, const MeshSink& sink)
{
    PieceBuffer buffer(sink);
    buffer.bytes = "# Vitrine\n";
    write_vertices(mesh, buffer);
    IndexSpan triangles(mesh.triangles), lines(mesh.lines), points(mesh.points);
    for (const auto& part : mesh.parts) {
        fmt::format_to(Out(buffer.bytes), "o {}\n", one_line(part.name));
        write_faces(triangles.first(part.triangles), !mesh.uvs.empty(), buffer);
        write_lines_and_points(lines.first(part.lines), points.first(part.points), buffer);
        triangles = triangles.subspan(part.triangles);
        lines = lines.subspan(part.lines);
        points = points.subspan(part.points);
    }
    buffer.flush();
}

std::string write_mesh_obj(const BakedMesh& mesh)
{
    std::string text;
    write_mesh_obj(mesh, [&](std::string_view piece) { text += piece; });
    return text;
}

} // namespace vitrine
