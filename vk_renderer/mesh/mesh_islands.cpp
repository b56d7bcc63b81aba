#include "vk_renderer/mesh/mesh_islands.hpp"

#include <algorithm>

#include "vk_renderer/mesh/connected_components.hpp"

namespace vitrine::render {
namespace {

// Larger runs count as one component: the search would take hundreds of megabytes.
constexpr std::size_t max_corners = 12'000'000;

} // namespace

std::vector<std::uint32_t> group_islands(const scene::Mesh& mesh, std::span<std::uint32_t> triangles,
                                         std::size_t max_components)
{
    if (triangles.size() > max_corners) return {static_cast<std::uint32_t>(triangles.size())};
    const auto parts = connected_components(mesh, triangles);
    if (parts.count > max_components) return {static_cast<std::uint32_t>(triangles.size())};
    std::vector<std::vector<std::uint32_t>> islands(parts.count);
    for (std::size_t t = 0; t < parts.of.size(); ++t) {
        const auto triangle = triangles.subspan(3 * t, 3);
        auto& island = islands[parts.of[t]];
        island.insert(island.end(), triangle.begin(), triangle.end());
    }
    std::vector<std::uint32_t> counts;
    auto to = triangles.begin();
    for (const auto& island : islands) {
        to = std::ranges::copy(island, to).out;
        counts.push_back(static_cast<std::uint32_t>(island.size()));
    }
    return counts;
}

} // namespace vitrine::render
