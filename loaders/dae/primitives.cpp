#include "loaders/dae/primitives.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/dae/colour.hpp"
#include "loaders/dae/holes.hpp"
#include "loaders/scene/geometry.hpp"

namespace vitrine::dae {
namespace {

constexpr std::uint32_t is_flat = 0x8000'0000;
constexpr std::size_t usual_index_length = 6; // characters of <p>, for a guess

glm::vec3 unit_or_up(const glm::vec3& v)
{
    const double length = glm::length(glm::dvec3(v));
    return length > 0.0 && std::isfinite(length) ? glm::vec3(glm::dvec3(v) / length)
                                                 : glm::vec3(0.0f, 1.0f, 0.0f);
}

} // namespace

void PrimitiveReader::begin(const Attributes& attributes, const Layout& layout, std::uint32_t material)
{
    layout_ = layout;
    material_ = material;
    tuple_.assign(layout.stride, 0);
    normal_ = place_of(layout.normal, attributes.normal);
    uv0_ = place_of(layout.uv0, attributes.uv0);
    uv1_ = place_of(layout.uv1, attributes.uv1);
    colour_ = place_of(layout.colour, attributes.colour);
    if (segments_.empty()) table_.reserve(positions_.size());
    if (!segments_.empty() && segments_.back().attributes.same_sources(attributes)) return;
    table_.begin_mesh();
    segments_.push_back({table_.size(), attributes});
}

Corner PrimitiveReader::corner_of(const std::uint32_t* tuple) const
{
    const std::uint32_t position = tuple[layout_.position];
    return {.position = position < positions_.size() ? position : scene::none,
            .normal = optional_index(tuple, normal_),
            .uv0 = optional_index(tuple, uv0_),
            .uv1 = optional_index(tuple, uv1_),
            .colour = optional_index(tuple, colour_)};
}

// False when no whole tuple is left.
bool PrimitiveReader::next_corner(NumberReader& reader, Corner& corner)
{
    for (std::uint32_t& index : tuple_)
        if (!reader.next(index)) return false;
    corner = corner_of(tuple_.data());
    return true;
}

bool PrimitiveReader::is_whole(std::span<const Corner> corners)
{
    for (const Corner& corner : corners)
        if (corner.position == scene::none) return ++lost_, false;
    return true;
}

// Newell's, which concave and slightly bent outlines have too.
std::uint32_t PrimitiveReader::flat_normal(std::span<const Corner> corners)
{
    glm::dvec3 sum(0.0);
    const glm::dvec3 origin(positions_[corners[0].position]);
    for (std::size_t i = 0; i < corners.size(); ++i)
        sum += glm::cross(glm::dvec3(positions_[corners[i].position]) - origin,
                          glm::dvec3(positions_[corners[(i + 1) % corners.size()].position]) - origin);
    flat_normals_.push_back(glm::vec3(sum));
    return static_cast<std::uint32_t>(flat_normals_.size() - 1) | is_flat;
}

std::vector<std::uint32_t>& PrimitiveReader::indices_for(scene::Topology topology, std::size_t count)
{
    const bool goes_on = !primitives_.empty() && primitives_.back().topology == topology &&
                         primitives_.back().material == material_;
    if (!goes_on)
        primitives_.push_back({.topology = topology,
                               .first = static_cast<std::uint32_t>(indices_.size()),
                               .count = 0,
                               .material = material_});
    primitives_.back().count += static_cast<std::uint32_t>(count);
    return indices_;
}

void PrimitiveReader::add_triangle(const Corner& a, const Corner& b, const Corner& c)
{
    if (a.position == scene::none || b.position == scene::none || c.position == scene::none) {
        ++lost_;
        return;
    }
    auto& indices = indices_for(scene::Topology::triangles, 3);
    if (a.normal != scene::none && b.normal != scene::none && c.normal != scene::none) {
        indices.push_back(table_.find_or_add(a));
        indices.push_back(table_.find_or_add(b));
        indices.push_back(table_.find_or_add(c));
        return;
    }
    std::array<Corner, 3> corners{a, b, c};
    const std::uint32_t normal = flat_normal(corners);
    for (Corner& corner : corners) {
        corner.normal = normal;
        indices.push_back(table_.add(corner));
    }
}

void PrimitiveReader::add_polygon(std::span<const Corner> corners)
{
    if (corners.size() == 3) return add_triangle(corners[0], corners[1], corners[2]);
    if (corners.size() < 3) {
        ++lost_;
        return;
    }
    if (!is_whole(corners)) return;
    scratch_.clear();
    triangle_corners_.clear();
    for (const Corner& corner : corners)
        scratch_.push_back(corner.position);
    scene::triangulate(positions_, scratch_, triangle_corners_);
    add_triangulated(corners, corners);
}

// triangle_corners_ of `corners`; the outline among them tells a missing normal.
void PrimitiveReader::add_triangulated(std::span<const Corner> corners, std::span<const Corner> outline)
{
    const bool flat =
        std::ranges::any_of(corners, [](const Corner& corner) { return corner.normal == scene::none; });
    const std::uint32_t normal = flat ? flat_normal(outline) : scene::none;
    scratch_.resize(corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
        Corner corner = corners[i];
        if (flat) corner.normal = normal;
        scratch_[i] = flat ? table_.add(corner) : table_.find_or_add(corner);
    }
    auto& indices = indices_for(scene::Topology::triangles, triangle_corners_.size());
    for (const std::uint32_t corner : triangle_corners_)
        indices.push_back(scratch_[corner]);
}

void PrimitiveReader::add_line(const Corner& a, const Corner& b)
{
    if (!is_whole(std::array{a, b})) return;
    auto& indices = indices_for(scene::Topology::lines, 2);
    indices.push_back(table_.find_or_add(a));
    indices.push_back(table_.find_or_add(b));
}

void PrimitiveReader::triangles(std::string_view p)
{
    constexpr std::size_t at_once = 64;
    NumberReader reader(p);
    const std::size_t stride = layout_.stride, whole = 3 * stride;
    indices_.reserve(indices_.size() + p.size() / (stride * usual_index_length));
    block_.resize(at_once * whole);
    for (bool more = true; more;) {
        const std::size_t read = reader.next(std::span(block_));
        more = read == block_.size();
        for (std::size_t i = 0; i + whole <= read; i += whole) {
            const std::uint32_t* tuple = &block_[i];
            add_triangle(corner_of(tuple), corner_of(tuple + stride), corner_of(tuple + 2 * stride));
            ++polygons_;
        }
    }
}

void PrimitiveReader::polylist(std::string_view vcount, std::string_view p)
{
    NumberReader counts(vcount), reader(p);
    std::uint32_t count = 0;
    Corner corner;
    bool more = true;
    while (more && counts.next(count)) {
        ++polygons_;
        outline_.clear();
        while (outline_.size() < count && (more = next_corner(reader, corner)))
            outline_.push_back(corner);
        if (more) add_polygon(outline_);
    }
    if (!more) ++lost_;
}

void PrimitiveReader::read_outline(std::string_view p, std::vector<Corner>& corners)
{
    NumberReader reader(p);
    Corner corner;
    while (next_corner(reader, corner))
        corners.push_back(corner);
}

void PrimitiveReader::polygon(std::string_view p, std::span<const std::string_view> holes)
{
    ++polygons_;
    outline_.clear();
    read_outline(p, outline_);
    if (holes.empty()) return add_polygon(outline_);
    std::vector<std::uint32_t> starts;
    for (const std::string_view hole : holes) {
        starts.push_back(static_cast<std::uint32_t>(outline_.size()));
        read_outline(hole, outline_);
    }
    if (!is_whole(outline_)) return;
    std::vector<glm::vec3> points;
    points.reserve(outline_.size());
    for (const Corner& corner : outline_)
        points.push_back(positions_[corner.position]);
    const auto outline = std::span<const Corner>(outline_).first(starts.front());
    triangle_corners_.clear();
    if (triangulate_with_holes(points, starts, triangle_corners_)) return add_triangulated(outline_, outline);
    ++filled_;
    add_polygon(outline);
}

// Every second triangle of a strip runs the other way.
void PrimitiveReader::strip(std::string_view p)
{
    NumberReader reader(p);
    Corner a, b, c;
    if (!next_corner(reader, a) || !next_corner(reader, b)) return;
    for (bool turned = false; next_corner(reader, c); turned = !turned) {
        turned ? add_triangle(b, a, c) : add_triangle(a, b, c);
        ++polygons_;
        a = b;
        b = c;
    }
}

void PrimitiveReader::fan(std::string_view p)
{
    NumberReader reader(p);
    Corner a, b, c;
    if (!next_corner(reader, a) || !next_corner(reader, b)) return;
    while (next_corner(reader, c)) {
        add_triangle(a, b, c);
        ++polygons_;
        b = c;
    }
}

void PrimitiveReader::lines(std::string_view p)
{
    NumberReader reader(p);
    Corner a, b;
    while (next_corner(reader, a) && next_corner(reader, b))
        add_line(a, b);
}

void PrimitiveReader::line_strip(std::string_view p)
{
    NumberReader reader(p);
    Corner a, b;
    if (!next_corner(reader, a)) return;
    while (next_corner(reader, b)) {
        add_line(a, b);
        a = b;
    }
}

void PrimitiveReader::fill(const Segment& segment, std::uint32_t end, BuiltMesh& built) const
{
    scene::Mesh& mesh = built.mesh;
    const Attributes& from = segment.attributes;
    for (std::uint32_t v = segment.first_vertex; v < end; ++v) {
        const Corner& corner = table_[v];
        built.position_of[v] = corner.position;
        mesh.positions[v] = positions_[corner.position];
        const bool flat = corner.normal != scene::none && (corner.normal & is_flat) != 0;
        if (flat)
            mesh.normals[v] = unit_or_up(flat_normals_[corner.normal & ~is_flat]);
        else if (corner.normal != scene::none)
            mesh.normals[v] = unit_or_up(from.normal.vec3(corner.normal));
        built.normal_of[v] = flat ? scene::none : corner.normal;
        // COLLADA's texture coordinates start at the bottom.
        if (corner.uv0 != scene::none)
            mesh.uv0[v] = {from.uv0.at(corner.uv0, 0), 1.0f - from.uv0.at(corner.uv0, 1)};
        if (corner.uv1 != scene::none)
            mesh.uv1[v] = {from.uv1.at(corner.uv1, 0), 1.0f - from.uv1.at(corner.uv1, 1)};
        if (corner.colour != scene::none) mesh.colours[v] = vertex_colour(from.colour, corner.colour);
    }
}

BuiltMesh PrimitiveReader::finish()
{
    BuiltMesh built;
    const std::size_t count = table_.size();
    const auto any = [&](FloatSource Attributes::* source) {
        return std::ranges::any_of(segments_,
                                   [&](const Segment& s) { return (s.attributes.*source).exists(); });
    };
    built.position_of.resize(count);
    built.normal_of.resize(count);
    built.positions = static_cast<std::uint32_t>(positions_.size());
    built.polygons = polygons_;
    built.mesh.positions.resize(count);
    built.mesh.normals.resize(count, glm::vec3(0.0f, 1.0f, 0.0f));
    built.mesh.uv0.resize(any(&Attributes::uv0) ? count : 0);
    built.mesh.uv1.resize(any(&Attributes::uv1) ? count : 0);
    built.mesh.colours.resize(any(&Attributes::colour) ? count : 0, glm::vec4(1.0f));
    for (std::size_t s = 0; s < segments_.size(); ++s) {
        const std::uint32_t end =
            s + 1 < segments_.size() ? segments_[s + 1].first_vertex : static_cast<std::uint32_t>(count);
        fill(segments_[s], end, built);
    }
    built.mesh.indices = std::move(indices_);
    built.mesh.primitives = std::move(primitives_);
    return built;
}

} // namespace vitrine::dae
