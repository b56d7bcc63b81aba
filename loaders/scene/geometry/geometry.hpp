#pragma once
// Geometry processing shared by the loaders: missing normals and tangents, triangulation, conversion to scene
// space.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Triangulates one polygon, convex or concave, by ear clipping; `corners` index `positions`. Appends 3 * (n -
// 2) corners, as offsets into `corners`, with the winding of the polygon. Degenerate polygons become a fan. n
// < 3 appends nothing. The cost is nearly linear for outlines that do not cross themselves and bounded for
// all (ear_clipper.hpp). Returns false if the bound was reached and a part of the polygon became a fan.
// Precondition: the corners are in range.
bool triangulate(std::span<const glm::vec3> positions, std::span<const std::uint32_t> corners,
                 std::vector<std::uint32_t>& triangle_corners);

// Computes smooth normals, weighted by angle over the faces that share a vertex. Faces of zero area are
// ignored; a vertex without other faces gets (0, 1, 0).
void compute_normals(Mesh& mesh);
// As above, but averages all vertices of one group (one group ID per vertex), so that vertices split along a
// texture seam stay smooth. Vertices of the group `none` keep their normals.
void compute_normals(Mesh& mesh, std::span<const std::uint32_t> groups);

// Computes per-vertex tangents from uv0 by the rule of MikkTSpace: the direction of increasing u of each
// face, projected to the tangent plane of the vertex and weighted by the corner's angle in it, summed over
// all vertices of equal position, normal, uv0 and handedness. The bitangent, cross(normal, tangent) * w,
// points toward decreasing v, because the origin of uv0 is at the top and Y of a normal map points up (as in
// glTF). A vertex shared by faces with and without mirrored texture is split; the copy of all its streams is
// appended. Vertices marked in `given` (by vertex, or empty) keep their tangents. Does nothing without
// normals or uv0.
void compute_tangents(Mesh& mesh, const std::vector<bool>& given = {});

// Reverses the winding of every triangle.
void flip_winding(Mesh& mesh);

// Converts a whole scene (nodes, vertices, morph targets, skins, clips) from the file's space to scene space
// by p' = unit_meters * axes * p, and stores `space`. Local transforms are conjugated, so no helper node and
// no scale is added. If `axes` mirrors, the winding is reversed. Precondition: axes is a signed permutation.
void convert_to_scene_space(Scene& scene, const FileSpace& space);

// Sorts the nodes so that parents precede their children, and updates every node index. Returns false if the
// parents form a cycle.
bool sort_nodes(Scene& scene);

} // namespace vitrine::scene
