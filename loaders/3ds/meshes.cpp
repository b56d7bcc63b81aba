#include "loaders/3ds/meshes.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "loaders/3ds/chunk.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::threeds {
namespace {

template <class T>
T load(Bytes array, std::size_t i)
{
    T value;
    std::memcpy(&value, array.data() + i * sizeof(T), sizeof(T));
    return value;
}

template <class Vector>
bool is_finite(const Vector& v)
{
    return std::isfinite(v.x + v.y) && std::isfinite(v[static_cast<int>(Vector::length()) - 1]);
}

// Replaces coordinates that are not finite.
constexpr float unset_coordinate = std::numeric_limits<float>::max();

class MeshBuilder {
public:
    MeshBuilder(const NamedObject& object, std::vector<std::uint32_t> materials, MeshContext& context)
        : object_(object), materials_(std::move(materials)), context_(context)
    {
    }

    LoadResult<std::optional<scene::Mesh>> make(const glm::dmat4& transform);

private:
    void place_points(const glm::dmat4& transform);
    void take_faces();
    void order_by_material();
    std::uint32_t vertex(std::uint16_t point, std::uint32_t normal);
    void fill_vertices(const CornerNormals& corner_normals, scene::Mesh& mesh);
    void fill_flat(scene::Mesh& mesh) const;
    glm::vec2 texture_point(std::uint16_t point) const;
    void fill_primitives(scene::Mesh& mesh) const;

    const NamedObject& object_;
    std::vector<std::uint32_t> materials_; // by face of the file, then by kept face
    MeshContext& context_;
    std::vector<glm::vec3> points_;
    std::vector<FacePoints> faces_; // kept faces, by material
    std::vector<std::uint32_t> groups_;

    struct Vertex {
        std::uint32_t normal;
        std::uint32_t next; // of the same point
        std::uint16_t point;
    };
    std::vector<Vertex> vertices_;
    std::vector<std::uint32_t> first_vertex_; // by point
};

void MeshBuilder::place_points(const glm::dmat4& transform)
{
    points_.resize(object_.point_count);
    const glm::dmat3 linear(transform);
    const glm::dvec3 origin(transform[3]);
    const bool as_stored = transform == glm::dmat4(1.0);
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const auto stored = load<glm::vec3>(object_.points, i);
        points_[i] = as_stored ? stored : glm::vec3(linear * glm::dvec3(stored) + origin);
        if (!is_finite(points_[i])) points_[i] = glm::vec3(unset_coordinate);
    }
}

// Removes faces with invalid or non-finite corners.
void MeshBuilder::take_faces()
{
    const std::size_t count = object_.face_count;
    faces_.reserve(count);
    groups_.reserve(count);
    const auto missing = [&](std::uint16_t c) {
        return c >= points_.size() || points_[c].x == unset_coordinate;
    };
    const std::size_t smoothed = object_.smoothing.size() / sizeof(std::uint32_t);
    for (std::size_t i = 0; i < count; ++i) {
        const auto face = load<FaceEntry>(object_.faces, i);
        if (std::ranges::any_of(face.corners, missing)) continue;
        materials_[faces_.size()] = materials_[i];
        faces_.push_back(face.corners);
        groups_.push_back(i < smoothed ? load<std::uint32_t>(object_.smoothing, i) : 0);
    }
    materials_.resize(faces_.size());
    if (faces_.size() != count)
        context_.warnings.add(
            "invalid_face",
            fmt::format("{} faces of the mesh {} have invalid or non-finite points; they are ignored",
                        count - faces_.size(), io::shown(object_.name)),
            place(object_.at));
}

// In order of first use.
void MeshBuilder::order_by_material()
{
    std::unordered_map<std::uint32_t, std::uint32_t> rank;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order(faces_.size()); // rank of the material, face
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        const auto next = static_cast<std::uint32_t>(rank.size());
        order[i] = {i > 0 && materials_[i] == materials_[i - 1]
                        ? order[i - 1].first
                        : rank.try_emplace(materials_[i], next).first->second,
                    i};
    }
    if (std::ranges::is_sorted(order)) return;
    std::ranges::sort(order);
    const auto reorder = [&](auto& values) {
        auto ordered = values;
        for (std::size_t i = 0; i < order.size(); ++i)
            ordered[i] = values[order[i].second];
        values = std::move(ordered);
    };
    reorder(faces_);
    reorder(groups_);
    reorder(materials_);
}

// Finds or adds the vertex of this point with this normal. Compares only a few, so that the time is bounded.
std::uint32_t MeshBuilder::vertex(std::uint16_t point, std::uint32_t normal)
{
    std::uint32_t at = first_vertex_[point];
    for (int looks = 0; at != scene::none && looks < 64; ++looks, at = vertices_[at].next)
        if (vertices_[at].normal == normal) return at;
    const auto made = static_cast<std::uint32_t>(vertices_.size());
    vertices_.push_back({normal, first_vertex_[point], point});
    return first_vertex_[point] = made;
}

