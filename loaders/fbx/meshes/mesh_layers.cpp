#include "loaders/fbx/meshes/mesh_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "loaders/io/huge_pages.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::fbx {

void ValueLayer::release_corners(std::size_t first, std::size_t count)
{
    if (mapping != MappingMode::corner) return;
    const auto release = [](auto entries, std::size_t begin, std::size_t size) {
        begin = std::min(begin, entries.size());
        io::discard_pages(std::as_bytes(entries.subspan(begin, std::min(size, entries.size() - begin))));
    };
    if (indices.empty())
        release(std::span<const float>(values), first * width, count * width);
    else
        release(std::span<const std::int32_t>(indices), first, count);
}

std::size_t MeshCounts::of(MappingMode mapping) const
{
    switch (mapping) {
    case MappingMode::corner: return corners;
    case MappingMode::control_point: return control_points;
    case MappingMode::polygon: return polygons;
    case MappingMode::edge: return edges;
    default: return 1;
    }
}

std::optional<MappingMode> LayerReader::read_mapping(Element layer, std::size_t entries) const
{
    constexpr std::array<std::pair<std::string_view, MappingMode>, 7> names{
        {{"ByPolygonVertex", MappingMode::corner},
         {"ByVertice", MappingMode::control_point},
         {"ByVertex", MappingMode::control_point},
         {"ByControlPoint", MappingMode::control_point},
         {"ByPolygon", MappingMode::polygon},
         {"ByEdge", MappingMode::edge},
         {"AllSame", MappingMode::all}}};
    const std::string_view declared = layer.text("MappingInformationType");
    for (const auto& [name, mapping] : names) {
        // Version 5 declares "polygon" for values by polygon corner.
        const bool by_corner =
            mapping == MappingMode::polygon && entries != counts_.polygons && entries == counts_.corners;
        if (name == declared) return by_corner ? MappingMode::corner : mapping;
    }
    for (const MappingMode mapping :
         {MappingMode::corner, MappingMode::control_point, MappingMode::polygon, MappingMode::all})
        if (counts_.of(mapping) == entries) return mapping;
    if (warnings_.accepts("unknown_mapping")) {
        warnings_.store("unknown_mapping",
                        fmt::format("{} has the unknown mapping {}; it is ignored", io::shown(layer.name()),
                                    io::shown(declared)),
                        layer.location());
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
                        element.location());
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
    const auto mapping = read_mapping(element, indexed ? layer.indices.size() : layer.values.size() / width);
    if (!mapping || *mapping == MappingMode::edge) return std::nullopt;
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
    const auto mapping = read_mapping(element, values->size());
    if (!mapping) return std::nullopt;
    return IndexLayer{*mapping, std::move(*values)};
}

} // namespace vitrine::fbx
