#include <array>
#include <cmath>

#include <fmt/format.h>

#include "loaders/io/text/text_reader.hpp"
#include "loaders/obj/parser.hpp"
#include "loaders/obj/scan.hpp"
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

Parser::Lookup Parser::look_up(std::int64_t raw, std::uint64_t so_far, std::uint64_t in_all,
                               std::uint32_t& out) const
{
    const std::int64_t index = raw > 0 ? raw - 1 : static_cast<std::int64_t>(so_far) + raw;
    if (raw == 0 || index < 0) return Lookup::bad;
    if (static_cast<std::uint64_t>(index) >= in_all) return pass_ == Pass::all ? Lookup::later : Lookup::bad;
    out = static_cast<std::uint32_t>(index);
    return Lookup::good;
}

bool Parser::find_position(std::int64_t raw, std::uint32_t& out)
{
    const Lookup found = look_up(raw, positions_, doc_.positions.size(), out);
    if (found == Lookup::later) needs_second_pass_ = stop_ = true;
    if (found == Lookup::bad)
        warn("obj_index_out_of_range", "a corner has an invalid vertex index; it is ignored");
    return found == Lookup::good;
}

// An invalid texture coordinate or normal is treated as missing.
void Parser::find_optional(std::int64_t raw, std::uint64_t so_far, std::uint64_t in_all, std::uint32_t& out)
{
    const Lookup found = look_up(raw, so_far, in_all, out);
    if (found == Lookup::later) needs_second_pass_ = stop_ = true;
    if (found == Lookup::bad)
        warn("obj_index_out_of_range", "a texture coordinate or normal index is invalid; it is ignored");
}

// Reads "v", "v/t", "v//n" or "v/t/n". Returns false for a corner without a vertex.
bool Parser::read_corner(Corner& corner)
{
    std::int64_t raw = 0;
    scan_integer(at_, raw); // 0 when missing, which is not a valid index
    if (!find_position(raw, corner.position)) return false;
    if (*at_ != '/') return true;
    ++at_;
    if (scan_integer(at_, raw)) find_optional(raw, uvs_, doc_.uvs.size(), corner.uv);
    if (*at_ != '/') return true;
    ++at_;
    if (!scan_integer(at_, raw)) return true;
    find_optional(raw, normals_, doc_.normals.size(), corner.normal);
    if (has_zero_normals_ && corner.normal != scene::none && doc_.normals[corner.normal] == glm::vec3(0.0f)) {
        corner.normal = scene::none;
    }
    return true;
}

// Reads one corner of a simple face and advances `p`. Returns false for other corners.
[[gnu::always_inline]] inline bool Parser::read_plain_corner(const char*& p, std::size_t in_all_lists,
                                                             Corner& corner)
{
    if (is_uniform_) { // equal indices, as in the previous corner
        const std::uint32_t uniform = scan_uniform_corner(p, digits_) - 1;
        if (uniform < in_all_lists) {
            corner = {uniform, uniform, uniform};
            return true;
        }
        if (uniform != scene::none) return false; // out of range
    }
    const char* first = p;
    corner.position = scan_index(p, digits_) - 1; // 0 wraps to a value larger than any count
    const auto length = p - first;
    bool has_normal = false;
    if (*p == '/') {
        if (*++p != '/') {
            corner.uv = scan_repeated_index(p, first, length, corner.position + 1, digits_) - 1;
            if (corner.uv >= doc_.uvs.size()) return false;
        }
        has_normal = *p == '/';
        if (has_normal) {
            corner.normal = scan_repeated_index(++p, first, length, corner.position + 1, digits_) - 1;
            if (corner.normal >= doc_.normals.size()) return false;
        }
    }
    lacks_normals_ |= !has_normal;
    is_uniform_ = corner.uv == corner.position && corner.normal == corner.position;
    return corner.position < doc_.positions.size() && static_cast<unsigned char>(*p) <= ' ';
}

// Reads the most frequent kind of face: at most four corners with valid unsigned indices. Returns false,
// leaving the position unchanged, for other faces.
bool Parser::read_plain_corners()
{
    if (has_zero_normals_) return false; // zero normals need the general path
    const std::size_t in_all_lists = std::min({doc_.positions.size(), doc_.uvs.size(), doc_.normals.size()});
    const char* p = at_;
    Corner corners[4];
    std::size_t count = 0;
    lacks_normals_ = false;
    for (;; ++count) {
        while (is_blank(*p))
            ++p;
        if (is_line_end(*p)) break;
        if (count == 4) return false;
        if (!read_plain_corner(p, in_all_lists, corners[count])) return false;
    }
    corners_.resize(count); // usually the size already
    for (std::size_t i = 0; i < count; ++i)
        corners_[i] = corners[i];
    at_ = p;
    return true;
}

// Skips the remaining characters of the corner.
void Parser::skip_rest_of_corner(bool is_corner)
{
    const char* const rest = at_;
    while (static_cast<unsigned char>(*at_) > ' ' && *at_ != '\\')
        ++at_;
    if (is_corner && at_ != rest && warnings_.wants("obj_corner"))
        warn("obj_corner",
             fmt::format("a corner has trailing characters {}; they are ignored", io::shown({rest, at_})));
}

// Returns whether all corners could be read; `corners_` contains those that could.
bool Parser::read_corners()
{
    corners_.clear();
    lacks_normals_ = false;
    bool complete = true;
    while (skip_blanks() && *at_ != '#' && !stop_) {
        Corner corner;
        const char* first = at_;
        const bool good = read_corner(corner);
        skip_rest_of_corner(good);
        if (at_ == first) ++at_; // a control character or a backslash within the line
        complete = complete && good;
        if (!good) continue;
        lacks_normals_ = lacks_normals_ || corner.normal == scene::none;
        corners_.push_back(corner);
    }
    return complete && !stop_;
}

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
    if (doc_.vertices.size() + vertices > limits_.vertices) refuse("vertices", limits_.vertices);
    if (doc_.indices.size() + indices > limits_.indices) refuse("indices", limits_.indices);
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
