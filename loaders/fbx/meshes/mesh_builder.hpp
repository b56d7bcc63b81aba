#pragma once
// Converts a geometry to a scene::Mesh: polygons to triangles by material, control points to vertices;
// normals of morph targets.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "loaders/fbx/meshes/mesh_source.hpp"
#include "loaders/fbx/meshes/point_vertices.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::fbx {

// Normals of morph targets for meshes whose file has no normals: recomputed for the moved points by the rule
// of the mesh's own (mesh_normals.cpp). Only polygons that a shape moves and their neighbors are processed.
class ShapeNormals {
public:
    // Copies what it needs. Precondition: the source has normal_groups.
    explicit ShapeNormals(const MeshSource& source);

    // Registers the vertex that the mesh builder creates for a drawn corner.
    void set_vertex(std::size_t corner, std::uint32_t vertex)
    {
        vertex_of_[corner] = vertex;
        vertices_ = std::max(vertices_, std::size_t{vertex} + 1);
    }

    // Per shape: call move() for all points it moves, then finish with its target, which has position deltas
    // and no normals yet. Unchanged normals get no delta. Returns the number of corners processed.
    void move(std::uint32_t point, const glm::vec3& delta);
    std::size_t add_normals(scene::MorphTarget& target);

private:
    struct Move {
        std::uint32_t point;
        glm::vec3 delta, rest;
    };
    using Ids = std::vector<std::uint32_t>;

    Ids moved_polygons() const;
    Ids groups_of(const Ids& polygons) const;
    std::vector<glm::vec3> normals_of(const Ids& groups) const;
    glm::dvec3 unit_normal(std::uint32_t polygon) const;
    void move_points();
    void restore_points();
    std::size_t corners_in(const Ids& polygons, const Ids& groups) const;
    std::vector<glm::vec3> moved_normals(const Ids& polygons, const Ids& groups);
    void write(scene::MorphTarget& target, const Ids& groups, const std::vector<glm::vec3>& turns);

    MeshSource mesh_; // points, polygons and normal groups
    PointVertices corners_of_point_, corners_of_group_;
    Ids polygon_of_, vertex_of_;      // by corner
    std::vector<glm::dvec3> normals_; // by polygon; zero for polygons without area
    std::vector<Move> moves_;         // of the current shape
    std::size_t vertices_ = 0;
    Ids place_of_; // by vertex: index in the target being written, else none
};

struct BuiltMesh {
    scene::Mesh mesh;                          // the primitives' materials are still slots of the model
    std::vector<std::uint32_t> control_points; // control point of each vertex
    std::optional<ShapeNormals> shape_normals; // present when the source has normal_groups
    std::uint64_t crossing = 0; // self-intersecting polygons that are triangulated partly as fans
};

// Material slots from `material_count` on have no material. Errors: limit_exceeded.
LoadResult<BuiltMesh> build_mesh(MeshSource source, std::size_t material_count, const Limits& limits);

} // namespace vitrine::fbx
