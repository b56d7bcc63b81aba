#pragma once
// Triangle iteration for normals, tangents and winding. Private to loaders/scene.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

using Triangle = std::array<std::uint32_t, 3>;

// Calls f with the offset of each complete triangle in Mesh::indices. Loaders call this before validate(), so
// primitives that exceed the indices are clamped to them.
template <class Function>
void for_each_triangle_at(const Mesh& mesh, Function f)
{
    for (const Primitive& primitive : mesh.primitives) {
        if (primitive.topology != Topology::triangles || primitive.first > mesh.indices.size()) continue;
        const std::size_t available = mesh.indices.size() - primitive.first;
        const std::size_t end = primitive.first + std::min<std::size_t>(primitive.count, available);
        for (std::size_t i = primitive.first; i + 2 < end; i += 3)
            f(i);
    }
}

// Calls f for each triangle whose vertices all exist.
template <class Function>
void for_each_triangle(const Mesh& mesh, Function f)
{
    const std::size_t vertices = mesh.positions.size();
    for_each_triangle_at(mesh, [&](std::size_t i) {
        const Triangle t{mesh.indices[i], mesh.indices[i + 1], mesh.indices[i + 2]};
        if (t[0] < vertices && t[1] < vertices && t[2] < vertices) f(t);
    });
}

inline double angle_between(const glm::dvec3& a, const glm::dvec3& b)
{
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

} // namespace vitrine::scene
