#include "loaders/fbx/meshes/mesh_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "loaders/io/text/text_reader.hpp"

namespace vitrine::fbx {

std::size_t MeshCounts::of(Mapping mapping) const
{
    switch (mapping) {
    case Mapping::corner: return corners;
    case Mapping::control_point: return control_points;
    case Mapping::polygon: return polygons;
    case Mapping::edge: return edges;
    default: return 1;
    }
}

std::optional<Mapping> LayerReader::mapping_of(Element layer, std::size_t entries) const
{
    constexpr std::array<std::pair<std::string_view, Mapping>, 7> names{
        {{"ByPolygonVertex", Mapping::corner},
         {"ByVertice", Mapping::control_point},
         {"ByVertex", Mapping::control_point},
         {"ByControlPoint", Mapping::control_point},
         {"ByPolygon", Mapping::polygon},
         {"ByEdge", Mapping::edge},
         {"AllSame", Mapping::all}}};
    const std::string_view declared = layer.text("MappingInformationType");
    for (const auto& [name, mapping] : names) {
        // Version 5 declares "polygon" for values by polygon corner.
        const bool by_corner =
            mapping == Mapping::polygon && entries != counts_.polygons && entries == counts_.corners;
        if (name == declared) return by_corner ? Mapping::corner : mapping;
    }
    for (const Mapping mapping : {Mapping::corner, Mapping::control_point, Mapping::polygon, Mapping::all})
        if (counts_.of(mapping) == entries) return mapping;
    if (warnings_.accepts("unknown_mapping")) {
        warnings_.store("unknown_mapping",
                        fmt::format("{} has the unknown mapping {}; it is ignored", io::shown(layer.name()),
                                    io::shown(declared)),
                        layer.place());
    }
    return {};
}

// Replaces invalid and missing indices by -1.
void LayerReader::check_indices(ValueLayer& layer, Element element) const
{
    const std::size_t expected = counts_.of(layer.mapping);
    std::size_t bad = layer.indices.size() < expected ? expected - layer.indices.size() : 0;
    layer.indices.resize(expected, -1);
    const std::size_t groups = layer.values.size() / layer.width;
    for (std::int32_t& index : layer.indices) {
        if (index >= 0 && static_cast<std::size_t>(index) < groups) continue;
        bad += index < -1 || index >= 0 ? 1 : 0;
        index = -1;
    }
    if (bad > 0 && warnings_.accepts("index_out_of_range")) {
        warnings_.store("index_out_of_range", fmt::format("{} of {} indices are invalid", bad, expected),
                        element.place());
    }
}

LoadResult<std::optional<ValueLayer>> LayerReader::read(Element element, std::string_view value_name,
                                                        std::string_view index_name,
                                                        std::uint32_t width) const
{
    auto values = element[value_name].array<float>();
    if (!values) return std::unexpected(values.error());
    if (values->size() < width) return std::nullopt;
    ValueLayer layer;
    layer.name = element.text("Name");
    layer.width = width;
    layer.values = std::move(*values);
    for (float& value : layer.values)
        if (!std::isfinite(value)) value = 0.0f;
    // "Direct" with an index array occurs; the array is used.
    auto indices = element[index_name].array<std::int32_t>();
    if (!indices) return std::unexpected(indices.error());
    layer.indices = std::move(*indices);
    const bool indexed = !layer.indices.empty();
    const auto mapping = mapping_of(element, indexed ? layer.indices.size() : layer.values.size() / width);
    if (!mapping || *mapping == Mapping::edge) return std::nullopt;
    layer.mapping = *mapping;
    if (indexed) check_indices(layer, element);
    return layer;
}

LoadResult<std::optional<IndexLayer>> LayerReader::read_indices(Element element,
                                                                std::string_view value_name) const
{
    auto values = element[value_name].array<std::int32_t>();
    if (!values) return std::unexpected(values.error());
    if (values->empty()) return std::nullopt;
    const auto mapping = mapping_of(element, values->size());
    if (!mapping) return std::nullopt;
    return IndexLayer{*mapping, std::move(*values)};
}

} // namespace vitrine::fbx
