#include <array>
#include <cmath>
#include <initializer_list>

#include <fmt/format.h>

#include "loaders/obj/parser.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::obj {
namespace {

glm::vec3 unit(const glm::dvec3& v)
{
    const double length = glm::length(v);
    return length > 0.0 && std::isfinite(length) ? glm::vec3(v / length) : glm::vec3(0.0f);
}

// Returns whether the angle exceeds 135 degrees; false for a zero sum.
bool faces_away(const glm::vec3& sum, const glm::vec3& normal)
{
    return glm::dot(sum, normal) < -0.707f * glm::length(sum);
}

} // namespace

void Parser::read_face()
{
    ++doc_.polygon_count;
    if (faces_first_ == nullptr) faces_first_ = at_;
    const bool complete = read_plain_corners() || read_corners();
    if (stop_) return;
    if (corners_.size() >= 3) return add_polygon();
    if (complete) warn("obj_short_face", "a face has fewer than three corners; it is ignored");
    if (dropped_faces_++ == 0) bad_face_where_ = fmt::format("line {}", line_);
}

void Parser::read_polyline()
{
    read_corners();
    if (stop_ || corners_.size() < 2 || !room_for(corners_.size(), 2 * corners_.size())) return;
    std::uint32_t before = vertex_of(corners_[0]);
    for (std::size_t i = 1; i < corners_.size(); ++i) {
        const std::uint32_t here = vertex_of(corners_[i]);
        add_indices(scene::Topology::lines, {before, here});
        before = here;
    }
}

void Parser::read_points()
{
    read_corners();
    if (stop_ || !room_for(corners_.size(), corners_.size())) return;
    for (const Corner& corner : corners_)
        add_indices(scene::Topology::points, {vertex_of(corner)});
}

// Handles a file with positions only.
void Parser::add_point_cloud()
{
    if (!room_for(doc_.positions.size(), doc_.positions.size())) return;
    material_ = scene::none;
    for (std::uint32_t p = 0; p < doc_.positions.size(); ++p) {
        add_indices(scene::Topology::points,
                    {vertex_of({.position = p, .uv = scene::none, .normal = scene::none})});
    }
}

bool Parser::room_for(std::uint64_t vertices, std::uint64_t indices)
{
    if (doc_.vertices.size() + vertices > limits_.vertices) reject("vertices", limits_.vertices);
    if (doc_.indices.size() + indices > limits_.indices) reject("indices", limits_.indices);
    return !stop_;
}

std::uint32_t Parser::vertex_of(const Corner& corner)
{
    const bool alone = corner.normal != scene::none && (corner.normal & smooth_normal) == flat_normal;
    const std::uint32_t index = alone ? doc_.vertices.add(corner) : doc_.vertices.find_or_add(corner);
    return index - doc_.vertices.first_of_mesh();
}

PrimitiveRun& Parser::primitive_run_of(scene::Topology topology)
{
    const bool is_new = doc_.primitive_runs.size() == doc_.parts.back().first_primitive_run ||
                        doc_.primitive_runs.back().topology != topology ||
                        doc_.primitive_runs.back().material != material_;
    if (is_new) doc_.primitive_runs.push_back({topology, material_, doc_.indices.size(), 0});
    return doc_.primitive_runs.back();
}

void Parser::add_indices(scene::Topology topology, std::initializer_list<std::uint32_t> vertices)
{
    primitive_run_of(topology).count += vertices.size();
    doc_.indices.insert(doc_.indices.end(), vertices);
}

void Parser::add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c)
{
    primitive_run_of(scene::Topology::triangles).count += 3;
    doc_.indices.push_back(a);
    doc_.indices.push_back(b);
    doc_.indices.push_back(c);
}

// Returns the sum of face normals at a position in a smoothing group. Many files contain the faces of a sheet
// twice, with both orientations, whose sum would be zero: faces opposite to the first side count as the
// second side.
std::uint32_t Parser::smooth_slot(std::uint32_t position, std::uint32_t side)
{
    const std::uint32_t slot = smooth_slots_.find_or_add({position, smoothing_, side});
    if (slot == doc_.smooth_sums.size()) doc_.smooth_sums.emplace_back(0.0f);
    return slot;
}

