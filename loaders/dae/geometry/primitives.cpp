#include "loaders/dae/geometry/primitives.hpp"

#include <algorithm>

#include "loaders/dae/geometry/triangulate_with_holes.hpp"
#include "loaders/io/huge_pages.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::dae {
namespace {

constexpr std::size_t typical_index_length = 6; // characters per index in <p>, for reserving memory

} // namespace

void PrimitiveReader::begin(const Attributes& attributes, const CornerLayout& layout, std::uint32_t material)
{
    layout_ = layout;
    material_ = material;
    normal_ = attribute_index(layout.normal, attributes.normal);
    uv0_ = attribute_index(layout.uv0, attributes.uv0);
    uv1_ = attribute_index(layout.uv1, attributes.uv1);
    color_ = attribute_index(layout.color, attributes.color);
    uv2_ = attribute_index(layout.uv2, attributes.uv2);
    begin_vertices(attributes);
}

// Many exporters use one index per corner for all attributes.
StoredAttributes PrimitiveReader::follow_position(const Attributes& attributes) const
{
    const auto follows = [&](std::uint32_t place, const FloatSource& source) {
        return place == layout_.position && source.count() >= positions_.size();
    };
    return {follows(layout_.uv0, attributes.uv0), follows(layout_.uv1, attributes.uv1),
            follows(layout_.color, attributes.color), follows(layout_.uv2, attributes.uv2)};
}

void PrimitiveReader::begin_vertices(const Attributes& attributes)
{
    const StoredAttributes by_position = follow_position(attributes);
    if (segments_.empty()) table_.reserve(positions_.size(), positions_.size());
    if (segments_.empty() || !segments_.back().attributes.same_sources(attributes)) {
        const StoredAttributes exists{attributes.uv0.exists(), attributes.uv1.exists(),
                                      attributes.color.exists(), attributes.uv2.exists()};
        StoredAttributes stored{};
        for (std::size_t i = 0; i < stored.size(); ++i)
            stored[i] = exists[i] && !by_position[i];
        table_.begin_segment(stored);
        segments_.push_back({table_.size(), attributes, by_position});
        return;
    }
    StoredAttributes& known = segments_.back().by_position;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (!known[i] || by_position[i]) continue;
        table_.start_storing(i);
        known[i] = false;
    }
}

CornerIndices PrimitiveReader::corner_of(const std::uint32_t* tuple) const
{
    const std::uint32_t position = tuple[layout_.position];
    return {.position = position < positions_.size() ? position : scene::none,
            .normal = optional_index(tuple, normal_),
            .uv0 = optional_index(tuple, uv0_),
            .uv1 = optional_index(tuple, uv1_),
            .color = optional_index(tuple, color_),
            .uv2 = optional_index(tuple, uv2_)};
}

bool PrimitiveReader::next_corner(TupleReader& tuples, CornerIndices& corner) const
{
    const std::uint32_t* tuple = tuples.next();
    if (tuple != nullptr) corner = corner_of(tuple);
    return tuple != nullptr;
}

bool PrimitiveReader::has_all_positions(std::span<const CornerIndices> corners)
{
    for (const CornerIndices& corner : corners)
        if (corner.position == scene::none) return ++dropped_, false;
    return true;
}

// By Newell's method, which also handles concave and non-planar outlines.
std::uint32_t PrimitiveReader::flat_normal(std::span<const CornerIndices> corners)
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
    const bool has_normals = topology != scene::Topology::triangles && normal_.count > 0;
    const bool has_extrapolation = !primitives_.empty() && primitives_.back().topology == topology &&
                                   primitives_.back().material == material_ &&
                                   primitives_.back().has_normals == has_normals;
    if (!has_extrapolation)
        primitives_.push_back({.topology = topology,
                               .first = static_cast<std::uint32_t>(indices_.size()),
                               .count = 0,
                               .material = material_,
                               .has_normals = has_normals});
    primitives_.back().count += static_cast<std::uint32_t>(count);
    return indices_;
}

void PrimitiveReader::add_triangle(const CornerIndices& a, const CornerIndices& b, const CornerIndices& c)
{
    if (a.position == scene::none || b.position == scene::none || c.position == scene::none) {
        ++dropped_;
        return;
    }
    auto& indices = indices_for(scene::Topology::triangles, 3);
    if (a.normal != scene::none && b.normal != scene::none && c.normal != scene::none) {
        const std::array vertices{table_.find_or_add(a), table_.find_or_add(b), table_.find_or_add(c)};
        indices.insert(indices.end(), vertices.begin(), vertices.end());
        return;
    }
    std::array<CornerIndices, 3> corners{a, b, c};
    const std::uint32_t normal = flat_normal(corners);
    for (CornerIndices& corner : corners) {
        corner.normal = normal;
        indices.push_back(table_.add(corner));
    }
}

void PrimitiveReader::add_polygon(std::span<const CornerIndices> corners)
{
    if (corners.size() == 3) return add_triangle(corners[0], corners[1], corners[2]);
    if (corners.size() < 3) {
        ++dropped_;
        return;
    }
    if (!has_all_positions(corners)) return;
    scratch_.clear();
    triangle_corners_.clear();
    for (const CornerIndices& corner : corners)
        scratch_.push_back(corner.position);
    if (!scene::triangulate(positions_, scratch_, triangle_corners_)) ++crossing_;
    add_triangulated(corners, corners);
}