void MeshBuilder::fill_vertices(const CornerNormals& corner_normals, scene::Mesh& mesh)
{
    first_vertex_.assign(points_.size(), scene::none);
    vertices_.reserve(corner_normals.normals.size());
    mesh.indices.reserve(faces_.size() * 3);
    for (std::size_t i = 0; i < faces_.size(); ++i)
        for (std::size_t k = 0; k < 3; ++k)
            mesh.indices.push_back(vertex(faces_[i][k], corner_normals.of_corner[i * 3 + k]));
    mesh.positions.reserve(vertices_.size());
    mesh.normals.reserve(vertices_.size());
    mesh.uv0.reserve(object_.texture_point_count == 0 ? 0 : vertices_.size());
    for (const auto& [normal, next, point] : vertices_) {
        mesh.positions.push_back(points_[point]);
        mesh.normals.push_back(corner_normals.normals[normal]);
        if (object_.texture_point_count != 0) mesh.uv0.push_back(texture_point(point));
    }
}

// No face is smooth: each corner becomes a vertex, in face order.
void MeshBuilder::fill_flat(scene::Mesh& mesh) const
{
    const std::size_t count = faces_.size() * 3;
    mesh.positions.reserve(count);
    mesh.normals.reserve(count);
    mesh.uv0.reserve(object_.texture_point_count == 0 ? 0 : count);
    for (const FacePoints& face : faces_) {
        mesh.normals.insert(mesh.normals.end(), 3, flat_normal(points_, face));
        for (const std::uint16_t point : face) {
            mesh.positions.push_back(points_[point]);
            if (object_.texture_point_count != 0) mesh.uv0.push_back(texture_point(point));
        }
    }
    mesh.indices.resize(count);
    std::iota(mesh.indices.begin(), mesh.indices.end(), 0u);
}

glm::vec2 MeshBuilder::texture_point(std::uint16_t point) const
{
    if (point >= object_.texture_point_count) return glm::vec2(0.0f);
    const auto uv = load<glm::vec2>(object_.texture_points, point);
    return is_finite(uv) ? glm::vec2(uv.x, 1.0f - uv.y) : glm::vec2(0.0f);
}

void MeshBuilder::fill_primitives(scene::Mesh& mesh) const
{
    for (std::size_t first = 0; first < faces_.size();) {
        std::size_t end = first + 1;
        while (end < faces_.size() && materials_[end] == materials_[first])
            ++end;
        mesh.primitives.push_back({.first = static_cast<std::uint32_t>(3 * first),
                                   .count = static_cast<std::uint32_t>(3 * (end - first)),
                                   .material = materials_[first]});
        first = end;
    }
}

LoadResult<std::optional<scene::Mesh>> MeshBuilder::make(const glm::dmat4& transform)
{
    place_points(transform);
    take_faces();
    if (faces_.empty()) return std::nullopt;
    order_by_material();
    scene::Mesh mesh;
    if (std::ranges::all_of(groups_, [](std::uint32_t groups) { return groups == 0; }))
        fill_flat(mesh);
    else
        fill_vertices(smooth(points_, faces_, groups_), mesh);
    context_.vertices += mesh.positions.size();
    if (context_.vertices > context_.limits.vertices)
        return io::limit_exceeded_error(place(object_.at), "the meshes, split at their smoothing groups",
                                        "vertices", context_.limits.vertices);
    fill_primitives(mesh);
    return mesh;
}

} // namespace

glm::dmat4 world_to_mesh(const NamedObject& object, io::WarningLog& warnings)
{
    if (!object.matrix) return glm::dmat4(1.0);
    const double determinant = glm::determinant(glm::dmat3(*object.matrix));
    const glm::dmat4 inverse = glm::inverse(*object.matrix);
    bool usable = determinant != 0.0;
    for (int i = 0; i < 4; ++i)
        usable = usable && is_finite(inverse[i]) && std::isfinite(inverse[i].z);
    if (!usable) {
        warnings.add("mesh_matrix",
                     fmt::format("the matrix of the mesh {} has no inverse; its points are used unmodified",
                                 io::shown(object.name)),
                     place(object.at));
        return glm::dmat4(1.0);
    }
    glm::dmat4 mirror(1.0);
    if (determinant < 0.0) mirror[0][0] = -1.0;
    return mirror * inverse;
}

LoadResult<std::optional<scene::Mesh>> make_mesh(const NamedObject& object, const glm::dmat4& transform,
                                                 std::vector<std::uint32_t> materials, MeshContext& context)
{
    return MeshBuilder(object, std::move(materials), context).make(transform);
}

} // namespace vitrine::threeds
