#include "vk_renderer/mesh/closed_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "loaders/base/disjoint_sets.hpp"
#include "vk_renderer/mesh/vertex_signature.hpp"

namespace vitrine::render {
namespace {

// Sums a hash over all directed edges whose sign depends on the direction: 0 if every edge is used equally
// often in both directions (false positive with probability 2^-64).
bool edges_cancel(std::span<const std::uint32_t> indices, std::span<const std::uint64_t> signature)
{
    std::uint64_t sum = 0;
    for (std::size_t t = 0; t + 3 <= indices.size(); t += 3)
        for (std::size_t e = 0; e < 3; ++e) {
            const auto a = signature[indices[t + e]];
            const auto b = signature[indices[t + (e + 1) % 3]];
            sum += mix(a, b) - mix(b, a);
        }
    return sum == 0;
}

// Joins vertices at the same point.
DisjointSets join_points(std::span<const std::uint64_t> signature)
{
    DisjointSets sets(signature.size());
    std::vector<std::uint32_t> order(signature.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, {}, [&](std::uint32_t v) { return signature[v]; });
    for (std::size_t i = 1; i < order.size(); ++i)
        if (signature[order[i]] == signature[order[i - 1]]) sets.join(order[i], order[i - 1]);
    return sets;
}

struct BodySize {
    double volume = 0.0; // six times the volume
    double area = 0.0;   // twice the area
};

bool faces_outward(const scene::Mesh& mesh, std::span<const std::uint64_t> signature)
{
    auto bodies = join_points(signature);
    const std::span indices(mesh.indices);
    for (std::size_t t = 0; t + 3 <= indices.size(); t += 3) {
        bodies.join(indices[t], indices[t + 1]);
        bodies.join(indices[t], indices[t + 2]);
    }
    std::vector<BodySize> sizes(mesh.positions.size());
    const glm::dvec3 origin(mesh.positions[indices[0]]); // a nearby origin reduces cancellation
    for (std::size_t t = 0; t + 3 <= indices.size(); t += 3) {
        const auto at = [&](std::size_t k) { return glm::dvec3(mesh.positions[indices[t + k]]) - origin; };
        const auto a = at(0), b = at(1), c = at(2);
        auto& size = sizes[bodies.find(indices[t])];
        size.volume += glm::dot(a, glm::cross(b, c));
        size.area += glm::length(glm::cross(b - a, c - a));
    }
    // A flat two-sided sheet has no inside.
    constexpr double min_volume_ratio = 1e-5;
    return std::ranges::all_of(sizes, [](const BodySize& size) {
        return size.area == 0.0 || size.volume > min_volume_ratio * size.area * std::sqrt(size.area);
    });
}

} // namespace

bool is_closed(const scene::Mesh& mesh)
{
    std::size_t drawn = 0;
    for (const auto& primitive : mesh.primitives)
        drawn += primitive.count;
    if (drawn == 0 || drawn != mesh.indices.size()) return false;
    const auto signature = signatures(mesh);
    return edges_cancel(mesh.indices, signature) && faces_outward(mesh, signature);
}

} // namespace vitrine::render
