#include "loaders/fbx/meshes/mesh_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include <fmt/format.h>

#include "loaders/fbx/meshes/vertex_table.hpp"
#include "loaders/io/huge_pages.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/uv_sets.hpp"

namespace vitrine::fbx {
namespace {

class MeshBuilder {
public:
    MeshBuilder(MeshSource source, std::size_t material_count, const Limits& limits)
        : source_(std::move(source)), material_count_(material_count), limits_(limits),
          uv_set_count_(source_.chosen_uv_sets()),
          table_(source_.positions.size(),
                 {!source_.uv_sets.empty(), source_.uv_sets.size() > 1, source_.colors.has_value(),
                  !source_.normal_groups.empty(), uv_set_count_ > scene::first_more_uvs})
    {
        if (!source_.normal_groups.empty()) out_.shape_normals.emplace(source_);
    }

    LoadResult<BuiltMesh> run();

private:
    struct Group { // polygons of one material and topology
        std::uint64_t count = 0, written = 0;
        std::uint64_t first = 0;
    };
    using GroupKey = std::pair<std::int32_t, scene::Topology>;

    GroupKey polygon_key(std::size_t polygon) const;
    Group& group_of(const GroupKey& key)
    {
        // Consecutive polygons mostly have the same group.
        if (last_group_ == nullptr || key != last_key_) {
            last_group_ = &groups_[key];
            last_key_ = key;
        }
        return *last_group_;
    }
    LoadResult<void> plan();
    void write_plain_triangle(std::size_t polygon);
    LoadResult<void> write_plain_mesh();
    LoadResult<void> write_plain_polygons(std::size_t begin, std::size_t end);
    LoadResult<void> write_polygons();
    bool has_too_many_vertices() const { return table_.size() > limits_.vertices; }
    std::unexpected<LoadError> reject_vertices() const;
    void write_polygon(std::size_t polygon);
    glm::vec3 flat_normal(std::size_t polygon);
    glm::vec3 normal_at(const ValueLayer* layer, const CornerPlace& place);
    std::uint32_t vertex_at(std::size_t corner, std::size_t polygon);
    void write(Group& group, std::uint32_t vertex)
    {
        (*index_target_)[group.first + group.written++] = vertex;
    }
    void write_quad(Group& group);
    void write_outline(Group& group, std::size_t first);
    void finish();

