#pragma once
// Converts geometries with their skins and blend shapes and assigns them to the nodes of their models.

#include "loaders/fbx/document/load_context.hpp"
#include "loaders/fbx/materials/materials.hpp"

namespace vitrine::fbx {

// A geometry shared by several models becomes one scene mesh when their materials are equal too.
// Precondition: nodes exist. Errors: limit_exceeded, malformed.
LoadResult<MeshMap> add_meshes(const LoadContext& context, const NodeMap& nodes,
                               const MaterialMap& materials);

// Adds joints without a cluster, such as the root above the hip and the ends of fingers: limbs connected to a
// skin's joint become joints of its skeleton, as a Skin of the scene without a mesh, after all others.
// Errors: limit_exceeded.
LoadResult<void> add_unskinned_joints(const LoadContext& context, const NodeMap& nodes);

// Reads vertex cache deformers: positions over time from files next to the FBX, which replace skinning and
// blend shapes. Fills Mesh::frames and returns the times of the frames on the file's time line, in seconds,
// ascending. Empty when the mesh has no cache, or (with a warning) no readable cache. `control_points` is the
// control point of each vertex. `points_so_far` counts the points of all caches.
std::vector<double> add_geometry_cache(const LoadContext& context, std::uint32_t mesh_object,
                                       std::span<const std::uint32_t> control_points, std::size_t point_count,
                                       std::uint64_t& points_so_far, scene::Mesh& mesh);

// Adds channels that play the frames to the clips; a file with caches only gets a clip over all frames.
void add_cache_channels(const LoadContext& context, const MeshMap& meshes);

} // namespace vitrine::fbx
