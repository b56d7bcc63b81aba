// Normals of meshes whose file has none. Polygons are flat unless the file declares an edge smooth: corners
// of one control point are averaged when a chain of smooth edges connects their polygons.

#include <algorithm>
#include <numeric>

#include "loaders/fbx/meshes/edge_table.hpp"
#include "loaders/fbx/meshes/mesh_source.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {
namespace {

glm::dvec3 position_of(const MeshSource& source, std::size_t corner)
{
    const std::uint32_t point = source.corners[corner];
    return point == scene::none ? glm::dvec3(0.0) : glm::dvec3(source.positions[point]);
}

std::size_t next_corner(const MeshSource& source, std::size_t polygon, std::size_t corner)
{
    return corner + 1 == source.first_corner[polygon + 1] ? source.first_corner[polygon] : corner + 1;
}

void push_unit(std::vector<float>& values, const glm::dvec3& normal)
{
    const double length = glm::length(normal);
    const glm::dvec3 unit = length > 0.0 ? normal / length : glm::dvec3(0.0, 1.0, 0.0);
    for (glm::length_t c = 0; c < 3; ++c)
        values.push_back(static_cast<float>(unit[c]));
}

// Identified by its first corner.
std::vector<std::uint32_t> one_group_per_polygon(const MeshSource& source)
{
    std::vector<std::uint32_t> groups(source.corners.size());
    for (std::size_t p = 0; p < source.polygons(); ++p)
        std::fill(groups.begin() + source.first_corner[p], groups.begin() + source.first_corner[p + 1],
                  source.first_corner[p]);
    return groups;
}

class Smoother {
public:
    explicit Smoother(const MeshSource& source)
        : source_(source), group_(source.corners.size()), hard_(source.positions.size())
    {
        std::iota(group_.begin(), group_.end(), 0u);
    }

    ValueLayer run()
    {
        mark_hard_edges();
        join_polygons();
        return sum_groups();
    }
    // Returns, after run(), the group of each corner, identified by one of its corners.
    std::vector<std::uint32_t> groups()
    {
        std::vector<std::uint32_t> out(group_.size());
        for (std::uint32_t c = 0; c < out.size(); ++c)
            out[c] = find(c);
        return out;
    }

private:
    std::uint32_t find(std::uint32_t corner)
    {
        while (group_[corner] != corner)
            corner = group_[corner] = group_[group_[corner]];
        return corner;
    }
    void join(std::uint32_t a, std::uint32_t b) { group_[find(a)] = find(b); }

    // Smoothing by edge identifies an edge by one of its corners; stored by its ends, it applies to both
    // polygons.
    void mark_hard_edges()
    {
        if (source_.smoothing->mapping != MappingMode::edge) return;
        std::vector<std::size_t> polygon_of(source_.corners.size());
        for (std::size_t p = 0; p < source_.polygons(); ++p)
            std::fill(polygon_of.begin() + static_cast<std::ptrdiff_t>(source_.first_corner[p]),
                      polygon_of.begin() + static_cast<std::ptrdiff_t>(source_.first_corner[p + 1]), p);
        for (std::size_t e = 0; e < source_.edges.size(); ++e) {
            const std::uint32_t corner = source_.edges[e];
            const bool smooth = e >= source_.smoothing->values.size() || source_.smoothing->values[e] != 0;
            if (smooth || corner == scene::none) continue;
            const std::size_t next = next_corner(source_, polygon_of[corner], corner);
            hard_.find_or_add(source_.corners[corner], source_.corners[next], true);
        }
    }

    struct EdgeSide {
        std::uint32_t corner = 0; // the corner at the edge's first end in this polygon
        std::uint32_t next = 0;
        std::uint32_t polygon = 0;
    };

    bool is_smooth(const EdgeSide& side, std::size_t polygon_a, std::size_t polygon_b) const
    {
        if (source_.smoothing->mapping == MappingMode::edge)
            return !hard_.contains(source_.corners[side.corner], source_.corners[side.next]);
        const auto groups_of = [&](std::size_t p) {
            return source_.smoothing->at({source_.first_corner[p], 0, p}, 0);
        };
        return (groups_of(polygon_a) & groups_of(polygon_b)) != 0;
    }

