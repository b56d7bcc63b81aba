#pragma once
// The loops of loaders/scene/arrays as one would write them first: expected values of its tests, peers of its
// benchmark.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/bounds/bounds.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::test::plain {

inline bool all_finite(std::span<const float> values)
{
    for (const float value : values) {
        if (!std::isfinite(value)) return false;
    }
    return true;
}

inline bool all_below(std::span<const std::uint32_t> indices, std::size_t count)
{
    for (const std::uint32_t index : indices) {
        if (index >= count) return false;
    }
    return true;
}

inline bool is_ascending(std::span<const std::uint32_t> values)
{
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (values[i - 1] > values[i]) return false;
    }
    return true;
}

inline std::uint16_t max_value(std::span<const std::uint16_t> values)
{
    std::size_t largest = 0;
    for (const std::uint16_t value : values)
        largest = std::max<std::size_t>(largest, value);
    return static_cast<std::uint16_t>(largest);
}

inline bool add_points(std::span<const glm::vec3> points, scene::Aabb& box)
{
    glm::vec3 zero(0.0f); // NaN after a value that is not finite
    for (const glm::vec3& point : points) {
        box.add(point);
        zero += point * 0.0f;
    }
    return zero == glm::vec3(0.0f);
}

inline std::vector<bool> used_vertices(const scene::Mesh& mesh)
{
    std::vector<bool> used(mesh.positions.size(), false);
    for (const scene::Primitive& primitive : mesh.primitives) {
        for (std::size_t i = 0; i < primitive.count; ++i)
            used[mesh.indices[primitive.first + i]] = true;
    }
    return used;
}

struct Rows {
    glm::dvec4 row[3] = {glm::dvec4(0.0), glm::dvec4(0.0), glm::dvec4(0.0)};

    void add(const scene::PaletteEntry& entry, double weight)
    {
        for (int i = 0; i < 3; ++i)
            row[i] += glm::dvec4(entry.row[i]) * weight;
    }
    glm::vec3 point(const glm::vec3& p) const
    {
        const glm::dvec4 v(p.x, p.y, p.z, 1.0);
        return glm::vec3(glm::dvec3(glm::dot(row[0], v), glm::dot(row[1], v), glm::dot(row[2], v)));
    }
};

inline void transform_points(const scene::PaletteEntry& entry, std::span<const glm::vec3> points,
                             std::span<glm::vec3> out)
{
    for (std::size_t i = 0; i < points.size(); ++i) {
        Rows rows;
        rows.add(entry, 1.0);
        out[i] = rows.point(points[i]);
    }
}

inline void skin_points(const scene::Influences& influences, std::span<const scene::PaletteEntry> palette,
                        std::size_t first_vertex, std::span<const glm::vec3> points, std::span<glm::vec3> out)
{
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::size_t begin = influences.first[first_vertex + i];
        const std::size_t end = influences.first[first_vertex + i + 1];
        Rows rows;
        if (begin == end) rows.add(palette.back(), 1.0);
        for (std::size_t k = begin; k < end; ++k)
            rows.add(palette[influences.joints[k]], double{influences.weights[k]});
        out[i] = rows.point(points[i]);
    }
}

} // namespace vitrine::test::plain
