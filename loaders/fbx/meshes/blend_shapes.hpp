#pragma once
// Blend shape deformers: channels, each with one target or with in-betweens -> morph targets.

#include "loaders/fbx/document/load_context.hpp"
#include "loaders/fbx/meshes/mesh_builder.hpp"
#include "loaders/fbx/meshes/point_vertices.hpp"

namespace vitrine::fbx {

// Adds the targets of a mesh with their weights at rest. Those without normals get some where the mesh's own
// are computed. Errors: limit_exceeded (Limits::morph_deltas), malformed.
LoadResult<std::vector<MorphChannel>> add_blend_shapes(const LoadContext& context, std::uint32_t mesh_object,
                                                       std::size_t point_count, BuiltMesh& built);

// Whether the mesh object has any.
bool has_blend_shapes(const Document& document, std::uint32_t mesh_object);

// Where a channel's weight stands in percent: its property DeformPercent, else its element of that name;
// before version 7000 a property of the model that has the channel's name.
double rest_percent(const Object& channel);

} // namespace vitrine::fbx