    MeshSource source_;
    // The indices of the mesh. For a mesh of triangles with one material, each index overwrites its corner,
    // which has been read by then, so that no further memory is needed.
    std::vector<std::uint32_t> indices_;
    std::vector<std::uint32_t>* index_target_ = nullptr; // source_.corners or indices_
    std::size_t material_count_;
    const Limits& limits_;
    std::size_t uv_set_count_; // of the materials that use the most; two at least
    VertexTable table_;
    MoreUvValues more_uvs_;
    UvLayers uv_sets_{};    // of the polygon's material
    bool is_plain_ = false; // only visible triangles of one material
    std::map<GroupKey, Group> groups_;
    GroupKey last_key_;
    Group* last_group_ = nullptr;
    std::vector<std::uint32_t> vertices_, triangle_corners_; // of the current polygon
    std::size_t flat_polygon_ = std::numeric_limits<std::size_t>::max();
    glm::vec3 flat_normal_{0.0f};
    BuiltMesh out_;
};

LoadResult<BuiltMesh> MeshBuilder::run()
{
    if (auto planned = plan(); !planned) return std::unexpected(planned.error());
    if (auto written = write_polygons(); !written) return std::unexpected(written.error());
    finish();
    return std::move(out_);
}

LoadResult<void> MeshBuilder::plan()
{
    is_plain_ = source_.is_triangle_list();
    bool all_triangles = true;
    if (is_plain_) {
        const GroupKey key = polygon_key(0);
        groups_[key].count = source_.corners.size();
        uv_sets_ = source_.uv_layers(key.first);
    }
    for (std::size_t p = 0; p < source_.polygons() && !is_plain_; ++p) {
        const bool drawn = source_.is_drawn(p);
        const std::size_t size = source_.polygon_size(p);
        all_triangles = all_triangles && drawn && size == 3;
        if (!drawn) continue;
        group_of(polygon_key(p)).count += size > 2 ? 3 * (size - 2) : size;
    }
    std::uint64_t total = 0;
    for (auto& [key, group] : groups_) {
        group.first = total;
        total += group.count;
    }
    if (total > limits_.indices || total >= scene::none)
        return io::limit_exceeded_error({}, fmt::format("{} indices", total), "indices", limits_.indices);
    index_target_ = all_triangles && groups_.size() == 1 ? &source_.corners : &indices_;
    io::resize_large(*index_target_, total);
    return {};
}

// Two corners are a loose edge, one corner is a point.
MeshBuilder::GroupKey MeshBuilder::polygon_key(std::size_t polygon) const
{
    const std::size_t first = source_.first_corner[polygon], size = source_.polygon_size(polygon);
    const std::int32_t material =
        source_.materials ? source_.materials->at({first, source_.corners[first], polygon}, 0) : 0;
    const bool known = material >= 0 && static_cast<std::size_t>(material) < material_count_;
    return {known ? material : -1, size > 2    ? scene::Topology::triangles
                                   : size == 2 ? scene::Topology::lines
                                               : scene::Topology::points};
}

glm::vec3 MeshBuilder::flat_normal(std::size_t polygon)
{
    if (flat_polygon_ != polygon) {
        const glm::dvec3 normal = polygon_normal(source_, polygon);
        const double length = glm::length(normal);
        flat_normal_ = length > 0.0 ? glm::vec3(normal / length) : glm::vec3(0.0f, 1.0f, 0.0f);
        flat_polygon_ = polygon;
    }
    return flat_normal_;
}

[[gnu::always_inline]] inline glm::vec3 MeshBuilder::normal_at(const ValueLayer* layer,
                                                               const CornerPlace& place)
{
    const float* n = layer != nullptr ? layer->at(place) : nullptr;
    const glm::vec3 normal = n != nullptr ? glm::vec3(n[0], n[1], n[2]) : glm::vec3(0.0f);
    return normal == glm::vec3(0.0f) ? flat_normal(place.polygon) : normal;
}

std::uint32_t MeshBuilder::vertex_at(std::size_t corner, std::size_t polygon)
{
    CornerValues vertex{.control_point = source_.corners[corner]};
    const CornerPlace place{corner, vertex.control_point, polygon};
    vertex.normal = normal_at(source_.normals ? &*source_.normals : nullptr, place);
    vertex.uv0 = uv_of(uv_sets_[0], place);
    vertex.uv1 = uv_of(uv_sets_[1], place);
    if (uv_set_count_ > scene::first_more_uvs) vertex.more_uvs = more_uvs_.find_or_add(uv_sets_, place);
    const float* c = source_.colors ? source_.colors->at(place) : nullptr;
    if (c != nullptr) vertex.color = glm::vec4(c[0], c[1], c[2], c[3]);
    if (!out_.shape_normals) return table_.find_or_add(vertex);
    vertex.normal_group = source_.normal_groups[corner];
    const std::uint32_t found = table_.find_or_add(vertex);
    out_.shape_normals->set_vertex(corner, found);
    return found;
}

// Indices overwrite the corners, after all three corners are read.
void MeshBuilder::write_plain_triangle(std::size_t polygon)
{
    std::array<std::uint32_t, 3> vertices;
    for (std::size_t i = 0; i < 3; ++i)
        vertices[i] = vertex_at(3 * polygon + i, polygon);
    std::ranges::copy(vertices, index_target_->begin() + static_cast<std::ptrdiff_t>(3 * polygon));
}

// Specialized for vertices with at most a normal and one texture coordinate, so that per-corner state stays
// in registers.
LoadResult<void> MeshBuilder::write_plain_mesh()
{
    constexpr std::size_t polygons_at_once = std::size_t{1} << 18;
    for (std::size_t p = 0; p < source_.polygons(); p += polygons_at_once) {
        const std::size_t end = std::min(p + polygons_at_once, source_.polygons());
        if (auto written = write_plain_polygons(p, end); !written) return written;
        if (source_.normals) source_.normals->release_corners(3 * p, 3 * (end - p));
        for (ValueLayer& uvs : source_.uv_sets)
            uvs.release_corners(3 * p, 3 * (end - p));
    }
    return {};
}

LoadResult<void> MeshBuilder::write_plain_polygons(std::size_t begin, std::size_t end)
{
    const ValueLayer* const normals = source_.normals ? &*source_.normals : nullptr;
    const ValueLayer* const uvs = uv_sets_[0];
    std::uint32_t* const corners = index_target_->data();
    for (std::size_t p = begin; p < end; ++p) {
        std::array<std::uint32_t, 3> vertices;
        for (std::size_t i = 0; i < 3; ++i) {
            const CornerPlace place{3 * p + i, corners[3 * p + i], p};
            vertices[i] =
                table_.find_or_add(place.control_point, normal_at(normals, place), uv_of(uvs, place));
        }
        std::ranges::copy(vertices, corners + 3 * p);
        if (has_too_many_vertices()) return reject_vertices();
    }
    return {};
}

void MeshBuilder::write_quad(Group& group)
{
    std::array<glm::dvec3, 4> p;
    for (std::size_t i = 0; i < 4; ++i)
        p[i] = source_.positions[table_.control_point(vertices_[i])];
    const bool from_1 = quad_splits_at_1(p);
    const std::array<std::size_t, 6> corners =
        from_1 ? std::array<std::size_t, 6>{0, 1, 3, 1, 2, 3} : std::array<std::size_t, 6>{0, 1, 2, 0, 2, 3};
    for (const std::size_t corner : corners)
        write(group, vertices_[corner]);
}

void MeshBuilder::write_outline(Group& group, std::size_t first)
{
    triangle_corners_.clear();
    if (!scene::triangulate(source_.positions, std::span(source_.corners).subspan(first, vertices_.size()),
                            triangle_corners_))
        ++out_.crossing;
    for (const std::uint32_t corner : triangle_corners_)
        write(group, vertices_[corner]);
}

void MeshBuilder::write_polygon(std::size_t polygon)
{
    const GroupKey key = polygon_key(polygon);
    Group& group = group_of(key);
    uv_sets_ = source_.uv_layers(key.first);
    const std::size_t first = source_.first_corner[polygon], end = source_.first_corner[polygon + 1];
    vertices_.clear();
    for (std::size_t c = first; c < end; ++c)
        vertices_.push_back(vertex_at(c, polygon));
    if (vertices_.size() == 4) return write_quad(group);
    if (vertices_.size() > 4) return write_outline(group, first);
    for (const std::uint32_t vertex : vertices_)
        write(group, vertex);
}

void MeshBuilder::finish()
{
    scene::Mesh& mesh = out_.mesh;
    // Only the source's positions are still needed, and it is larger than the mesh.
    std::vector<glm::vec3> points = std::move(source_.positions);
    if (index_target_ != nullptr) mesh.indices = std::move(*index_target_);
    const bool has_normals = source_.has_normals;
    source_ = {};
    more_uvs_.write(table_.more_uvs(), uv_set_count_ - scene::first_more_uvs, mesh);
    out_.control_points = table_.take_streams(std::move(points), mesh);
    for (const auto& [key, group] : groups_) {
        mesh.primitives.push_back(
            {key.second, static_cast<std::uint32_t>(group.first), static_cast<std::uint32_t>(group.count),
             static_cast<std::uint32_t>(key.first), has_normals && key.second != scene::Topology::triangles});
    }
}

std::unexpected<LoadError> MeshBuilder::reject_vertices() const
{
    return io::limit_exceeded_error({}, "vertices", limits_.vertices);
}

LoadResult<void> MeshBuilder::write_polygons()
{
    if (is_plain_ && !table_.has_more()) return write_plain_mesh();
    for (std::size_t p = 0; p < source_.polygons(); ++p) {
        if (is_plain_)
            write_plain_triangle(p);
        else if (source_.is_drawn(p))
            write_polygon(p);
        if (has_too_many_vertices()) return reject_vertices();
    }
    return {};
}

} // namespace

LoadResult<BuiltMesh> build_mesh(MeshSource source, std::size_t material_count, const Limits& limits)
{
    return MeshBuilder(std::move(source), material_count, limits).run();
}

} // namespace vitrine::fbx
