// Stages for materials whose textures use more than two UV sets.

#include "vk_renderer/shaders/shaders.hpp"

namespace vitrine::render::shaders {
namespace {

constexpr std::uint32_t more_uvs_all_vert_code[] = {
#include "vk_renderer/shaders/more_uvs_all_vert.inc"
};
constexpr std::uint32_t more_uvs_tangents_vert_code[] = {
#include "vk_renderer/shaders/more_uvs_tangents_vert.inc"
};
constexpr std::uint32_t more_uvs_extensions_vert_code[] = {
#include "vk_renderer/shaders/more_uvs_extensions_vert.inc"
};
constexpr std::uint32_t more_uvs_extensions_frag_code[] = {
#include "vk_renderer/shaders/more_uvs_extensions_frag.inc"
};
constexpr std::uint32_t more_uvs_extensions_masked_code[] = {
#include "vk_renderer/shaders/more_uvs_extensions_masked.inc"
};
constexpr std::uint32_t more_uvs_extensions_through_code[] = {
#include "vk_renderer/shaders/more_uvs_extensions_through.inc"
};
constexpr std::uint32_t more_uvs_extensions_tangents_vert_code[] = {
#include "vk_renderer/shaders/more_uvs_extensions_tangents_vert.inc"
};
constexpr std::uint32_t more_uvs_extensions_tangents_frag_code[] = {
#include "vk_renderer/shaders/more_uvs_extensions_tangents_frag.inc"
};
constexpr std::uint32_t more_uvs_extensions_tangents_masked_code[] = {
#include "vk_renderer/shaders/more_uvs_extensions_tangents_masked.inc"
};
constexpr std::uint32_t more_uvs_extensions_tangents_through_code[] = {
#include "vk_renderer/shaders/more_uvs_extensions_tangents_through.inc"
};

} // namespace

Spirv more_uvs_vertex(MeshInputs inputs)
{
    switch (inputs) {
    case MeshInputs::tangents: return more_uvs_tangents_vert_code;
    case MeshInputs::extensions: return more_uvs_extensions_vert_code;
    case MeshInputs::extensions_tangents: return more_uvs_extensions_tangents_vert_code;
    default: break;
    }
    return more_uvs_all_vert_code;
}

Spirv more_uvs_fragment(MeshInputs inputs, bool dual_source)
{
    switch (inputs) {
    case MeshInputs::extensions:
        return dual_source ? Spirv(more_uvs_extensions_through_code) : Spirv(more_uvs_extensions_frag_code);
    case MeshInputs::extensions_tangents:
        return dual_source ? Spirv(more_uvs_extensions_tangents_through_code)
                           : Spirv(more_uvs_extensions_tangents_frag_code);
    default: break;
    }
    return mesh_fragment(inputs, dual_source);
}

Spirv more_uvs_masked_fragment(MeshInputs inputs)
{
    switch (inputs) {
    case MeshInputs::extensions: return more_uvs_extensions_masked_code;
    case MeshInputs::extensions_tangents: return more_uvs_extensions_tangents_masked_code;
    default: break;
    }
    return masked_fragment(inputs);
}

} // namespace vitrine::render::shaders
