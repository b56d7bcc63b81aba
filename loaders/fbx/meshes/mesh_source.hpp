#pragma once
// A geometry as stored in the file: control points, polygons, layers.

#include <array>

#include "loaders/fbx/document/document.hpp"
#include "loaders/fbx/meshes/mesh_layers.hpp"

#include <glm/glm.hpp>

namespace vitrine::fbx {

// The first corner of each polygon, and the end. Stores nothing while all polygons are triangles.
class PolygonStarts {
public:
    PolygonStarts() = default;
    explicit PolygonStarts(std::size_t triangles) : polygons_(triangles) {}

    void add_end(std::uint32_t end)
    {
        if (starts_.empty() && end == 3 * (polygons_ + 1)) return void(++polygons_);
        if (starts_.empty())
            for (std::uint32_t p = 0; p <= polygons_; ++p)
                starts_.push_back(3 * p);
        starts_.push_back(end);
        ++polygons_;
    }
    std::size_t polygons() const { return polygons_; }
    bool are_triangles() const { return starts_.empty(); }
    std::uint32_t operator[](std::size_t polygon) const
    {
        return starts_.empty() ? static_cast<std::uint32_t>(3 * polygon) : starts_[polygon];
    }
    std::uint32_t end() const { return (*this)[polygons_]; }

private:
    std::size_t polygons_ = 0;
    std::vector<std::uint32_t> starts_;
};

// Of MeshSource::uv_sets, those that become the Scene's two.
using UvChoice = std::array<std::uint32_t, 2>;
inline constexpr UvChoice first_uv_sets{0, 1};

struct MeshSource {
    std::vector<glm::vec3> positions;   // control points
    std::vector<std::uint32_t> corners; // control point indices of all polygons, consecutive
    bool has_invalid_corners = false;   // some corner is scene::none
    PolygonStarts first_corner;
    std::vector<std::uint32_t> edges; // the edge's first corner; the edge ends at the polygon's next corner
    std::optional<ValueLayer> normals;
    bool has_normals = false; // the file has normals
    // By corner: corners of one group share a normal. Only filled when the file has shapes and no normals.
    std::vector<std::uint32_t> normal_groups;
    std::vector<ValueLayer> uv_sets;
    std::vector<UvChoice> uv_choices; // by number of a material; beyond its end and without one the first two
    std::optional<ValueLayer> colors;
    std::optional<IndexLayer> materials; // index into the model's materials
    std::optional<IndexLayer> smoothing; // by edge: 0 hard; by polygon: smoothing groups, one bit each
    std::optional<IndexLayer> holes;     // not 0: the polygon is a hole and is not drawn

    std::size_t polygons() const { return first_corner.polygons(); }
    std::size_t polygon_size(std::size_t polygon) const
    {
        return first_corner[polygon + 1] - first_corner[polygon];
    }
    const UvChoice& uv_choice(std::int64_t material) const
    {
        const bool chosen = material >= 0 && static_cast<std::size_t>(material) < uv_choices.size();
        return chosen ? uv_choices[static_cast<std::size_t>(material)] : first_uv_sets;
    }
    MeshCounts counts() const { return {positions.size(), corners.size(), polygons(), edges.size()}; }
};

// Corners with an invalid control point are scene::none, so that layer counts still match. Of more than two
// UV sets, the first and those named by textures (`named_uv_sets`), or else the second, are read.
// Errors: limit_exceeded, malformed, truncated.
LoadResult<MeshSource> read_mesh(const Object& object, std::span<const std::string_view> named_uv_sets,
                                 const Limits& limits, io::WarningLog& warnings);

// Warns about polygons with a material index outside the model's `material_count` materials. -1 is written
// for "no material"; all polygons of a model without materials have none.
void check_materials(const MeshSource& source, const Object& object, std::size_t material_count,
                     io::WarningLog& warnings);

// Computes normals for a source without normals: flat per polygon, smooth where its smoothing data requires.
// With `has_shapes` also fills normal_groups.
void add_missing_normals(MeshSource& source, bool has_shapes = false);

// Returns the interior angle of a polygon at a corner.
double corner_angle(const MeshSource& source, std::size_t polygon, std::size_t corner);
// Returns the normal of a polygon, which need not be planar, by Newell's method; its length is twice the
// area.
glm::dvec3 polygon_normal(const MeshSource& source, std::size_t polygon);

} // namespace vitrine::fbx