// Adds triangle_corners_ of `corners`; a missing normal is computed from the outline.
void PrimitiveReader::add_triangulated(std::span<const CornerIndices> corners,
                                       std::span<const CornerIndices> outline)
{
    const bool flat = std::ranges::any_of(
        corners, [](const CornerIndices& corner) { return corner.normal == scene::none; });
    const std::uint32_t normal = flat ? flat_normal(outline) : scene::none;
    scratch_.resize(corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
        CornerIndices corner = corners[i];
        if (flat) corner.normal = normal;
        scratch_[i] = flat ? table_.add(corner) : table_.find_or_add(corner);
    }
    auto& indices = indices_for(scene::Topology::triangles, triangle_corners_.size());
    for (const std::uint32_t corner : triangle_corners_)
        indices.push_back(scratch_[corner]);
}

void PrimitiveReader::add_line(const CornerIndices& a, const CornerIndices& b)
{
    if (!has_all_positions(std::array{a, b})) return;
    auto& indices = indices_for(scene::Topology::lines, 2);
    indices.push_back(table_.find_or_add(a));
    indices.push_back(table_.find_or_add(b));
}

void PrimitiveReader::triangles(std::string_view p)
{
    TupleReader tuples(p, layout_.stride);
    io::reserve_large(indices_, indices_.size() + p.size() / (layout_.stride * typical_index_length));
    CornerIndices a, b, c;
    bool begun = false;
    for (; (begun = next_corner(tuples, a)) && next_corner(tuples, b) && next_corner(tuples, c); ++polygons_)
        add_triangle(a, b, c);
    if (begun || tuples.has_incomplete_tuple()) ++dropped_;
}

void PrimitiveReader::polylist(std::string_view vcount, std::string_view p)
{
    TupleReader counts(vcount, 1), tuples(p, layout_.stride);
    io::reserve_large(indices_, indices_.size() + p.size() / (layout_.stride * typical_index_length));
    CornerIndices corner, b, c;
    bool more = true;
    while (const std::uint32_t* count = more ? counts.next() : nullptr) {
        ++polygons_;
        if (*count == 3) { // the most frequent case; no outline needed
            more = next_corner(tuples, corner) && next_corner(tuples, b) && next_corner(tuples, c);
            if (more) add_triangle(corner, b, c);
            continue;
        }
        outline_.clear();
        while (outline_.size() < *count && (more = next_corner(tuples, corner)))
            outline_.push_back(corner);
        if (more) add_polygon(outline_);
    }
    if (!more || tuples.next() != nullptr || tuples.has_incomplete_tuple()) ++dropped_;
}

void PrimitiveReader::read_outline(std::string_view p, std::vector<CornerIndices>& corners)
{
    TupleReader tuples(p, layout_.stride);
    CornerIndices corner;
    while (next_corner(tuples, corner))
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
    if (!has_all_positions(outline_)) return;
    std::vector<glm::vec3> points;
    points.reserve(outline_.size());
    for (const CornerIndices& corner : outline_)
        points.push_back(positions_[corner.position]);
    const auto outline = std::span<const CornerIndices>(outline_).first(starts.front());
    triangle_corners_.clear();
    if (triangulate_with_holes(points, starts, triangle_corners_)) return add_triangulated(outline_, outline);
    ++filled_;
    add_polygon(outline);
}

// Every second triangle of a strip has the opposite orientation.
void PrimitiveReader::strip(std::string_view p)
{
    TupleReader tuples(p, layout_.stride);
    CornerIndices a, b, c;
    if (!next_corner(tuples, a) || !next_corner(tuples, b)) return;
    for (bool turned = false; next_corner(tuples, c); turned = !turned) {
        turned ? add_triangle(b, a, c) : add_triangle(a, b, c);
        ++polygons_;
        a = b;
        b = c;
    }
}

void PrimitiveReader::fan(std::string_view p)
{
    TupleReader tuples(p, layout_.stride);
    CornerIndices a, b, c;
    if (!next_corner(tuples, a) || !next_corner(tuples, b)) return;
    while (next_corner(tuples, c)) {
        add_triangle(a, b, c);
        ++polygons_;
        b = c;
    }
}

void PrimitiveReader::lines(std::string_view p)
{
    TupleReader tuples(p, layout_.stride);
    CornerIndices a, b;
    bool begun = false;
    while ((begun = next_corner(tuples, a)) && next_corner(tuples, b))
        add_line(a, b);
    if (begun || tuples.has_incomplete_tuple()) ++dropped_;
}

void PrimitiveReader::line_strip(std::string_view p)
{
    TupleReader tuples(p, layout_.stride);
    CornerIndices a, b;
    if (!next_corner(tuples, a)) return;
    while (next_corner(tuples, b)) {
        add_line(a, b);
        a = b;
    }
}

} // namespace vitrine::dae
