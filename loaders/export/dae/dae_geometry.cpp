#include "loaders/export/dae/dae_libraries.hpp"

#include "loaders/export/dae/dae_text.hpp"
#include "loaders/export/srgb_color.hpp"
#include "loaders/scene/uv_sets.hpp"

namespace vitrine::exporting {
namespace {

template <class Vectors>
std::vector<float> floats(const Vectors& vectors)
{
    std::vector<float> out;
    for (const auto& v : vectors)
        for (glm::length_t i = 0; i < v.length(); ++i)
            out.push_back(v[i]);
    return out;
}

std::vector<float> upwards(std::span<const glm::vec2> uvs)
{
    std::vector<float> out;
    for (const glm::vec2& uv : uvs) {
        out.push_back(uv.x);
        out.push_back(1.0f - uv.y);
    }
    return out;
}

void write_primitive(const std::string& id, const scene::Mesh& mesh, const scene::Primitive& primitive,
                     DaeText& out)
{
    if (primitive.topology == scene::Topology::points) return; // not supported by COLLADA
    const bool lines = primitive.topology == scene::Topology::lines;
    const char* kind = lines ? "lines" : "triangles";
    out.line("<{} material=\"m{}\" count=\"{}\">", kind, static_cast<std::int64_t>(primitive.material),
             primitive.count / (lines ? 2 : 3));
    out.line("<input semantic=\"VERTEX\" source=\"#{}-vertices\" offset=\"0\"/>", id);
    out.line("<input semantic=\"NORMAL\" source=\"#{}-normals\" offset=\"0\"/>", id);
    for (std::uint32_t set = 0; set < scene::uv_set_count(mesh); ++set)
        if (!scene::uvs_of(mesh, set).empty())
            out.line("<input semantic=\"TEXCOORD\" source=\"#{0}-uv{1}\" offset=\"0\" set=\"{1}\"/>", id,
                     set);
    if (!mesh.colors.empty()) out.line("<input semantic=\"COLOR\" source=\"#{}-colors\" offset=\"0\"/>", id);
    out.text() += "<p>";
    for (std::uint32_t i = primitive.first; i < primitive.first + primitive.count; ++i)
        fmt::format_to(std::back_inserter(out.text()), "{} ", mesh.indices[i]);
    out.line("</p></{}>", kind);
}

void write_mesh(const std::string& id, const scene::Mesh& mesh, std::span<const glm::vec3> positions,
                std::span<const glm::vec3> normals, DaeText& out)
{
    out.line("<geometry id=\"{}\" name=\"{}\"><mesh>", id, escaped(mesh.name));
    out.source(id + "-positions", floats(positions), 3, "X Y Z");
    out.source(id + "-normals", floats(normals), 3, "X Y Z");
    for (std::uint32_t set = 0; set < scene::uv_set_count(mesh); ++set)
        if (const auto& uvs = scene::uvs_of(mesh, set); !uvs.empty())
            out.source(fmt::format("{}-uv{}", id, set), upwards(uvs), 2, "S T");
    if (!mesh.colors.empty()) {
        auto colors = mesh.colors;
        for (glm::vec4& c : colors)
            c = {to_srgb(c.x), to_srgb(c.y), to_srgb(c.z), c.w};
        out.source(id + "-colors", floats(colors), 4, "R G B A");
    }
    out.line("<vertices id=\"{0}-vertices\">"
             "<input semantic=\"POSITION\" source=\"#{0}-positions\"/></vertices>",
             id);
    for (const scene::Primitive& primitive : mesh.primitives)
        write_primitive(id, mesh, primitive, out);
    out.line("</mesh></geometry>");
}

// A morph target is a complete mesh.
void write_shape(const std::string& id, const scene::Mesh& mesh, const scene::MorphTarget& target,
                 DaeText& out)
{
    scene::Mesh shape;
    shape.name = target.name;
    shape.indices = mesh.indices;
    shape.primitives = mesh.primitives;
    auto positions = mesh.positions, normals = mesh.normals;
    for (std::size_t i = 0; i < target.vertices.size(); ++i) {
        positions[target.vertices[i]] += target.position_deltas[i];
        if (!target.normal_deltas.empty()) normals[target.vertices[i]] += target.normal_deltas[i];
    }
    write_mesh(id, shape, positions, normals, out);
}

} // namespace

void write_dae_geometries(const scene::Scene& scene, DaeText& out)
{
    for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
        const scene::Mesh& mesh = scene.meshes[m];
        write_mesh(fmt::format("mesh-{}", m), mesh, mesh.positions, mesh.normals, out);
        for (std::size_t t = 0; t < mesh.morph_targets.size(); ++t)
            write_shape(fmt::format("mesh-{}-target-{}", m, t), mesh, mesh.morph_targets[t], out);
    }
}

} // namespace vitrine::exporting
