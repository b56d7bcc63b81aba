#pragma once
// Converts objects to meshes of the Scene.

#include <optional>

#include "loaders/3ds/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::threeds {

// Points of the file are in world space. Returns the transform to the space in which a keyframer node places
// the mesh: the inverse of its matrix, mirrored in x where the matrix mirrors (keyframer scales do not), then
// relative to the pivot. Identity, with a warning, when the matrix has no inverse.
glm::dmat4 world_to_mesh(const Object& object, io::WarningLog& warnings);

struct MeshContext {
    const Limits& limits;
    io::WarningLog& warnings;
    std::uint64_t vertices = 0; // total so far
};

// Splits vertices where normals differ and creates one primitive per material (`materials` by face: an index,
// or scene::none). Returns nullopt when the object has no drawable face. Error: limit_exceeded.
LoadResult<std::optional<scene::Mesh>> make_mesh(const Object& object, const glm::dmat4& transform,
                                                 std::vector<std::uint32_t> materials, MeshContext& context);

} // namespace vitrine::threeds
