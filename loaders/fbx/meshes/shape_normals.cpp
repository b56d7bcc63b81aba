#include "loaders/fbx/meshes/mesh_builder.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "loaders/base/sort_unique.hpp"

namespace vitrine::fbx {
namespace {

// Copies the parts of a source that the rule needs, without layers.
MeshSource without_layers(const MeshSource& source)
{
    MeshSource out;
    out.positions = source.positions;
    out.corners = source.corners;
    out.first_corner = source.first_corner;
    out.normal_groups = source.normal_groups;
    return out;
}

// Corners with an invalid point are assigned to an extra point after the last.
PointVertices corners_by_point(const MeshSource& source)
{
    std::vector<std::uint32_t> points = source.corners;
    const auto count = static_cast<std::uint32_t>(source.positions.size());
    std::ranges::replace(points, scene::none, count);
    return {points, std::size_t{count} + 1};
}

std::vector<std::uint32_t> polygons_by_corner(const MeshSource& source)
{
    std::vector<std::uint32_t> out(source.corners.size());
    for (std::uint32_t p = 0; p < source.polygons(); ++p)
        std::fill(out.begin() + source.first_corner[p], out.begin() + source.first_corner[p + 1], p);
    return out;
}

} // namespace

ShapeNormals::ShapeNormals(const MeshSource& source)
    : mesh_(without_layers(source)), corners_of_point_(corners_by_point(mesh_)),
      corners_of_group_(mesh_.normal_groups, mesh_.corners.size()), polygon_of_(polygons_by_corner(mesh_)),
      vertex_of_(mesh_.corners.size(), scene::none)
{
    normals_.reserve(mesh_.polygons());
    for (std::uint32_t p = 0; p < mesh_.polygons(); ++p)
        normals_.push_back(unit_normal(p));
}

glm::dvec3 ShapeNormals::unit_normal(std::uint32_t polygon) const
{
    const glm::dvec3 normal = polygon_normal(mesh_, polygon);
    const double length = glm::length(normal);
    return length > 0.0 && std::isfinite(length) ? normal / length : glm::dvec3(0.0);
}

void ShapeNormals::move(std::uint32_t point, const glm::vec3& delta)
{
    if (delta != glm::vec3(0.0f)) moves_.push_back({point, delta, {}});
}

// A shape may list a point twice; both offsets apply.
void ShapeNormals::move_points()
{
    for (Move& move : moves_) {
        move.rest = mesh_.positions[move.point];
        mesh_.positions[move.point] += move.delta;
    }
}

void ShapeNormals::restore_points()
{
    for (const Move& move : std::views::reverse(moves_))
        mesh_.positions[move.point] = move.rest;
}

ShapeNormals::Ids ShapeNormals::moved_polygons() const
{
    Ids points, polygons;
    for (const Move& move : moves_)
        points.push_back(move.point);
    sort_unique(points);
    for (const std::uint32_t point : points)
        for (const std::uint32_t corner : corners_of_point_.of(point))
            polygons.push_back(polygon_of_[corner]);
    sort_unique(polygons);
    return polygons;
}

ShapeNormals::Ids ShapeNormals::groups_of(const Ids& polygons) const
{
    Ids groups;
    for (const std::uint32_t p : polygons)
        for (std::uint32_t c = mesh_.first_corner[p]; c < mesh_.first_corner[p + 1]; ++c)
            groups.push_back(mesh_.normal_groups[c]);
    sort_unique(groups);
    return groups;
}

// Zero for groups without area.
std::vector<glm::vec3> ShapeNormals::normals_of(const Ids& groups) const
{
    std::vector<glm::vec3> out;
    out.reserve(groups.size());
    for (const std::uint32_t group : groups) {
        glm::dvec3 sum(0.0);
        for (const std::uint32_t corner : corners_of_group_.of(group))
            sum += normals_[polygon_of_[corner]] * corner_angle(mesh_, polygon_of_[corner], corner);
        const double length = glm::length(sum);
        out.emplace_back(length > 0.0 ? glm::vec3(sum / length) : glm::vec3(0.0f));
    }
    return out;
}

std::vector<glm::vec3> ShapeNormals::moved_normals(const Ids& polygons, const Ids& groups)
{
    move_points();
    std::vector<glm::dvec3> before;
    before.reserve(polygons.size());
    for (const std::uint32_t p : polygons)
        before.push_back(std::exchange(normals_[p], unit_normal(p)));
    std::vector<glm::vec3> moved = normals_of(groups);
    for (std::size_t i = 0; i < polygons.size(); ++i)
        normals_[polygons[i]] = before[i];
    restore_points();
    return moved;
}

// `turns`, by group: the normal changes. Vertices whose normal changes but not their position are added to
// the target.
void ShapeNormals::write(scene::MorphTarget& target, const Ids& groups, const std::vector<glm::vec3>& turns)
{
    place_of_.resize(vertices_, scene::none);
    for (std::uint32_t i = 0; i < target.vertices.size(); ++i)
        place_of_[target.vertices[i]] = i;
    target.normal_deltas.resize(target.vertices.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (turns[g] == glm::vec3(0.0f)) continue;
        for (const std::uint32_t corner : corners_of_group_.of(groups[g])) {
            const std::uint32_t vertex = vertex_of_[corner];
            if (vertex == scene::none) continue;
            if (place_of_[vertex] == scene::none) {
                place_of_[vertex] = static_cast<std::uint32_t>(target.vertices.size());
                target.vertices.push_back(vertex);
                target.position_deltas.emplace_back(0.0f);
                target.normal_deltas.emplace_back(0.0f);
            }
            target.normal_deltas[place_of_[vertex]] = turns[g];
        }
    }
    for (const std::uint32_t vertex : target.vertices)
        place_of_[vertex] = scene::none;
}

std::size_t ShapeNormals::corners_in(const Ids& polygons, const Ids& groups) const
{
    std::size_t count = 0;
    for (const std::uint32_t p : polygons)
        count += mesh_.polygon_size(p);
    for (const std::uint32_t group : groups)
        count += corners_of_group_.of(group).size();
    return count;
}

std::size_t ShapeNormals::add_normals(scene::MorphTarget& target)
{
    constexpr float min_turn = 1e-6f; // smaller changes are rounding errors
    const Ids polygons = moved_polygons();
    const Ids groups = groups_of(polygons);
    std::vector<glm::vec3> turns = normals_of(groups);
    const std::vector<glm::vec3> moved = moved_normals(polygons, groups);
    const glm::vec3 none(0.0f);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const glm::vec3 rest = turns[g] == none ? glm::vec3(0.0f, 1.0f, 0.0f) : turns[g];
        const glm::vec3 turn = moved[g] == none ? none : moved[g] - rest;
        turns[g] = glm::length(turn) < min_turn ? none : turn;
    }
    if (std::ranges::any_of(turns, [&](const glm::vec3& turn) { return turn != none; }))
        write(target, groups, turns);
    moves_.clear();
    return corners_in(polygons, groups);
}

} // namespace vitrine::fbx
