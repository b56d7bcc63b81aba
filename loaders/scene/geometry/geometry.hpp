#pragma once
// What loaders share once they have vertices: missing normals and tangents, polygons to triangles, change of
// space.

#include <cstdint>
#include <span>
#include <vector>

#include "loaders/scene/scene.hpp"

namespace vitrine::scene {

// Ear clipping of one polygon, concave ones too; corners index `positions`. Appends 3 * (n - 2) corners, as
// offsets into `corners`, of the polygon's own winding. Degenerate polygons fall back to a fan. n < 3 appends
// nothing. Near linear for outlines that do not cross themselves; bounded for all (ear_clipper.hpp). False:
// the bound was reached, and a part of the polygon is shown as a fan. Precondition: the corners are in range.
bool triangulate(std::span<const glm::vec3> positions, std::span<const std::uint32_t> corners,
                 std::vector<std::uint32_t>& triangle_corners);

// Smooth normals, angle-weighted over the faces that share a vertex; zero-area faces count nothing; a vertex
// of none gets (0, 1, 0).
void compute_normals(Mesh& mesh);
// As above, but vertices in the same group (one group id per vertex) are averaged together, so that a split
// along a texture seam stays smooth. Those of the group `none` keep the normals that they have.
void compute_normals(Mesh& mesh, std::span<const std::uint32_t> groups);

// Per-vertex tangents from uv0 by MikkTSpace's rule: each face's direction of increasing u, projected to the
// vertex's tangent plane and weighted by the corner's angle there, summed over all vertices of equal
// position, normal, uv0 and handedness. The bitangent, cross(normal, tangent) * w, points to decreasing v,
// since uv0 starts at the top and a normal map's Y points up (as in glTF). A vertex between faces with and
// without a mirrored texture is split: its copy, of all streams, is appended. Vertices that are `given` (by
// vertex, or empty) keep the tangents they have. Needs normals and uv0, else does nothing.
void compute_tangents(Mesh& mesh, const std::vector<bool>& given = {});

// Reverses every triangle.
void flip_winding(Mesh& mesh);

// Takes a whole scene (nodes, vertices, morphs, skins, clips) from the file's space to the scene's, exactly,
// by p' = unit_metres * axes * p, and records `space`. Local transforms are conjugated, so that no helper
// node and no scale remain. A mirroring `axes` also flips the winding. Precondition: axes is a signed
// permutation.
void convert_to_scene_space(Scene& scene, const FileSpace& space);

// Puts parents before children and rewrites every node index. False when the parents form a cycle.
bool sort_nodes(Scene& scene);

} // namespace vitrine::scene
