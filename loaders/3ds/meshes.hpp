#pragma once
// Objects to meshes of the Scene.

#include <optional>

#include "loaders/3ds/document.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::threeds {

// Points of the file are in the world. This takes them to the frame in which a node of the keyframer places
// the mesh: the inverse of its matrix, mirrored in x where the matrix mirrors (the keyframer's scales do
// not), then away from the pivot. Identity, with a warning, where the matrix has no inverse.
glm::dmat4 world_to_mesh(const Object& object, io::WarningLog& warnings);

struct MeshContext {
    const Limits& limits;
    io::WarningLog& warnings;
    std::uint64_t vertices = 0; // made so far
};

// Vertices split where normals differ, primitives by material (`materials` by face: an index, or
// scene::none). Empty where the object has no face that could be drawn. Error: limit_exceeded.
LoadResult<std::optional<scene::Mesh>> make_mesh(const Object& object, const glm::dmat4& transform,
                                                 std::vector<std::uint32_t> materials, MeshContext& context);

} // namespace vitrine::threeds
