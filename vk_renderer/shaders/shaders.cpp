#include "vk_renderer/shaders/shaders.hpp"

namespace vitrine::render::shaders {
namespace {

constexpr std::uint32_t skin1_code[] = {
#include "vk_renderer/shaders/skin1.inc"
};
constexpr std::uint32_t skin4_code[] = {
#include "vk_renderer/shaders/skin4.inc"
};
constexpr std::uint32_t dqs4_code[] = {
#include "vk_renderer/shaders/dqs4.inc"
};
constexpr std::uint32_t skinN_code[] = {
#include "vk_renderer/shaders/skinN.inc"
};
constexpr std::uint32_t dqsN_code[] = {
#include "vk_renderer/shaders/dqsN.inc"
};
constexpr std::uint32_t skin1_texels_code[] = {
#include "vk_renderer/shaders/skin1_texels.inc"
};
constexpr std::uint32_t skin4_texels_code[] = {
#include "vk_renderer/shaders/skin4_texels.inc"
};
constexpr std::uint32_t dqs4_texels_code[] = {
#include "vk_renderer/shaders/dqs4_texels.inc"
};
constexpr std::uint32_t skinN_texels_code[] = {
#include "vk_renderer/shaders/skinN_texels.inc"
};
constexpr std::uint32_t dqsN_texels_code[] = {
#include "vk_renderer/shaders/dqsN_texels.inc"
};
constexpr std::uint32_t bounds_code[] = {
#include "vk_renderer/shaders/bounds.inc"
};
constexpr std::uint32_t bounds_texels_code[] = {
#include "vk_renderer/shaders/bounds_texels.inc"
};
constexpr std::uint32_t bounds_masked_code[] = {
#include "vk_renderer/shaders/bounds_masked.inc"
};
constexpr std::uint32_t bounds_texels_masked_code[] = {
#include "vk_renderer/shaders/bounds_texels_masked.inc"
};
constexpr std::uint32_t cast_code[] = {
#include "vk_renderer/shaders/shadow_cast.inc"
};
constexpr std::uint32_t cast_texels_code[] = {
#include "vk_renderer/shaders/shadow_cast_texels.inc"
};
constexpr std::uint32_t cast_vertices_code[] = {
#include "vk_renderer/shaders/shadow_cast_vertices.inc"
};
constexpr std::uint32_t cast_vertices_texels_code[] = {
#include "vk_renderer/shaders/shadow_cast_vertices_texels.inc"
};
constexpr std::uint32_t cast_translucent_code[] = {
#include "vk_renderer/shaders/shadow_cast_translucent.inc"
};
constexpr std::uint32_t cast_translucent_texels_code[] = {
#include "vk_renderer/shaders/shadow_cast_translucent_texels.inc"
};
constexpr std::uint32_t blur_across_code[] = {
#include "vk_renderer/shaders/shadow_blur_across.inc"
};
constexpr std::uint32_t blur_down_code[] = {
#include "vk_renderer/shaders/shadow_blur_down.inc"
};
constexpr std::uint32_t mesh_plain_vert_code[] = {
#include "vk_renderer/shaders/mesh_plain_vert.inc"
};
constexpr std::uint32_t mesh_plain_frag_code[] = {
#include "vk_renderer/shaders/mesh_plain_frag.inc"
};
constexpr std::uint32_t mesh_base_vert_code[] = {
#include "vk_renderer/shaders/mesh_base_vert.inc"
};
constexpr std::uint32_t mesh_base_frag_code[] = {
#include "vk_renderer/shaders/mesh_base_frag.inc"
};
constexpr std::uint32_t mesh_all_vert_code[] = {
#include "vk_renderer/shaders/mesh_all_vert.inc"
};
constexpr std::uint32_t mesh_all_frag_code[] = {
#include "vk_renderer/shaders/mesh_all_frag.inc"
};
constexpr std::uint32_t mesh_tangents_vert_code[] = {
#include "vk_renderer/shaders/mesh_tangents_vert.inc"
};
constexpr std::uint32_t mesh_tangents_frag_code[] = {
#include "vk_renderer/shaders/mesh_tangents_frag.inc"
};
constexpr std::uint32_t segment_vert_code[] = {
#include "vk_renderer/shaders/segment_vert.inc"
};
constexpr std::uint32_t normals_vert_code[] = {
#include "vk_renderer/shaders/normals_vert.inc"
};
constexpr std::uint32_t normals_flat_vert_code[] = {
#include "vk_renderer/shaders/normals_flat_vert.inc"
};
constexpr std::uint32_t tangents_vert_code[] = {
#include "vk_renderer/shaders/tangents_vert.inc"
};
constexpr std::uint32_t bounds_box_vert_code[] = {
#include "vk_renderer/shaders/bounds_box_vert.inc"
};
constexpr std::uint32_t segment_frag_code[] = {
#include "vk_renderer/shaders/segment_frag.inc"
};
constexpr std::uint32_t mesh_extensions_vert_code[] = {
#include "vk_renderer/shaders/mesh_extensions_vert.inc"
};
constexpr std::uint32_t mesh_extensions_frag_code[] = {
#include "vk_renderer/shaders/mesh_extensions_frag.inc"
};
constexpr std::uint32_t mesh_extensions_tangents_vert_code[] = {
#include "vk_renderer/shaders/mesh_extensions_tangents_vert.inc"
};
constexpr std::uint32_t mesh_extensions_tangents_frag_code[] = {
#include "vk_renderer/shaders/mesh_extensions_tangents_frag.inc"
};
constexpr std::uint32_t mesh_discs_frag_code[] = {
#include "vk_renderer/shaders/mesh_discs_frag.inc"
};
constexpr std::uint32_t mesh_base_discs_frag_code[] = {
#include "vk_renderer/shaders/mesh_base_discs_frag.inc"
};
constexpr std::uint32_t mesh_all_discs_frag_code[] = {
#include "vk_renderer/shaders/mesh_all_discs_frag.inc"
};
constexpr std::uint32_t mesh_through_frag_code[] = {
#include "vk_renderer/shaders/mesh_through_frag.inc"
};
constexpr std::uint32_t mesh_through_tangents_frag_code[] = {
#include "vk_renderer/shaders/mesh_through_tangents_frag.inc"
};
constexpr std::uint32_t mesh_plain_masked_code[] = {
#include "vk_renderer/shaders/mesh_plain_masked.inc"
};
constexpr std::uint32_t mesh_base_masked_code[] = {
#include "vk_renderer/shaders/mesh_base_masked.inc"
};
constexpr std::uint32_t mesh_all_masked_code[] = {
#include "vk_renderer/shaders/mesh_all_masked.inc"
};
constexpr std::uint32_t mesh_tangents_masked_code[] = {
#include "vk_renderer/shaders/mesh_tangents_masked.inc"
};
constexpr std::uint32_t mesh_extensions_masked_code[] = {
#include "vk_renderer/shaders/mesh_extensions_masked.inc"
};
constexpr std::uint32_t mesh_extensions_tangents_masked_code[] = {
#include "vk_renderer/shaders/mesh_extensions_tangents_masked.inc"
};
constexpr std::uint32_t segment_masked_code[] = {
#include "vk_renderer/shaders/segment_masked.inc"
};

} // namespace

Spirv skin(SkinKind kind, bool texels)
{
    switch (kind) {
    case SkinKind::skin1: return texels ? Spirv(skin1_texels_code) : Spirv(skin1_code);
    case SkinKind::skin4: return texels ? Spirv(skin4_texels_code) : Spirv(skin4_code);
    case SkinKind::dqs4: return texels ? Spirv(dqs4_texels_code) : Spirv(dqs4_code);
    case SkinKind::dqsN: return texels ? Spirv(dqsN_texels_code) : Spirv(dqsN_code);
    case SkinKind::skinN: break;
    }
    return texels ? Spirv(skinN_texels_code) : Spirv(skinN_code);
}

Spirv bounds(bool texels, bool masked)
{
    if (masked) return texels ? Spirv(bounds_texels_masked_code) : Spirv(bounds_masked_code);
    return texels ? Spirv(bounds_texels_code) : Spirv(bounds_code);
}

Spirv cast(bool texels, bool vertices)
{
    if (vertices) return texels ? Spirv(cast_vertices_texels_code) : Spirv(cast_vertices_code);
    return texels ? Spirv(cast_texels_code) : Spirv(cast_code);
}

Spirv cast_translucent(bool texels)
{
    return texels ? Spirv(cast_translucent_texels_code) : Spirv(cast_translucent_code);
}

Spirv blur(bool vertical)
{
    return vertical ? Spirv(blur_down_code) : Spirv(blur_across_code);
}

Spirv mesh_vertex(MeshInputs inputs)
{
    switch (inputs) {
    case MeshInputs::base: return mesh_base_vert_code;
    case MeshInputs::all: return mesh_all_vert_code;
    case MeshInputs::tangents: return mesh_tangents_vert_code;
    case MeshInputs::extensions: return mesh_extensions_vert_code;
    case MeshInputs::extensions_tangents: return mesh_extensions_tangents_vert_code;
    case MeshInputs::plain: break;
    }
    return mesh_plain_vert_code;
}

Spirv mesh_fragment(MeshInputs inputs, bool dual_source)
{
    switch (inputs) {
    case MeshInputs::base: return mesh_base_frag_code;
    case MeshInputs::all: return mesh_all_frag_code;
    case MeshInputs::tangents: return mesh_tangents_frag_code;
    case MeshInputs::extensions:
        return dual_source ? Spirv(mesh_through_frag_code) : Spirv(mesh_extensions_frag_code);
    case MeshInputs::extensions_tangents:
        return dual_source ? Spirv(mesh_through_tangents_frag_code)
                           : Spirv(mesh_extensions_tangents_frag_code);
    case MeshInputs::plain: break;
    }
    return mesh_plain_frag_code;
}

Spirv masked_fragment(MeshInputs inputs)
{
    switch (inputs) {
    case MeshInputs::base: return mesh_base_masked_code;
    case MeshInputs::all: return mesh_all_masked_code;
    case MeshInputs::tangents: return mesh_tangents_masked_code;
    case MeshInputs::extensions: return mesh_extensions_masked_code;
    case MeshInputs::extensions_tangents: return mesh_extensions_tangents_masked_code;
    case MeshInputs::plain: break;
    }
    return mesh_plain_masked_code;
}

Spirv disc_fragment(MeshInputs inputs)
{
    switch (inputs) {
    case MeshInputs::plain: return mesh_discs_frag_code;
    case MeshInputs::base: return mesh_base_discs_frag_code;
    default: break;
    }
    return mesh_all_discs_frag_code;
}

Spirv segment_vertex()
{
    return segment_vert_code;
}
Spirv normals_vertex(bool flat)
{
    return flat ? Spirv(normals_flat_vert_code) : Spirv(normals_vert_code);
}
Spirv tangents_vertex()
{
    return tangents_vert_code;
}
Spirv bounds_box_vertex()
{
    return bounds_box_vert_code;
}
Spirv segment_fragment(bool sample_mask)
{
    return sample_mask ? Spirv(segment_masked_code) : Spirv(segment_frag_code);
}

} // namespace vitrine::render::shaders
