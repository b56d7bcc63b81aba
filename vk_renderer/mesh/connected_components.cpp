#include "vk_renderer/mesh/connected_components.hpp"

#include "loaders/base/disjoint_sets.hpp"
#include "vk_renderer/mesh/vertex_signature.hpp"
#include "vk_renderer/mesh/weld_vertices.hpp"

namespace vitrine::render {
namespace {

// keys: one per corner.
ConnectedComponents parts_of(std::span<const std::uint64_t> keys)
{
    const auto count = static_cast<std::uint32_t>(keys.size() / 3);
    const Weld points = weld(keys.first(std::size_t{3} * count));
    DisjointSets sets(count); // of triangles
    for (std::uint32_t corner = 0; corner < 3 * count; ++corner)
        sets.join(corner / 3, points.corners[points.first[points.points[corner]]] / 3);
    ConnectedComponents parts;
    std::vector<std::uint32_t> number(count, scene::none); // by disjoint set
    parts.of.reserve(count);
    for (std::uint32_t triangle = 0; triangle < count; ++triangle) {
        auto& part = number[sets.find(triangle)];
        if (part == scene::none) part = parts.count++;
        parts.of.push_back(part);
    }
    return parts;
}

} // namespace

ConnectedComponents connected_components(const scene::Mesh& mesh, std::span<const std::uint32_t> triangles)
{
    std::vector<std::uint64_t> keys;
    keys.reserve(triangles.size());
    for (const auto vertex : triangles)
        keys.push_back(mix_point(1, mesh.positions[vertex]));
    return parts_of(keys);
}

ConnectedComponents components_by_vertex(std::span<const std::uint32_t> triangles)
{
    const std::vector<std::uint64_t> keys(triangles.begin(), triangles.end());
    return parts_of(keys);
}

} // namespace vitrine::render
