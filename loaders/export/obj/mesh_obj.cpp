#include <iterator>
#include <span>

#include <fmt/format.h>

#include "loaders/export/obj/distinct_values.hpp"
#include "loaders/export/obj/mesh_files.hpp"
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

// The numbers of positions, texture coordinates and normals by vertex of the mesh. Those that several
// vertices have are written once, such as positions of flat triangles and their normals.
struct Numbering {
    DistinctValues positions, uvs, normals;
};

struct ColoredPosition {
    glm::vec3 position;
    glm::vec4 color;
};

DistinctValues number_positions(const BakedMesh& mesh)
{
    if (mesh.colors.empty()) return find_distinct(std::span(mesh.positions));
    std::vector<ColoredPosition> values(mesh.positions.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = {mesh.positions[i], mesh.colors[i]};
    return find_distinct(std::span<const ColoredPosition>(values));
}

// Calls `write_line(vertex)` for the first vertex of each value.
void write_distinct(const DistinctValues& values, PieceBuffer& buffer, auto write_line)
{
    std::uint32_t written = 0;
    for (std::size_t i = 0; i < values.numbers.size(); ++i) {
        if (values.numbers[i] != written) continue;
        write_line(i);
        ++written;
        buffer.flush_if_full();
    }
}

// Positions far from zero need more digits than a float has; fifteen digits are exact for any double.
void write_positions(const BakedMesh& mesh, const DistinctValues& positions, PieceBuffer& buffer)
{
    const Out out(buffer.bytes);
    const bool is_far = mesh.origin != glm::dvec3(0.0);
    write_distinct(positions, buffer, [&](std::size_t i) {
        const auto& p = mesh.positions[i];
        const glm::dvec3 at = mesh.origin + glm::dvec3(p);
        if (is_far)
            fmt::format_to(out, "v {:.15g} {:.15g} {:.15g}", at.x, at.y, at.z);
        else
            fmt::format_to(out, "v {} {} {}", p.x, p.y, p.z);
        if (!mesh.colors.empty()) write_color(mesh.colors[i], out);
        fmt::format_to(out, "\n");
    });
}

void write_vertices(const BakedMesh& mesh, const Numbering& numbering, PieceBuffer& buffer)
{
    const Out out(buffer.bytes);
    write_positions(mesh, numbering.positions, buffer);
    write_distinct(numbering.uvs, buffer, [&](std::size_t i) {
        fmt::format_to(out, "vt {} {}\n", mesh.uvs[i].x, 1.0f - mesh.uvs[i].y);
    });
    write_distinct(numbering.normals, buffer, [&](std::size_t i) {
        const auto& n = mesh.normals[i];
        fmt::format_to(out, "vn {} {} {}\n", n.x, n.y, n.z);
    });
}

// OBJ counts from 1.
std::uint64_t number_of(const DistinctValues& values, std::uint32_t vertex)
{
    return std::uint64_t{values.numbers[vertex]} + 1;
}

void write_corner(const Numbering& numbering, std::uint32_t vertex, Out out)
{
    const auto position = number_of(numbering.positions, vertex);
    const auto normal = number_of(numbering.normals, vertex);
    if (numbering.uvs.count > 0)
        fmt::format_to(out, " {}/{}/{}", position, number_of(numbering.uvs, vertex), normal);
    else
        fmt::format_to(out, " {}//{}", position, normal);
}

void write_faces(const Numbering& numbering, IndexSpan corners, PieceBuffer& buffer)
{
    const Out out(buffer.bytes);
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
        fmt::format_to(out, "f");
        for (const auto corner : corners.subspan(i, 3))
            write_corner(numbering, corner, out);
        fmt::format_to(out, "\n");
        buffer.flush_if_full();
    }
}

void write_lines_and_points(const DistinctValues& positions, IndexSpan lines, IndexSpan points,
                            PieceBuffer& buffer)
{
    const Out out(buffer.bytes);
    for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
        fmt::format_to(out, "l {} {}\n", number_of(positions, lines[i]), number_of(positions, lines[i + 1]));
        buffer.flush_if_full();
    }
    for (const auto point : points) {
        fmt::format_to(out, "p {}\n", number_of(positions, point));
        buffer.flush_if_full();
    }
}

} // namespace

void write_mesh_obj(const BakedMesh& mesh, const MeshSink& sink)
{
    PieceBuffer buffer(sink);
    buffer.bytes = "# Vitrine\n";
    const Numbering numbering{.positions = number_positions(mesh),
                              .uvs = find_distinct(std::span(mesh.uvs)),
                              .normals = find_distinct(std::span(mesh.normals))};
    write_vertices(mesh, numbering, buffer);
    IndexSpan triangles(mesh.triangles), lines(mesh.lines), points(mesh.points);
    for (const auto& part : mesh.parts) {
        fmt::format_to(Out(buffer.bytes), "o {}\n", one_line(part.name));
        write_faces(numbering, triangles.first(part.triangles), buffer);
        write_lines_and_points(numbering.positions, lines.first(part.lines), points.first(part.points),
                               buffer);
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
