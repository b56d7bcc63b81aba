#pragma once
// Normals by smoothing groups: at a point, a face is smooth with every face that shares a group with it; a
// face without group is flat.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::threeds {

using Corners = std::array<std::uint16_t, 3>; // points of a face

struct CornerNormals {
    std::vector<glm::vec3> normals;       // unit length
    std::vector<std::uint32_t> of_corner; // three per face: index into normals
};

// `groups`: 32 groups as bits, one entry per face. Points at equal positions count as one, so texture seams
// stay smooth. Angle-weighted. The work is bounded even when 65,535 faces with different groups share a
// point. Precondition: corners are in range.
CornerNormals smooth(std::span<const glm::vec3> points, std::span<const Corners> faces,
                     std::span<const std::uint32_t> groups);

// Returns the normal of a face without group; +z when it has no area. Precondition: its corners are in range.
glm::vec3 flat_normal(std::span<const glm::vec3> points, const Corners& face);

} // namespace vitrine::threeds