// Corners without a normal get the face normal, or the shared normal of their smoothing group.
void Parser::supply_normals()
{
    const std::size_t n = corners_.size();
    const auto position = [&](std::size_t i) { return glm::dvec3(doc_.positions[corners_[i % n].position]); };
    glm::dvec3 sum(0.0); // Newell's method, also for concave and non-planar polygons
    for (std::size_t i = 1; i + 1 < n; ++i)
        sum += glm::cross(position(i) - position(0), position(i + 1) - position(0));
    const glm::vec3 normal = unit(sum);
    const auto flat = static_cast<std::uint32_t>(doc_.flat_normals.size()) | flat_normal;
    if (smoothing_ == 0) doc_.flat_normals.push_back(normal);
    for (std::size_t i = 0; i < n; ++i) {
        Corner& corner = corners_[i];
        if (corner.normal != scene::none) continue;
        if (smoothing_ == 0) {
            corner.normal = flat;
            continue;
        }
        std::uint32_t slot = smooth_slot(corner.position, 0);
        if (faces_away(doc_.smooth_sums[slot], normal)) slot = smooth_slot(corner.position, 1);
        const glm::dvec3 a = position(i + 1) - position(i), b = position(i + n - 1) - position(i);
        const double angle = std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
        doc_.smooth_sums[slot] += normal * static_cast<float>(angle);
        corner.normal = slot | smooth_normal;
    }
}

void Parser::add_polygon()
{
    if (!room_for(corners_.size(), 3 * (corners_.size() - 2))) return;
    make_room(doc_.vertices, faces_first_, doc_.positions.size());
    make_room(doc_.indices, faces_first_);
    if (lacks_normals_)
        supply_normals();
    else if (corners_.size() == 3)
        return add_plain_triangle();
    corner_vertices_.resize(corners_.size());
    for (std::size_t i = 0; i < corners_.size(); ++i)
        corner_vertices_[i] = vertex_of(corners_[i]);
    const auto& v = corner_vertices_;
    if (v.size() > 4) return add_triangles();
    if (v.size() == 3) return add_triangle(v[0], v[1], v[2]);
    const bool at_1 = quad_splits_at_1();
    add_triangle(v[0], v[1], at_1 ? v[3] : v[2]);
    add_triangle(at_1 ? v[1] : v[0], v[2], v[3]);
}

// The common case, in which all vertices may be shared.
void Parser::add_plain_triangle()
{
    const std::uint32_t first = doc_.vertices.first_of_mesh();
    std::array<std::uint32_t, 3> indices;
    for (std::size_t i = 0; i < 3; ++i)
        indices[i] = doc_.vertices.find_or_add(corners_[i]) - first;
    primitive_run_of(scene::Topology::triangles).count += 3;
    doc_.indices.insert(doc_.indices.end(), indices.begin(), indices.end());
}

// Returns whether the diagonal 0-2 is outside the quad, so that 1-3 must be used.
bool Parser::quad_splits_at_1() const
{
    const auto position = [&](std::size_t i) { return glm::dvec3(doc_.positions[corners_[i].position]); };
    const glm::dvec3 a = position(0), b = position(1), c = position(2), d = position(3);
    if (glm::dot(glm::cross(b - a, c - a), glm::cross(c - a, d - a)) > 0.0) return false;
    return glm::dot(glm::cross(b - a, d - a), glm::cross(c - b, d - b)) > 0.0;
}

void Parser::add_triangles()
{
    scratch_.clear();
    triangle_corners_.clear();
    for (const Corner& corner : corners_)
        scratch_.push_back(corner.position);
    if (!scene::triangulate(doc_.positions, scratch_, triangle_corners_))
        warn("obj_crossing_face",
             "a face has very many corners or intersects itself; it is triangulated partly as a fan");
    const auto& v = corner_vertices_;
    for (std::size_t i = 0; i + 2 < triangle_corners_.size(); i += 3) {
        add_triangle(v[triangle_corners_[i]], v[triangle_corners_[i + 1]], v[triangle_corners_[i + 2]]);
    }
}

} // namespace vitrine::obj
