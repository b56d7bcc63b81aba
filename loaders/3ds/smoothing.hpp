#pragma once
// Normals by smoothing groups: around one point, a face is smooth with every face that shares a group with
// it; a face in no group is flat.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/glm.hpp>

namespace vitrine::threeds {

using Corners = std::array<std::uint16_t, 3>; // points of a face

struct CornerNormals {
    std::vector<glm::vec3> normals;       // unit length
    std::vector<std::uint32_t> of_corner; // three a face: which of them
};

// `groups`: 32 of them as bits, one entry a face. Points at the same place count as one, so that a seam of
// the texture stays smooth. Angle-weighted. Bounded also where 65,535 faces meet in a point, each in other
// groups. Precondition: corners are in range.
CornerNormals smooth(std::span<const glm::vec3> points, std::span<const Corners> faces,
                     std::span<const std::uint32_t> groups);

// Of a face in no group; +z where it has no area. Precondition: its corners are in range.
glm::vec3 flat_normal(std::span<const glm::vec3> points, const Corners& face);

} // namespace vitrine::threeds
