#pragma once
// Blend shape deformers: channels, each with one target or with in-betweens -> morph targets.

#include "loaders/fbx/import.hpp"
#include "loaders/fbx/point_vertices.hpp"

namespace vitrine::fbx {

// Adds the targets of a mesh with their weights at rest. `control_points`: of each vertex.
// Errors: limit_exceeded (Limits::morph_deltas), malformed.
LoadResult<std::vector<MorphChannel>> add_blend_shapes(const Import& import, std::uint32_t mesh_object,
                                                       std::span<const std::uint32_t> control_points,
                                                       std::size_t point_count, scene::Mesh& mesh);

// Where a channel's weight stands in percent: its property DeformPercent, else its element of that name;
// before version 7000 a property of the model that has the channel's name.
double rest_percent(const Object& channel);

} // namespace vitrine::fbx
