// PrimitiveReader: creates the mesh from the collected vertices.

#include <algorithm>
#include <array>

#include "loaders/base/unit_vector.hpp"
#include "loaders/dae/geometry/primitives.hpp"
#include "loaders/dae/sources/vertex_color.hpp"
#include "loaders/io/huge_pages.hpp"
#include "loaders/scene/uv_sets.hpp"

namespace vitrine::dae {

void PrimitiveReader::fill_positions(scene::Mesh& mesh) const
{
    io::resize_large(mesh.positions, table_.size());
    for (std::uint32_t v = 0; v < table_.size(); ++v)
        mesh.positions[v] = positions_[table_.position(v)];
}

void PrimitiveReader::fill_normals(scene::Mesh& mesh) const
{
    io::reserve_large(mesh.normals, table_.size());
    mesh.normals.resize(table_.size(), glm::vec3(0.0f, 1.0f, 0.0f));
    for (const Segment& segment : segments_) {
        const FloatSource& from = segment.attributes.normal;
        const auto packed = from.packed_vec3();
        for (std::uint32_t v = segment.first_vertex; v < end_of(segment); ++v) {
            const std::uint32_t normal = table_.normal(v);
            if (normal == scene::none) continue;
            if ((normal & is_flat) != 0)
                mesh.normals[v] = unit_or_up(flat_normals_[normal & ~is_flat]);
            else
                mesh.normals[v] = unit_or_up(packed.empty() ? from.vec3(normal) : packed[normal]);
        }
    }
}

std::uint32_t PrimitiveReader::end_of(const Segment& segment) const
{
    return &segment == &segments_.back() ? table_.size() : (&segment)[1].first_vertex;
}

// Fills `list` by value(source, index); it stays empty when no primitive has the attribute.
template <class Element, class Value>
void PrimitiveReader::fill(scene::Array<Element>& list, const Element& fallback, std::size_t attribute,
                           FloatSource Attributes::* source, Value value) const
{
    const auto has = [&](const Segment& segment) { return (segment.attributes.*source).exists(); };
    const std::size_t count = std::ranges::any_of(segments_, has) ? table_.size() : 0;
    io::reserve_large(list, count);
    list.resize(count, fallback);
    for (const Segment& segment : segments_) {
        if (!has(segment)) continue;
        const bool by_position = segment.by_position[attribute];
        for (std::uint32_t v = segment.first_vertex; v < end_of(segment); ++v) {
            const std::uint32_t index = by_position ? table_.position(v) : table_.stored(attribute, v);
            if (index != scene::none) list[v] = value(segment.attributes.*source, index);
        }
    }
}

// Returns whether each vertex has the position and normal of its own number, and both are contiguous arrays.
// own.
bool PrimitiveReader::is_in_order(const FloatSource& positions) const
{
    if (segments_.size() != 1 || table_.size() != positions_.size()) return false;
    const Attributes& from = segments_[0].attributes;
    const std::array all{&positions, &from.normal, &from.uv0, &from.uv1, &from.color, &from.uv2};
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (all[i]->shares_array(*all[k])) return false;
    for (std::uint32_t v = 0; v < table_.size() && !table_.is_in_order(); ++v)
        if (table_.position(v) != v || table_.normal(v) != v) return false;
    return from.normal.count() >= table_.size();
}

// For exporters that write one vertex per corner: nothing is copied.
void PrimitiveReader::take_over(FloatSource& positions, scene::Mesh& mesh)
{
    Attributes& from = segments_[0].attributes;
    const std::size_t count = table_.size();
    const auto take = [&]<class Vector>(FloatSource& source, scene::Array<Vector>& list) {
        if (source.count() != count) return;
        if (auto taken = source.take<Vector>()) list = std::move(*taken);
    };
    take(positions, mesh.positions);
    take(from.normal, mesh.normals);
    if (segments_[0].by_position[0]) take(from.uv0, mesh.uv0);
    for (glm::vec3& normal : mesh.normals)
        normal = unit_or_up(normal);
    for (glm::vec2& uv : mesh.uv0)
        uv.y = 1.0f - uv.y;
}

BuiltMesh PrimitiveReader::finish(FloatSource& positions, VertexOrigins origins)
{
    BuiltMesh built;
    built.positions = static_cast<std::uint32_t>(positions_.size());
    built.polygons = polygons_;
    scene::Mesh& mesh = built.mesh;
    table_.release_lookup();
    if (is_in_order(positions)) take_over(positions, mesh);
    if (mesh.positions.empty()) fill_positions(mesh);
    if (mesh.normals.empty()) fill_normals(mesh);
    const auto uv = [](const FloatSource& source, std::uint32_t index) {
        return glm::vec2(source.at(index, 0),
                         1.0f - source.at(index, 1)); // V starts at the bottom in the file
    };
    if (mesh.uv0.empty()) fill(mesh.uv0, glm::vec2(0.0f), 0, &Attributes::uv0, uv);
    fill(mesh.uv1, glm::vec2(0.0f), 1, &Attributes::uv1, uv);
    fill(mesh.colors, glm::vec4(1.0f), 2, &Attributes::color, vertex_color);
    if (std::ranges::any_of(segments_, [](const Segment& s) { return s.attributes.uv2.exists(); }))
        fill(scene::make_uvs(mesh, 2), glm::vec2(0.0f), 3, &Attributes::uv2, uv);
    if (origins == VertexOrigins::wanted) {
        built.position_of = table_.positions();
        built.normal_of = table_.normals();
    }
    for (std::uint32_t& normal : built.normal_of)
        if ((normal & is_flat) != 0) normal = scene::none;
    mesh.indices = std::move(indices_);
    mesh.primitives = std::move(primitives_);
    return built;
}

} // namespace vitrine::dae
