#include "loaders/fbx/meshes/mesh_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>
#include <unordered_map>

#include <fmt/format.h>

#include "loaders/io/limits.hpp"
#include "loaders/io/number_hash.hpp"
#include "loaders/scene/uv_sets.hpp"

namespace vitrine::fbx {
namespace {

constexpr std::size_t max_layers_read = 16; // of a mesh, that are read: each is as large as its file makes it

class MeshReader {
public:
    MeshReader(const Object& object, std::span<const std::string_view> named_uv_sets, const Limits& limits,
               io::WarningLog& warnings)
        : element_(object.element), named_uv_sets_(named_uv_sets), limits_(limits), warnings_(warnings)
    {
    }

    LoadResult<MeshSource> run();

private:
    void read_positions();
    void read_polygons();
    void read_edges();
    void read_layers();
    void read_old_layers();
    void read_uv_sets(const LayerReader& reader);
    std::vector<Element> layer_elements(std::string_view type) const;
    // Returns the effective element of a type that may occur once; absent if there is none.
    Element layer_element(std::string_view type) const
    {
        const auto all = layer_elements(type);
        return all.empty() ? Element() : all.front();
    }

    // Stores the first error.
    template <class T>
    T value_of(LoadResult<T> result)
    {
        if (result) return std::move(*result);
        if (!error_) error_ = result.error();
        return {};
    }
    void reject_more_than(std::uint64_t limit, std::uint64_t count, std::string_view name);

