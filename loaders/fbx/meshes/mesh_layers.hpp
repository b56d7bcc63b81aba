#pragma once
// The layer elements of a mesh: normals, texture coordinates, colors, materials, smoothing. Each has its own
// mapping (what a value applies to) and reference mode (direct or by index).

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

// A corner of a polygon.
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

// Numbers in groups of `width`. Every entry of `indices` is a valid group or negative.
struct ValueLayer {
    std::string name; // of a UV or color set, as stored
    Mapping mapping = Mapping::corner;
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
};

// One integer per polygon, edge, corner, ...: materials, smoothing, holes.
struct IndexLayer {
    Mapping mapping = Mapping::polygon;
    std::vector<std::int32_t> values;

    std::int32_t at(const CornerPlace& place, std::int32_t fallback) const
    {
        const std::size_t i = key_of(mapping, place);
        return i < values.size() ? values[i] : fallback;
    }
    // Returns whether all of `count` entries are equal.
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

    // Returns nullopt when there are no values. `index_name` is the array's name for reference by index.
    LoadResult<std::optional<ValueLayer>> read(Element layer, std::string_view value_name,
                                               std::string_view index_name, std::uint32_t width) const;
    LoadResult<std::optional<IndexLayer>> read_indices(Element layer, std::string_view value_name) const;

private:
    // Returns the mapping that the file declares, else the one that matches the number of entries.
    std::optional<Mapping> mapping_of(Element layer, std::size_t entries) const;
    void check_indices(ValueLayer& layer, Element element) const;

    const MeshCounts& counts_;
    io::WarningLog& warnings_;
};

} // namespace vitrine::fbx
