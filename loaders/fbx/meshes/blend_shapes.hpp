#pragma once
// Converts blend shape deformers (channels with one target or with in-betweens) to morph targets.

#include "loaders/fbx/document/load_context.hpp"
#include "loaders/fbx/meshes/mesh_builder.hpp"
#include "loaders/fbx/meshes/point_vertices.hpp"

namespace vitrine::fbx {

// Adds the targets of a mesh with their static weights. Targets without normals get computed ones where the
// mesh's own normals are computed. Errors: limit_exceeded (Limits::morph_deltas), malformed.
LoadResult<std::vector<MorphChannel>> add_blend_shapes(const LoadContext& context, std::uint32_t mesh_object,
                                                       std::size_t point_count, BuiltMesh& built);

// Returns whether the mesh object has blend shapes.
bool has_blend_shapes(const Document& document, std::uint32_t mesh_object);

// Returns a channel's static weight in percent: its property DeformPercent, else its element of that name;
// before version 7000 a property of the model with the channel's name.
double static_percent(const Object& channel);

// Computes the weights of a channel's targets at a DeformPercent: interpolated between the two neighbors in
// `full_weights` (0 counts as one), extrapolated beyond the last.
void ramp_weights(std::span<const double> full_weights, double percent, std::span<float> weights);

} // namespace vitrine::fbx
