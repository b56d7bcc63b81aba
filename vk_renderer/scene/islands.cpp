#include "vk_renderer/scene/islands.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "loaders/scene/disjoint_sets.hpp"

namespace vitrine::render {
namespace {

void join_equal_places(const scene::Mesh& mesh, std::vector<std::uint32_t> vertices,
                       scene::DisjointSets& sets)
{
    const auto bits = [&](std::uint32_t vertex) {
        const auto& at = mesh.positions[vertex];
        return std::array{std::bit_cast<std::uint32_t>(at.x), std::bit_cast<std::uint32_t>(at.y),
                          std::bit_cast<std::uint32_t>(at.z)};
    };
    std::ranges::sort(vertices, {}, bits);
    for (std::size_t i = 1; i < vertices.size(); ++i)
        if (bits(vertices[i - 1]) == bits(vertices[i])) sets.join(vertices[i - 1], vertices[i]);
}

} // namespace

std::vector<std::uint32_t> group_islands(const scene::Mesh& mesh, std::span<std::uint32_t> triangles,
                                         std::size_t most)
{
    scene::DisjointSets sets(mesh.positions.size());
    join_equal_places(mesh, {triangles.begin(), triangles.end()}, sets);
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
        sets.join(triangles[t], triangles[t + 1]);
        sets.join(triangles[t], triangles[t + 2]);
    }
    std::map<std::uint32_t, std::size_t> number; // of the island, by its set
    std::vector<std::vector<std::uint32_t>> islands;
    for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
        const auto [at, added] = number.try_emplace(sets.find(triangles[t]), islands.size());
        if (added && islands.size() == most) return {static_cast<std::uint32_t>(triangles.size())};
        if (added) islands.emplace_back();
        const auto triangle = triangles.subspan(t, 3);
        islands[at->second].insert(islands[at->second].end(), triangle.begin(), triangle.end());
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
