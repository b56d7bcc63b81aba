#pragma once
// A geometry -> scene::Mesh: polygons to triangles by material, control points to vertices.

#include "loaders/fbx/meshes/mesh_source.hpp"
#include "loaders/fbx/meshes/shape_normals.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

struct BuiltMesh {
    scene::Mesh mesh; // primitives' materials are numbers of the model's materials still
    std::vector<std::uint32_t> control_points; // by vertex
    std::optional<ShapeNormals> shape_normals; // where the source has normal_groups
    std::uint64_t crossing = 0; // outlines that cross themselves so often that they are fans in part
};

// Materials from `material_count` on are none. Errors: limit_exceeded.
LoadResult<BuiltMesh> build_mesh(MeshSource source, std::size_t material_count, const Limits& limits);

} // namespace vitrine::fbx
