#pragma once
// Converts objects to meshes of the Scene.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/3ds/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::threeds {

using FacePoints = std::array<std::uint16_t, 3>; // points of a face

struct CornerNormals {
    std::vector<glm::vec3> normals;       // unit length
    std::vector<std::uint32_t> of_corner; // three per face: index into normals
};

// Normals by smoothing groups: at a point, a face is smooth with every face that shares a group with it; a
// face without group is flat. `groups`: 32 groups as bits, one entry per face. Points at equal positions
// count as one, so texture seams stay smooth. Angle-weighted. The work is bounded even when 65,535 faces with
// different groups share a point. Precondition: corners are in range.
CornerNormals smooth(std::span<const glm::vec3> points, std::span<const FacePoints> faces,
                     std::span<const std::uint32_t> groups);

// Returns the normal of a face without group; +z when it has no area. Precondition: its corners are in range.
glm::vec3 flat_normal(std::span<const glm::vec3> points, const FacePoints& face);

// Points of the file are in world space. Returns the transform to the space in which a keyframer node places
// the mesh: the inverse of its matrix, mirrored in x where the matrix mirrors (keyframer scales do not), then
// relative to the pivot. Identity, with a warning, when the matrix has no inverse.
glm::dmat4 world_to_mesh(const NamedObject& object, io::WarningLog& warnings);

struct MeshContext {
    const Limits& limits;
    io::WarningLog& warnings;
    std::uint64_t vertices = 0; // total so far
};

// Splits vertices where normals differ and creates one primitive per material (`materials` by face: an index,
// or scene::none). Returns nullopt when the object has no drawable face. Error: limit_exceeded.
LoadResult<std::optional<scene::Mesh>> make_mesh(const NamedObject& object, const glm::dmat4& transform,
                                                 std::vector<std::uint32_t> materials, MeshContext& context);

} // namespace vitrine::threeds
