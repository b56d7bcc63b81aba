#pragma once
// Converts a geometry to a scene::Mesh: polygons to triangles by material, control points to vertices.

#include "loaders/fbx/meshes/mesh_source.hpp"
#include "loaders/fbx/meshes/shape_normals.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

struct BuiltMesh {
    scene::Mesh mesh;                          // the primitives' materials are still slots of the model
    std::vector<std::uint32_t> control_points; // control point of each vertex
    std::optional<ShapeNormals> shape_normals; // present when the source has normal_groups
    std::uint64_t crossing = 0; // self-intersecting polygons that are triangulated partly as fans
};

// Material slots from `material_count` on have no material. Errors: limit_exceeded.
LoadResult<BuiltMesh> build_mesh(MeshSource source, std::size_t material_count, const Limits& limits);

} // namespace vitrine::fbx
