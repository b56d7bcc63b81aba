#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "loaders/io/key_table.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/ply/document.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::ply {
namespace {

// A vertex of the mesh where faces have colors or their corners texture coordinates: vertex of the file, bits
// of the texture coordinate, color of its face (number of the first face with it).
using FaceVertices = io::KeyTable<4>;

class MeshMaker {
public:
    MeshMaker(Document& document, const std::string& name, const MeshMaterials& materials,
              const Limits& limits, io::WarningLog& warnings, scene::Scene& scene)
        : document_(document), name_(name), materials_(materials), limits_(limits), warnings_(warnings),
          scene_(scene)
    {
    }
    LoadResult<void> run();

private:
    using Done = LoadResult<void>;

    Done collect_triangles();
    bool has_valid_corners(std::span<const std::uint32_t> corners);
    Done add_triangles(std::size_t face, std::span<const std::uint32_t> corners, std::uint32_t first_corner);
    std::uint32_t vertex_of(std::size_t face, std::uint32_t corner);
    std::uint32_t material_of(std::size_t face) const;
    std::uint32_t color_number(std::size_t face);
    Done add_faces();
    Done add_edges();
    Done add_points();
    Done add_mesh(scene::Mesh mesh, const std::string& name);
    void fill_vertices(scene::Mesh& mesh);
    void fill_split_vertices(scene::Mesh& mesh) const;
    bool is_invalid(std::uint32_t vertex) const
    {
        return vertex >= document_.vertices.positions.size() ||
               (!document_.vertices.invalid.empty() && document_.vertices.invalid[vertex]);
    }

