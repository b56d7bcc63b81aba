#pragma once
// Vertex cache deformers: positions over time from files beside the FBX, in place of what skin and blend
// shapes would make.

#include "loaders/fbx/document/load_context.hpp"

namespace vitrine::fbx {

// Fills Mesh::frames and returns the times of the frames on the file's time line, in seconds, ascending;
// empty when the mesh has no cache, or (with a warning) none that can be read. `control_points`: of each
// vertex. `points_so_far` counts those of all caches.
std::vector<double> add_geometry_cache(const LoadContext& context, std::uint32_t mesh_object,
                                       std::span<const std::uint32_t> control_points, std::size_t point_count,
                                       std::uint64_t& points_so_far, scene::Mesh& mesh);

// The clips show their part of the frames; a file with caches alone gets a clip over all of them.
void add_cache_channels(const LoadContext& context, const MeshMap& meshes);

} // namespace vitrine::fbx