    Element element_;
    std::span<const std::string_view> named_uv_sets_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    MeshSource out_;
    std::optional<LoadError> error_;
};

void MeshReader::reject_more_than(std::uint64_t limit, std::uint64_t count, std::string_view name)
{
    if (count <= limit || error_) return;
    error_ =
        io::limit_exceeded_error(element_.location(), fmt::format("{} {}", count, name), name, limit).error();
}

void MeshReader::read_positions()
{
    const Element vertices = element_["Vertices"];
    reject_more_than(limits_.vertices, vertices.array_count() / 3, "vertices");
    if (error_) return;
    out_.positions = value_of(vertices.points());
    reject_more_than(limits_.vertices, out_.positions.size(),
                     "vertices"); // a text array may have more values than declared
    if (vertices.array_count() % 3 != 0)
        warnings_.add("unfinished_vertex", "the last vertex has fewer than three coordinates; it is ignored",
                      vertices.location());
    bool finite = true;
    for (glm::vec3& position : out_.positions) {
        // A product with 0 is 0 for every finite number, and NaN otherwise.
        if (glm::vec3 zero = position * 0.0f; zero == glm::vec3(0.0f)) continue;
        finite = false;
        for (glm::length_t c = 0; c < 3; ++c)
            if (!std::isfinite(position[c])) position[c] = 0.0f;
    }
    if (!finite)
        warnings_.add("non_finite", "positions are not finite; they are replaced by 0", vertices.location());
}

// Reads the triangles before the first polygon that is not one or has an invalid control point: often all.
// Three corners at once are faster than one by one.
std::size_t read_leading_triangles(std::span<std::uint32_t> corners, std::size_t control_points)
{
    const std::size_t known =
        std::min<std::size_t>(control_points, 1u << 31); // larger indices would be negative in the file
    std::size_t read = 0;
    for (; read + 3 <= corners.size(); read += 3) {
        const std::uint32_t a = corners[read], b = corners[read + 1], c = ~corners[read + 2];
        if (std::max({a, b, c}) >= known) break;
        corners[read + 2] = c;
    }
    return read / 3;
}

// The last corner of a polygon is stored as its complement.
void MeshReader::read_polygons()
{
    const Element indices = element_["PolygonVertexIndex"];
    reject_more_than(limits_.indices, indices.array_count(), "indices");
    if (error_) return;
    out_.corners = value_of(indices.array<std::uint32_t>());
    reject_more_than(std::min<std::uint64_t>(limits_.indices, scene::none - 1), out_.corners.size(),
                     "indices");
    if (error_) return;
    const std::size_t triangles = read_leading_triangles(out_.corners, out_.positions.size());
    out_.first_corner = PolygonStarts(triangles);
    std::size_t bad = 0;
    for (auto i = static_cast<std::uint32_t>(3 * triangles); i < out_.corners.size(); ++i) {
        std::uint32_t& corner = out_.corners[i];
        const bool is_last = corner >> 31 != 0;
        if (is_last) corner = ~corner;
        if (is_last) out_.first_corner.add_end(i + 1);
        if (corner < out_.positions.size()) continue;
        corner = scene::none;
        ++bad;
    }
    if (out_.first_corner.end() != out_.corners.size()) {
        warnings_.add("unterminated_polygon", "the last polygon has no end marker; it is closed",
                      indices.location());
        out_.first_corner.add_end(static_cast<std::uint32_t>(out_.corners.size()));
    }
    out_.has_invalid_corners = bad > 0;
    if (bad > 0)
        warnings_.add("index_out_of_range", fmt::format("{} corners have invalid vertex indices", bad),
                      indices.location());
}

void MeshReader::read_edges()
{
    for (const std::int32_t corner : value_of(element_["Edges"].array<std::int32_t>())) {
        const auto index = static_cast<std::uint32_t>(corner < 0 ? ~corner : corner);
        out_.edges.push_back(index < out_.corners.size() ? index : scene::none);
    }
}

// In the order in which the layers name them; without layers, in file order.
std::vector<Element> MeshReader::layer_elements(std::string_view type) const
{
    std::vector<Element> stored, ordered;
    std::unordered_map<std::int64_t, Element, io::NumberHash> by_index;
    for (const Element child : element_) {
        if (child.name() != type) continue;
        stored.push_back(child);
        by_index.try_emplace(child[0u].integer(), child);
    }
    if (stored.size() < 2) return stored;
    for (const Element layer : element_) {
        if (layer.name() != "Layer") continue;
        for (const Element entry : layer) {
            if (entry.name() != "LayerElement" || entry.text("Type") != type) continue;
            const auto found = by_index.find(entry.integer("TypedIndex"));
            if (found == by_index.end()) continue;
            ordered.push_back(found->second);
            by_index.erase(found);
        }
    }
    return ordered.empty() ? stored : ordered;
}

void MeshReader::read_uv_sets(const LayerReader& reader)
{
    std::vector<Element> sets = layer_elements("LayerElementUV");
    if (sets.size() > 2) {
        std::vector<Element> read{sets[0]};
        for (const Element set : sets | std::views::drop(1))
            if (read.size() < max_layers_read &&
                std::ranges::find(named_uv_sets_, set.text("Name")) != named_uv_sets_.end())
                read.push_back(set);
        if (read.size() == 1) read.push_back(sets[1]);
        sets = std::move(read);
    }
    for (const Element element : sets) {
        auto layer = value_of(reader.read(element, "UV", "UVIndex", 2));
        if (layer) out_.uv_sets.push_back(std::move(*layer));
    }
}

void MeshReader::read_layers()
{
    const MeshCounts counts = out_.counts();
    const LayerReader reader(counts, warnings_);
    out_.normals = value_of(reader.read(layer_element("LayerElementNormal"), "Normals", "NormalsIndex", 3));
    out_.colors = value_of(reader.read(layer_element("LayerElementColor"), "Colors", "ColorIndex", 4));
    if (const auto colors = layer_elements("LayerElementColor"); colors.size() > 1)
        warnings_.add("unsupported_color_set", "more than one color set; the first is used",
                      colors[1].location());
    out_.materials = value_of(reader.read_indices(layer_element("LayerElementMaterial"), "Materials"));
    out_.smoothing = value_of(reader.read_indices(layer_element("LayerElementSmoothing"), "Smoothing"));
    out_.holes = value_of(reader.read_indices(layer_element("LayerElementHole"), "Hole"));
    read_uv_sets(reader);
}

// Version 5 has no layers: normals by index, one UV set, materials by `MaterialAssignation`.
void MeshReader::read_old_layers()
{
    const MeshCounts counts = out_.counts();
    const LayerReader reader(counts, warnings_);
    if (!out_.normals && element_["Normals"].exists())
        out_.normals = value_of(reader.read(element_, "Normals", "NormalsIndex", 3));
    const Element uv = element_["GeometryUVInfo"];
    if (out_.uv_sets.empty() && uv.exists()) {
        auto layer = value_of(reader.read(uv, "TextureUV", "TextureUVVerticeIndex", 2));
        if (layer) out_.uv_sets.push_back(std::move(*layer));
    }
    if (!out_.materials && element_["Materials"].exists()) {
        auto values = value_of(element_["Materials"].array<std::int32_t>());
        const bool by_polygon = element_.text("MaterialAssignation") == "ByPolygon";
        out_.materials = IndexLayer{by_polygon ? MappingMode::polygon : MappingMode::all, std::move(values)};
    }
}

LoadResult<MeshSource> MeshReader::run()
{
    read_positions();
    if (!error_) read_polygons();
    if (!error_) read_edges();
    if (!error_) read_layers();
    if (!error_) read_old_layers();
    out_.has_normals = out_.normals.has_value();
    if (error_) return std::unexpected(*error_);
    return std::move(out_);
}

} // namespace

bool MeshSource::is_drawn(std::size_t polygon) const
{
    const std::size_t first = first_corner[polygon], end = first_corner[polygon + 1];
    if (first == end) return false;
    for (std::size_t c = first; c < end; ++c)
        if (corners[c] == scene::none) return false;
    return !holes || holes->at({first, corners[first], polygon}, 0) == 0;
}

UvLayers MeshSource::uv_layers(std::int64_t material) const
{
    const bool chosen = material >= 0 && static_cast<std::size_t>(material) < uv_choices.size();
    const UvChoice& choice = chosen ? uv_choices[static_cast<std::size_t>(material)] : first_uv_sets;
    UvLayers layers{};
    for (std::size_t i = 0; i < choice.size() && choice[i] != scene::none; ++i)
        if (choice[i] < uv_sets.size()) layers[i] = &uv_sets[choice[i]];
    return layers;
}

std::size_t MeshSource::chosen_uv_sets() const
{
    std::size_t count = scene::first_more_uvs;
    for (const UvChoice& choice : uv_choices)
        while (count < choice.size() && choice[count] != scene::none)
            ++count;
    return count;
}

bool MeshSource::is_triangle_list() const
{
    const std::size_t count = polygons();
    if (count == 0 || holes || has_invalid_corners || !first_corner.are_triangles()) return false;
    return !materials || materials->is_uniform(count);
}

LoadResult<MeshSource> read_mesh(const Object& object, std::span<const std::string_view> named_uv_sets,
                                 const Limits& limits, io::WarningLog& warnings)
{
    return MeshReader(object, named_uv_sets, limits, warnings).run();
}

void check_materials(const MeshSource& source, const Object& object, std::size_t material_count,
                     io::WarningLog& warnings)
{
    if (!source.materials || material_count == 0) return;
    const std::vector<std::int32_t>& values = source.materials->values;
    const std::span used =
        std::span(values).first(std::min(values.size(), source.counts().of(source.materials->mapping)));
    const auto bad = std::ranges::count_if(used, [&](std::int32_t index) {
        return index < -1 || (index >= 0 && static_cast<std::size_t>(index) >= material_count);
    });
    if (bad == 0 || !warnings.accepts("index_out_of_range")) return;
    const Element layer = object.element["LayerElementMaterial"];
    warnings.store(
        "index_out_of_range",
        fmt::format("{} of {} material indices exceed the model's {} materials; those polygons are "
                    "shown without a material",
                    bad, used.size(), material_count),
        layer.exists() ? layer.location() : object.element.location());
}

} // namespace vitrine::fbx