    Document& document_;
    const std::string& name_;
    const MeshMaterials& materials_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    scene::Scene& scene_;
    bool is_split_ = false;
    FaceVertices split_;
    std::map<std::array<float, 4>, std::uint32_t> color_numbers_;   // first face with this color
    std::map<std::uint32_t, std::vector<std::uint32_t>> triangles_; // indices by material
    std::uint64_t index_count_ = 0;
    std::vector<std::uint32_t> offsets_; // of one face
};

LoadResult<void> MeshMaker::run()
{
    Faces& faces = document_.faces;
    if (!faces.colors.empty()) faces.colors.resize(faces.ends.size(), glm::vec4(1.0f));
    if (!faces.textures.empty()) faces.textures.resize(faces.ends.size());
    if (!faces.uvs.empty()) faces.uvs.resize(faces.corners.size());
    is_split_ = !faces.colors.empty() || !faces.uvs.empty();
    if (faces.ends.empty() && document_.edges.empty()) return add_points();
    if (auto added = add_edges(); !added) return added; // before add_faces() moves the vertices
    if (!faces.ends.empty()) return add_faces();
    return scene_.meshes.empty() ? add_points() : Done();
}

bool MeshMaker::has_valid_corners(std::span<const std::uint32_t> corners)
{
    if (corners.size() < 3) {
        if (warnings_.accepts("ply_short_face"))
            warnings_.store("ply_short_face",
                            fmt::format("a face of {} corners is not shown", corners.size()), "face");
        return false;
    }
    const auto invalid = std::ranges::find_if(corners, [this](std::uint32_t v) { return is_invalid(v); });
    if (invalid == corners.end()) return true;
    const bool is_missing = *invalid >= document_.vertices.positions.size();
    if (is_missing && warnings_.accepts("ply_index_out_of_range"))
        warnings_.store("ply_index_out_of_range",
                        "a face or edge has an index that is no vertex; it is not shown", "face");
    return false;
}

// Faces of equal colors share vertices.
std::uint32_t MeshMaker::color_number(std::size_t face)
{
    const glm::vec4& c = document_.faces.colors[face];
    return color_numbers_.try_emplace({c.x, c.y, c.z, c.w}, static_cast<std::uint32_t>(face)).first->second;
}

std::uint32_t MeshMaker::vertex_of(std::size_t face, std::uint32_t corner)
{
    const Faces& faces = document_.faces;
    if (!is_split_) return faces.corners[corner];
    FaceVertices::VertexKey key{faces.corners[corner]};
    if (!faces.uvs.empty()) {
        key[1] = std::bit_cast<std::uint32_t>(faces.uvs[corner].x);
        key[2] = std::bit_cast<std::uint32_t>(faces.uvs[corner].y);
    }
    if (!faces.colors.empty()) key[3] = color_number(face);
    return split_.find_or_add(key);
}

std::uint32_t MeshMaker::material_of(std::size_t face) const
{
    const auto& textures = document_.faces.textures;
    if (materials_.count == 0) return materials_.first;
    const std::uint32_t texture = textures.empty() ? 0 : textures[face];
    return materials_.first + (texture < materials_.count ? texture : 0);
}

LoadResult<void> MeshMaker::add_triangles(std::size_t face, std::span<const std::uint32_t> corners,
                                          std::uint32_t first_corner)
{
    offsets_.assign({0, 1, 2});
    if (corners.size() > 3) {
        offsets_.clear();
        if (!scene::triangulate(document_.vertices.positions, corners, offsets_))
            warnings_.add("ply_crossing_face",
                          "a face whose outline intersects itself very often is triangulated partly as a fan",
                          fmt::format("face {}", face));
    }
    index_count_ += offsets_.size();
    if (index_count_ > limits_.indices) return io::limit_exceeded_error("face", "indices", limits_.indices);
    std::vector<std::uint32_t>& indices = triangles_[material_of(face)];
    for (const std::uint32_t offset : offsets_)
        indices.push_back(vertex_of(face, first_corner + offset));
    if (split_.size() > limits_.vertices)
        return io::limit_exceeded_error("face", "vertices", limits_.vertices);
    return {};
}

LoadResult<void> MeshMaker::collect_triangles()
{
    const Faces& faces = document_.faces;
    std::uint32_t first = 0;
    for (std::size_t face = 0; face < faces.ends.size(); ++face) {
        const auto corners = std::span(faces.corners).subspan(first, faces.ends[face] - first);
        if (has_valid_corners(corners))
            if (auto added = add_triangles(face, corners, first); !added) return added;
        first = faces.ends[face];
    }
    if (triangles_.empty())
        return fail(LoadErrc::out_of_range, "face", "no face of the file has valid vertices");
    return {};
}

void MeshMaker::fill_split_vertices(scene::Mesh& mesh) const
{
    const VertexAttributes& vertices = document_.vertices;
    const Faces& faces = document_.faces;
    for (const auto& [vertex, u, v, color] : split_.keys()) {
        mesh.positions.push_back(vertices.positions[vertex]);
        if (!vertices.normals.empty()) mesh.normals.push_back(vertices.normals[vertex]);
        if (!faces.uvs.empty())
            mesh.uv0.push_back({std::bit_cast<float>(u), std::bit_cast<float>(v)});
        else if (!vertices.uvs.empty())
            mesh.uv0.push_back(vertices.uvs[vertex]);
        if (!faces.colors.empty())
            mesh.colors.push_back(faces.colors[color]);
        else if (!vertices.colors.empty())
            mesh.colors.push_back(vertices.colors[vertex]);
    }
}

void MeshMaker::fill_vertices(scene::Mesh& mesh)
{
    VertexAttributes& vertices = document_.vertices;
    mesh.positions = std::move(vertices.positions);
    mesh.normals = std::move(vertices.normals);
    mesh.uv0 = std::move(vertices.uvs);
    mesh.colors = std::move(vertices.colors);
}

LoadResult<void> MeshMaker::add_faces()
{
    if (auto collected = collect_triangles(); !collected) return collected;
    scene::Mesh mesh;
    if (is_split_)
        fill_split_vertices(mesh);
    else
        fill_vertices(mesh);
    if (materials_.hides_colors) mesh.colors = {};
    for (auto& [material, indices] : triangles_) {
        mesh.primitives.push_back({.first = static_cast<std::uint32_t>(mesh.indices.size()),
                                   .count = static_cast<std::uint32_t>(indices.size()),
                                   .material = material});
        if (triangles_.size() == 1)
            mesh.indices = std::move(indices);
        else
            mesh.indices.insert(mesh.indices.end(), indices.begin(), indices.end());
    }
    return add_mesh(std::move(mesh), name_);
}

// With copies of the vertices that they use.
LoadResult<void> MeshMaker::add_edges()
{
    const VertexAttributes& vertices = document_.vertices;
    io::KeyTable<1> used;
    scene::Mesh mesh;
    for (std::size_t e = 0; e + 1 < document_.edges.size(); e += 2) {
        const std::uint32_t a = document_.edges[e], b = document_.edges[e + 1];
        if (is_invalid(a) || is_invalid(b)) {
            if (warnings_.accepts("ply_index_out_of_range"))
                warnings_.store("ply_index_out_of_range",
                                "a face or edge has an index that is no vertex; it is not shown", "edge");
            continue;
        }
        mesh.indices.push_back(used.find_or_add({a}));
        mesh.indices.push_back(used.find_or_add({b}));
    }
    if (mesh.indices.empty()) return {};
    index_count_ += mesh.indices.size();
    for (const auto& [vertex] : used.keys()) {
        mesh.positions.push_back(vertices.positions[vertex]);
        if (!vertices.colors.empty()) mesh.colors.push_back(vertices.colors[vertex]);
    }
    mesh.normals.assign(mesh.positions.size(), glm::vec3(0.0f, 1.0f, 0.0f));
    mesh.primitives.push_back(
        {.topology = scene::Topology::lines, .count = static_cast<std::uint32_t>(mesh.indices.size())});
    return add_mesh(std::move(mesh), name_ + " edges");
}

LoadResult<void> MeshMaker::add_points()
{
    const std::size_t count = document_.vertices.positions.size();
    if (count > limits_.indices) return io::limit_exceeded_error("vertex", "indices", limits_.indices);
    scene::Mesh mesh;
    mesh.indices.reserve(count);
    for (std::uint32_t v = 0; v < count; ++v)
        if (!is_invalid(v)) mesh.indices.push_back(v);
    if (mesh.indices.empty()) return fail(LoadErrc::empty, "vertex", "no vertex has a finite position");
    fill_vertices(mesh);
    const bool has_normals = !mesh.normals.empty();
    if (!has_normals) mesh.normals.assign(count, glm::vec3(0.0f, 1.0f, 0.0f));
    mesh.primitives.push_back({.topology = scene::Topology::points,
                               .count = static_cast<std::uint32_t>(mesh.indices.size()),
                               .material = materials_.count == 0 ? materials_.first : scene::none,
                               .has_normals = has_normals});
    return add_mesh(std::move(mesh), name_);
}

LoadResult<void> MeshMaker::add_mesh(scene::Mesh mesh, const std::string& name)
{
    const auto number = static_cast<std::uint32_t>(scene_.meshes.size());
    if (number >= limits_.meshes) return io::limit_exceeded_error("", "meshes", limits_.meshes);
    if (number >= limits_.nodes) return io::limit_exceeded_error("", "nodes", limits_.nodes);
    mesh.name = name;
    scene::Node node;
    node.name = name;
    node.local.translation = glm::vec3(document_.vertices.origin);
    node.mesh = number;
    scene_.nodes.push_back(std::move(node));
    scene_.meshes.push_back(std::move(mesh));
    return {};
}

} // namespace

LoadResult<void> add_meshes(Document& document, const std::string& name, const MeshMaterials& materials,
                            const Limits& limits, io::WarningLog& warnings, scene::Scene& scene)
{
    return MeshMaker(document, name, materials, limits, warnings, scene).run();
}

} // namespace vitrine::ply
