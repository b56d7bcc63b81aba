#pragma once
// A geometry as the file has it: control points, polygons, layers.

#include <array>

#include "loaders/fbx/document/document.hpp"
#include "loaders/fbx/meshes/mesh_layers.hpp"

#include <glm/glm.hpp>

namespace vitrine::fbx {

// The first corner of each polygon, and the end. While all have three corners nothing is stored.
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
    std::vector<std::uint32_t> corners; // control points of all polygons, one after the other
    bool has_invalid_corners = false;   // some corner is scene::none
    PolygonStarts first_corner;
    std::vector<std::uint32_t> edges; // a corner each; the edge goes to the polygon's next one
    std::optional<ValueLayer> normals;
    bool has_normals = false; // the file's own
    // By corner: corners of one group have one normal. Only where the file has no normals and has shapes.
    std::vector<std::uint32_t> normal_groups;
    std::vector<ValueLayer> uv_sets;
    std::vector<UvChoice> uv_choices; // by number of a material; beyond its end and without one the first two
    std::optional<ValueLayer> colors;
    std::optional<IndexLayer> materials; // index into the model's materials
    std::optional<IndexLayer> smoothing; // by edge: 0 hard; by polygon: groups, a bit each
    std::optional<IndexLayer> holes;     // not 0: the polygon is not there

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

// Corners that name no control point are scene::none, so that counts of layers stay right. Of more than two
// UV sets the first is read and those that textures name (`named_uv_sets`), or else the second. Errors:
// limit_exceeded, malformed, truncated.
LoadResult<MeshSource> read_mesh(const Object& object, std::span<const std::string_view> named_uv_sets,
                                 const Limits& limits, io::WarningLog& warnings);

// Warns of polygons whose material is none of the model's, of which there are `material_count`. -1 is what
// programs write for none; of a model without any all are none.
void check_materials(const MeshSource& source, const Object& object, std::size_t material_count,
                     io::WarningLog& warnings);

// Gives a source without normals some: flat ones by polygon, smooth ones where its smoothing says so. With
// `has_shapes` it says which corners share one.
void add_missing_normals(MeshSource& source, bool has_shapes = false);

// The angle that a polygon has at a corner.
double corner_angle(const MeshSource& source, std::size_t polygon, std::size_t corner);
// Newell's: the normal of a polygon that need not be plane, its length twice the area.
glm::dvec3 polygon_normal(const MeshSource& source, std::size_t polygon);

} // namespace vitrine::fbx
