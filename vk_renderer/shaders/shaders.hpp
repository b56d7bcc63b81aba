#pragma once
// The SPIR-V that glslc made at build time.

#include "vk_renderer/gpu/pipeline.hpp"

namespace vitrine::render::shaders {

// What a mesh's fragments need beside color, normal and view: UVs of the base color, of all textures,
// tangents too; and the layers of scene::Layers, without tangents and with them.
enum class MeshInputs : std::uint8_t { plain, base, all, tangents, layered, layered_tangents };
enum class SkinKind : std::uint8_t { skin1, skin4, dqs4, skinN, dqsN };

Spirv skin(SkinKind kind, bool texels);
Spirv bounds(bool texels, bool masked);
Spirv resolve_vertex();
Spirv resolve(bool multisample);
Spirv background_per_sample();
Spirv cast(bool texels, bool vertices);
Spirv cast_translucent(bool texels);
Spirv blur(bool vertical);
Spirv mesh_vertex(MeshInputs inputs);
// `dual_source`: of a layered surface with a second output, by which what is behind is multiplied.
Spirv mesh_fragment(MeshInputs inputs, bool dual_source);
// The same for each sample of a pixel: what is masked and not `dual_source`. Takes a device with
// sampleRateShading.
Spirv mesh_fragment_of_samples(MeshInputs inputs);
// Of points that are discs: `plain`, `base` or `all`.
Spirv disc_fragment(MeshInputs inputs);
Spirv segment_vertex();
Spirv normals_vertex();
Spirv tangents_vertex();
Spirv bounds_box_vertex();
Spirv segment_fragment(bool each_sample);

} // namespace vitrine::render::shaders
