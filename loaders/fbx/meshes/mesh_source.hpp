#pragma once
// A geometry as stored in the file: control points, polygons, layers.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/fbx/container/element.hpp"
#include "loaders/fbx/document/document.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::fbx {

// The layer elements of a mesh: normals, texture coordinates, colors, materials, smoothing. Each has its own
// mapping (what a value applies to) and reference mode (direct or by index).
enum class MappingMode : std::uint8_t { corner, control_point, polygon, edge, all };

struct MeshCounts {
    std::size_t control_points = 0;
    std::size_t corners = 0;
    std::size_t polygons = 0;
    std::size_t edges = 0;

    std::size_t of(MappingMode mapping) const;
};

// A corner of a polygon.
struct CornerPlace {
    std::size_t corner = 0;
    std::uint32_t control_point = 0;
    std::size_t polygon = 0;
};

constexpr std::size_t key_of(MappingMode mapping, const CornerPlace& at)
{
    switch (mapping) {
    case MappingMode::corner: return at.corner;
    case MappingMode::control_point: return at.control_point;
    case MappingMode::polygon: return at.polygon;
    default: return 0;
    }
}

// Numbers in groups of `width`. Every entry of `indices` is a valid group or negative.
struct ValueLayer {
    std::string name; // of a UV or color set, as stored
    MappingMode mapping = MappingMode::corner;
    std::uint32_t width = 3;
    std::vector<float> values;
    std::vector<std::int32_t> indices; // empty: values are in mapping order

    // Returns the group at a corner; null when the file has none.
    const float* at(const CornerPlace& place) const
    {
        const std::size_t i = key_of(mapping, place);
        if (!indices.empty()) {
            const std::int32_t index = indices[i];
            return index < 0 ? nullptr : values.data() + static_cast<std::size_t>(index) * width;
        }
        return (i + 1) * width <= values.size() ? values.data() + i * width : nullptr;
    }
    // Returns the memory of the entries of these corners to the system. They must not be read afterwards.
    void release_corners(std::size_t first, std::size_t count);
};

// V starts at the bottom in the file.
inline glm::vec2 uv_of(const ValueLayer* layer, const CornerPlace& place)
{
    const float* value = layer != nullptr ? layer->at(place) : nullptr;
    return value != nullptr ? glm::vec2(value[0], 1.0f - value[1]) : glm::vec2(0.0f);
}

// One integer per polygon, edge, corner, ...: materials, smoothing, holes.
struct IndexLayer {
    MappingMode mapping = MappingMode::polygon;
    std::vector<std::int32_t> values;

    std::int32_t at(const CornerPlace& place, std::int32_t fallback) const
    {
        const std::size_t i = key_of(mapping, place);
        return i < values.size() ? values[i] : fallback;
    }
    // Returns whether all of `count` entries are equal.
    bool is_uniform(std::size_t count) const
    {
        if (mapping == MappingMode::all) return true;
        return values.size() >= count &&
               std::ranges::adjacent_find(values, std::not_equal_to()) == values.end();
    }
};

class LayerReader {
public:
    LayerReader(const MeshCounts& counts, io::WarningLog& warnings) : counts_(counts), warnings_(warnings) {}

    // Returns nullopt when there are no values. `index_name` is the array's name for reference by index.
    LoadResult<std::optional<ValueLayer>> read(Element layer, std::string_view value_name,
                                               std::string_view index_name, std::uint32_t width) const;
    LoadResult<std::optional<IndexLayer>> read_indices(Element layer, std::string_view value_name) const;

private:
    // Returns the mapping that the file declares, else the one that matches the number of entries.
    std::optional<MappingMode> read_mapping(Element layer, std::size_t entries) const;
    void check_indices(ValueLayer& layer, Element element) const;

    const MeshCounts& counts_;
    io::WarningLog& warnings_;
};

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

// Of MeshSource::uv_sets, those that become the Scene's; none: no more.
using UvChoice = std::array<std::uint32_t, scene::max_uv_sets>;
inline constexpr UvChoice first_uv_sets = [] {
    UvChoice choice;
    choice.fill(scene::none);
    choice[0] = 0;
    choice[1] = 1;
    return choice;
}();

// By number of the Scene's set; null: the mesh has none.
using UvLayers = std::array<const ValueLayer*, scene::max_uv_sets>;

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
    // Returns whether a polygon is visible: it has corners, all valid, and is not a hole.
    bool is_drawn(std::size_t polygon) const;
    // Returns whether all polygons are visible triangles of one material. Most meshes are; testing this up
    // front is much faster than per polygon.
    bool is_triangle_list() const;
    UvLayers uv_layers(std::int64_t material) const;
    // The most sets that a material uses; two at least.
    std::size_t chosen_uv_sets() const;
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

// Whether the diagonal that is inside the quad connects its corners 1 and 3.
bool quad_splits_at_1(const std::array<glm::dvec3, 4>& corners);

} // namespace vitrine::fbx
