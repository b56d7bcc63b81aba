#pragma once
// The layer elements of a mesh: normals, texture coordinates, colors, materials, smoothing, each with its
// own mapping (what has a value) and reference (whether values stand in that order or are looked up).

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loaders/fbx/container/element.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::fbx {

enum class Mapping : std::uint8_t { corner, control_point, polygon, edge, all };

struct MeshCounts {
    std::size_t control_points = 0;
    std::size_t corners = 0;
    std::size_t polygons = 0;
    std::size_t edges = 0;

    std::size_t of(Mapping mapping) const;
};

// Where a corner of a polygon is.
struct CornerPlace {
    std::size_t corner = 0;
    std::uint32_t control_point = 0;
    std::size_t polygon = 0;
};

constexpr std::size_t key_of(Mapping mapping, const CornerPlace& at)
{
    switch (mapping) {
    case Mapping::corner: return at.corner;
    case Mapping::control_point: return at.control_point;
    case Mapping::polygon: return at.polygon;
    default: return 0;
    }
}

// Numbers in groups of `width`. Every entry of `indices` is a group that is there, or negative.
struct ValueLayer {
    std::string name; // of a UV or color set, as in the file
    Mapping mapping = Mapping::corner;
    std::uint32_t width = 3;
    std::vector<float> values;
    std::vector<std::int32_t> indices; // empty: values stand in the mapping's order

    // The group at a place; null where the file has none.
    const float* at(const CornerPlace& place) const
    {
        const std::size_t i = key_of(mapping, place);
        if (!indices.empty()) {
            const std::int32_t index = indices[i];
            return index < 0 ? nullptr : values.data() + static_cast<std::size_t>(index) * width;
        }
        return (i + 1) * width <= values.size() ? values.data() + i * width : nullptr;
    }
};

// One whole number for each polygon, edge, corner, ...: materials, smoothing, holes.
struct IndexLayer {
    Mapping mapping = Mapping::polygon;
    std::vector<std::int32_t> values;

    std::int32_t at(const CornerPlace& place, std::int32_t fallback) const
    {
        const std::size_t i = key_of(mapping, place);
        return i < values.size() ? values[i] : fallback;
    }
    // Whether all of `count` places have the same.
    bool is_uniform(std::size_t count) const
    {
        if (mapping == Mapping::all) return true;
        return values.size() >= count &&
               std::ranges::adjacent_find(values, std::not_equal_to()) == values.end();
    }
};

class LayerReader {
public:
    LayerReader(const MeshCounts& counts, io::WarningLog& warnings) : counts_(counts), warnings_(warnings) {}

    // Empty where there are no values. `index_name` names the array of a reference by index.
    LoadResult<std::optional<ValueLayer>> read(Element layer, std::string_view value_name,
                                               std::string_view index_name, std::uint32_t width) const;
    LoadResult<std::optional<IndexLayer>> read_indices(Element layer, std::string_view value_name) const;

private:
    // As the file says; where it does not, what the number of entries fits.
    std::optional<Mapping> mapping_of(Element layer, std::size_t entries) const;
    void check_indices(ValueLayer& layer, Element element) const;

    const MeshCounts& counts_;
    io::WarningLog& warnings_;
};

} // namespace vitrine::fbx
