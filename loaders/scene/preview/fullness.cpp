#include "loaders/scene/preview/fullness.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {
namespace {

constexpr float gone = 0.1f; // of its largest size

} // namespace

Fullness::Fullness(const Scene& scene)
{
    for (const bool points : {false, true}) {
        if (!elements_.empty()) break;
        only_points_ = points;
        std::uint32_t first_point = 0;
        for (const auto& instance : find_instances(scene)) {
            const auto& mesh = scene.meshes[instance.mesh];
            add_elements(mesh, first_point, points);
            first_point += static_cast<std::uint32_t>(mesh.positions.size());
        }
    }
}

void Fullness::add_elements(const Mesh& mesh, std::uint32_t first_point, bool points)
{
    for (const auto& primitive : mesh.primitives) {
        if ((primitive.topology == Topology::points) != points) continue;
        const std::uint32_t corners = points ? 1 : primitive.topology == Topology::lines ? 2 : 3;
        const auto at = [&](std::uint32_t i) { return first_point + mesh.indices[i]; };
        for (std::uint32_t i = primitive.first; i + corners <= primitive.first + primitive.count;
             i += corners)
            elements_.push_back({at(i), at(i + std::min(1u, corners - 1)), at(i + corners - 1)});
    }
}

void Fullness::add(std::span<const glm::vec3> points)
{
    auto& look = looks_.emplace_back();
    Aabb box;
    look.sizes.reserve(elements_.size());
    for (const auto& [a, b, c] : elements_) {
        for (const auto corner : {a, b, c})
            box.add(points[corner]);
        look.sizes.push_back(
            only_points_ ? 1.0f
                         : std::max({glm::distance(points[a], points[b]), glm::distance(points[b], points[c]),
                                     glm::distance(points[c], points[a])}));
    }
    if (!box.empty()) look.whole = glm::length(box.size());
}

std::vector<float> Fullness::values() const
{
    std::vector<float> largest(elements_.size(), 0.0f);
    for (const auto& look : looks_)
        for (std::size_t e = 0; e < largest.size(); ++e)
            largest[e] = std::max(largest[e], look.sizes[e]);
    std::vector<float> all;
    for (const auto& look : looks_) {
        double size = 0.0, there = 0.0;
        for (std::size_t e = 0; e < largest.size(); ++e) {
            size += look.sizes[e];
            there += look.sizes[e] > gone * largest[e] ? 1.0 : 0.0;
        }
        const auto count = static_cast<double>(std::max<std::size_t>(largest.size(), 1));
        const double value = look.whole > 0.0f ? size / count / look.whole * (there / count) : 0.0;
        all.push_back(std::isfinite(value) ? static_cast<float>(value) : 0.0f);
    }
    return all;
}

} // namespace vitrine::scene
