#include "loaders/scene/preview/screen_coverage.hpp"

#include <algorithm>
#include <cmath>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::scene {
namespace {

constexpr float min_visible_size_ratio = 0.1f; // of the element's largest size

} // namespace

ScreenCoverage::ScreenCoverage(const Scene& scene)
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

void ScreenCoverage::add_elements(const Mesh& mesh, std::uint32_t first_point, bool points)
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

void ScreenCoverage::add(std::span<const glm::vec3> points)
{
    auto& measure = measures_.emplace_back();
    Aabb box;
    measure.sizes.reserve(elements_.size());
    for (const auto& [a, b, c] : elements_) {
        for (const auto corner : {a, b, c})
            box.add(points[corner]);
        measure.sizes.push_back(
            only_points_ ? 1.0f
                         : std::max({glm::distance(points[a], points[b]), glm::distance(points[b], points[c]),
                                     glm::distance(points[c], points[a])}));
    }
    if (!box.empty()) measure.diagonal = glm::length(box.size());
}

std::vector<float> ScreenCoverage::values() const
{
    std::vector<float> largest(elements_.size(), 0.0f);
    for (const auto& measure : measures_)
        for (std::size_t e = 0; e < largest.size(); ++e)
            largest[e] = std::max(largest[e], measure.sizes[e]);
    std::vector<float> all;
    for (const auto& measure : measures_) {
        double size = 0.0, there = 0.0;
        for (std::size_t e = 0; e < largest.size(); ++e) {
            size += measure.sizes[e];
            there += measure.sizes[e] > min_visible_size_ratio * largest[e] ? 1.0 : 0.0;
        }
        const auto count = static_cast<double>(std::max<std::size_t>(largest.size(), 1));
        const double value =
            measure.diagonal > 0.0f ? size / count / measure.diagonal * (there / count) : 0.0;
        all.push_back(std::isfinite(value) ? static_cast<float>(value) : 0.0f);
    }
    return all;
}

} // namespace vitrine::scene
