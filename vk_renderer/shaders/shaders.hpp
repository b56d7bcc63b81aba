#pragma once
// SPIR-V compiled by glslc at build time. `texels`: the variant that reads arrays through texel buffers, for
// DeviceTraits::prefers_texel_buffers, instead of storage buffers.

#include "vk_renderer/gpu/pipeline.hpp"

namespace vitrine::render::shaders {

// Inputs of a mesh fragment besides color, normal and view direction: UVs of the base color, or of all
// textures; tangents; scene::MaterialExtensions without and with tangents.
enum class MeshInputs : std::uint8_t { plain, base, all, tangents, extensions, extensions_tangents };
enum class SkinKind : std::uint8_t { skin1, skin4, dqs4, skinN, dqsN };

Spirv skin(SkinKind kind, bool texels);
Spirv bounds(bool texels, bool masked); // compute; `masked`: skips vertices outside PackedScene::used
Spirv resolve_vertex();
Spirv resolve(bool multisample);
Spirv resolve_compute(bool multisample);
Spirv background_per_sample();
Spirv cast(bool texels, bool vertices); // compute, shadow_cast.comp; `vertices`: casters without indices
Spirv cast_translucent(bool texels);
Spirv blur(bool vertical);
Spirv mesh_vertex(MeshInputs inputs);
// `dual_source`: of a material with extensions, with a second output that multiplies the destination.
Spirv mesh_fragment(MeshInputs inputs, bool dual_source);
// For masked surfaces in images of four samples per pixel, without `dual_source`. Requires sampleRateShading,
// for interpolation at a sample.
Spirv masked_fragment(MeshInputs inputs);
// For points drawn as discs: `plain`, `base` or `all`.
Spirv disc_fragment(MeshInputs inputs);
// The same stages for materials whose textures use more than two UV sets: of `all` and later inputs. Without
// extensions the fragment stages do not differ.
Spirv more_uvs_vertex(MeshInputs inputs);
Spirv more_uvs_fragment(MeshInputs inputs, bool dual_source);
Spirv more_uvs_masked_fragment(MeshInputs inputs);
Spirv segment_vertex();
Spirv normals_vertex(bool flat); // `flat`: of meshes without vertex normals
Spirv tangents_vertex();
Spirv bounds_box_vertex();
// `sample_mask`: for images of four samples per pixel; requires sampleRateShading.
Spirv segment_fragment(bool sample_mask);

} // namespace vitrine::render::shaders