    // Connects a polygon across each edge with the previous polygon at that edge.
    void join_polygons()
    {
        EdgeTable<EdgeSide> first_sides(source_.positions.size());
        for (std::size_t p = 0; p < source_.polygons(); ++p) {
            for (std::size_t c = source_.first_corner[p]; c < source_.first_corner[p + 1]; ++c) {
                const EdgeSide here{static_cast<std::uint32_t>(c),
                                    static_cast<std::uint32_t>(next_corner(source_, p, c)),
                                    static_cast<std::uint32_t>(p)};
                const auto [known, is_new] =
                    first_sides.find_or_add(source_.corners[here.corner], source_.corners[here.next], here);
                if (is_new || !is_smooth(here, known.polygon, p)) continue;
                const bool same_way = source_.corners[known.corner] == source_.corners[c];
                join(same_way ? known.corner : known.next, here.corner);
                join(same_way ? known.next : known.corner, here.next);
            }
        }
    }

    ValueLayer sum_groups()
    {
        std::vector<glm::dvec3> sums(group_.size(), glm::dvec3(0.0));
        for (std::size_t p = 0; p < source_.polygons(); ++p) {
            const glm::dvec3 normal = polygon_normal(source_, p);
            const double length = glm::length(normal);
            if (!(length > 0.0)) continue;
            for (std::size_t c = source_.first_corner[p]; c < source_.first_corner[p + 1]; ++c)
                sums[find(static_cast<std::uint32_t>(c))] += normal / length * corner_angle(source_, p, c);
        }
        ValueLayer layer;
        layer.mapping = MappingMode::corner;
        layer.values.reserve(group_.size() * 3);
        for (std::size_t c = 0; c < group_.size(); ++c)
            push_unit(layer.values, sums[find(static_cast<std::uint32_t>(c))]);
        return layer;
    }

    const MeshSource& source_;
    std::vector<std::uint32_t> group_; // by corner: another corner with the same normal (union-find)
    EdgeTable<bool> hard_;
};

} // namespace

bool quad_splits_at_1(const std::array<glm::dvec3, 4>& p)
{
    const glm::dvec3 at_0 = glm::cross(p[1] - p[0], p[3] - p[0]), at_2 = glm::cross(p[3] - p[2], p[1] - p[2]);
    const glm::dvec3 at_1 = glm::cross(p[2] - p[1], p[0] - p[1]), at_3 = glm::cross(p[0] - p[3], p[2] - p[3]);
    // The triangle at a concave corner has the opposite orientation; the diagonal starts there.
    const glm::dvec3 whole = at_0 + at_2;
    return glm::dot(at_1, whole) < 0.0 || glm::dot(at_3, whole) < 0.0;
}

glm::dvec3 polygon_normal(const MeshSource& source, std::size_t polygon)
{
    glm::dvec3 sum(0.0);
    const glm::dvec3 origin = position_of(source, source.first_corner[polygon]);
    for (std::size_t c = source.first_corner[polygon]; c < source.first_corner[polygon + 1]; ++c) {
        sum += glm::cross(position_of(source, c) - origin,
                          position_of(source, next_corner(source, polygon, c)) - origin);
    }
    return sum;
}

double corner_angle(const MeshSource& source, std::size_t polygon, std::size_t corner)
{
    const std::size_t first = source.first_corner[polygon], last = source.first_corner[polygon + 1] - 1;
    const glm::dvec3 at = position_of(source, corner);
    const glm::dvec3 a = position_of(source, corner == first ? last : corner - 1) - at;
    const glm::dvec3 b = position_of(source, next_corner(source, polygon, corner)) - at;
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

void add_missing_normals(MeshSource& source, bool has_shapes)
{
    if (source.normals || source.corners.size() >= scene::none) return;
    const bool has_smooth =
        source.smoothing && std::ranges::any_of(source.smoothing->values, [](auto v) { return v != 0; });
    if (has_smooth) {
        Smoother smoother(source);
        source.normals = smoother.run();
        if (has_shapes) source.normal_groups = smoother.groups();
        return;
    }
    if (has_shapes) source.normal_groups = one_group_per_polygon(source);
    ValueLayer layer;
    layer.mapping = MappingMode::polygon;
    layer.values.reserve(source.polygons() * 3);
    for (std::size_t p = 0; p < source.polygons(); ++p)
        push_unit(layer.values, polygon_normal(source, p));
    source.normals = std::move(layer);
}

} // namespace vitrine::fbx
