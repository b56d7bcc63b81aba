#include "vk_renderer/passes/raster_pipelines.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <future>
#include <vector>

#include "vk_renderer/passes/render_targets.hpp"
#include "vk_renderer/shaders/shaders.hpp"

namespace vitrine::render {
namespace {

PipelineLayout raster_layout(const Device& device)
{
    constexpr auto sampled = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    constexpr std::array types{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                               VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                               sampled,
                               sampled,
                               sampled,
                               sampled,
                               sampled,
                               VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                               VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                               VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                               sampled,
                               sampled,
                               sampled,
                               sampled,
                               sampled,
                               sampled,
                               sampled};
    return {device, types, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT,
            sizeof(shared::DrawPushConstants)};
}

constexpr float wireframe_width = 0.5f; // pixels

VkPrimitiveTopology topology_of(scene::Topology topology)
{
    switch (topology) {
    case scene::Topology::lines: return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case scene::Topology::points: return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    case scene::Topology::triangles: break;
    }
    return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
}

shaders::MeshInputs inputs_of(const MeshVariant& variant)
{
    using shaders::MeshInputs;
    if (variant.has_extensions)
        return variant.uses_tangents ? MeshInputs::extensions_tangents : MeshInputs::extensions;
    if (variant.uses_tangents) return MeshInputs::tangents;
    if (variant.textures == TextureUse::all || variant.more_uvs) return MeshInputs::all;
    const bool uvs = variant.textures != TextureUse::none || variant.debug_view == DebugView::uv;
    return uvs ? MeshInputs::base : MeshInputs::plain;
}

Spirv fragment_of(const MeshVariant& variant, bool sample_mask)
{
    const auto inputs = inputs_of(variant);
    if (variant.discs) return shaders::disc_fragment(inputs);
    if (sample_mask)
        return variant.more_uvs ? shaders::more_uvs_masked_fragment(inputs)
                                : shaders::masked_fragment(inputs);
    if (variant.more_uvs) return shaders::more_uvs_fragment(inputs, variant.dual_source);
    return shaders::mesh_fragment(inputs, variant.dual_source);
}

Spirv vertex_of(const MeshVariant& variant)
{
    const auto inputs = inputs_of(variant);
    return variant.more_uvs ? shaders::more_uvs_vertex(inputs) : shaders::mesh_vertex(inputs);
}

std::uint32_t surface_of(const MeshVariant& variant)
{
    if (variant.unlit) return 1;
    return variant.topology == scene::Topology::triangles || variant.lit_like_surface ? 0 : 2;
}

} // namespace

std::span<const VertexStream> mesh_streams()
{
    using shared::VertexAttributes;
    static constexpr std::array skinned{
        VkVertexInputAttributeDescription{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0},
        VkVertexInputAttributeDescription{1, 0, VK_FORMAT_R16G16_SNORM, 12}};
    static constexpr std::array fixed{
        VkVertexInputAttributeDescription{2, 1, VK_FORMAT_R32G32_SFLOAT, offsetof(VertexAttributes, uv0)},
        VkVertexInputAttributeDescription{3, 1, VK_FORMAT_R32G32_SFLOAT, offsetof(VertexAttributes, uv1)},
        VkVertexInputAttributeDescription{4, 1, VK_FORMAT_R16G16B16A16_SFLOAT,
                                          offsetof(VertexAttributes, color)}};
    static constexpr std::array tangents{VkVertexInputAttributeDescription{5, 2, VK_FORMAT_R32_UINT, 0}};
    static constexpr std::array streams{
        VertexStream{16, skinned}, VertexStream{sizeof(VertexAttributes), fixed}, VertexStream{4, tangents}};
    return streams;
}

RasterPipelines::RasterPipelines(const Device& device, VkSampleCountFlagBits samples)
    : device_(&device), samples_(samples),
      masks_samples_(samples != VK_SAMPLE_COUNT_1_BIT && device.features.sampleRateShading == VK_TRUE),
      layout_(raster_layout(device))
{
}

VkPipeline RasterPipelines::segments()
{
    return overlay(segments_, shaders::segment_vertex(), VK_COMPARE_OP_ALWAYS);
}

VkPipeline RasterPipelines::normals(bool flat)
{
    return overlay(flat ? flat_normals_ : normals_, shaders::normals_vertex(flat),
                   VK_COMPARE_OP_GREATER_OR_EQUAL);
}

VkPipeline RasterPipelines::tangents()
{
    return overlay(tangents_, shaders::tangents_vertex(), VK_COMPARE_OP_GREATER_OR_EQUAL);
}

VkPipeline RasterPipelines::bounds_box()
{
    return overlay(bounds_box_, shaders::bounds_box_vertex(), VK_COMPARE_OP_GREATER_OR_EQUAL);
}

VkPipeline RasterPipelines::overlay(PipelineHandle& made, Spirv vertex, VkCompareOp compare) const
{
    if (!made)
        made = create_graphics(*device_, layout_,
                               {.vertex = vertex,
                                .fragment = shaders::segment_fragment(masks_samples_),
                                .color = color_format,
                                .depth = depth_format,
                                .samples = samples_,
                                .blend = BlendEquation::premultiplied,
                                .depth_write = false,
                                .compare = compare});
    return made.get();
}

VkPipeline RasterPipelines::mesh(const MeshVariant& variant)
{
    auto found = meshes_.find(variant);
    if (found == meshes_.end()) found = meshes_.emplace(variant, create_mesh(variant)).first;
    return found->second.get();
}

void RasterPipelines::make(std::span<const MeshVariant> variants)
{
    if (variants.empty()) return;
    std::vector<std::future<PipelineHandle>> others;
    for (const auto& variant : variants.subspan(1))
        others.push_back(std::async(std::launch::async, [this, variant] { return create_mesh(variant); }));
    meshes_[variants[0]] = create_mesh(variants[0]);
    for (std::size_t i = 0; i < others.size(); ++i)
        meshes_[variants[i + 1]] = others[i].get();
}

PipelineHandle RasterPipelines::create_mesh(const MeshVariant& variant) const
{
    const bool blended = variant.alpha == scene::AlphaMode::blend || variant.transmissive ||
                         variant.wireframe || variant.debug_view == DebugView::ghost;
    const bool sample_mask = masks_samples_ && variant.alpha == scene::AlphaMode::mask &&
                             !variant.wireframe && !variant.dual_source && !variant.discs;
    const auto width = (variant.wireframe ? wireframe_width : line_width) *
                       static_cast<float>(device_->traits.samples_along());
    // Lines wider than requested are drawn with proportionally lower alpha.
    const float width_fraction = std::min(1.0f, width / line_width_of(*device_, width));
    const std::array constants{variant.light == LightingPreset::studio ? 1u : 0u,
                               static_cast<std::uint32_t>(variant.alpha),
                               surface_of(variant),
                               variant.wireframe ? 1u : 0u,
                               static_cast<std::uint32_t>(variant.debug_view),
                               std::bit_cast<std::uint32_t>(width_fraction),
                               variant.topology == scene::Topology::triangles ? 0u : 1u,
                               variant.shader_anisotropy ? 1u : 0u,
                               variant.flat ? 1u : 0u};
    return create_graphics(*device_, layout_,
                           {.vertex = vertex_of(variant),
                            .fragment = fragment_of(variant, sample_mask),
                            .constants = constants,
                            .streams = mesh_streams().first(variant.uses_tangents ? 3 : 2),
                            .topology = topology_of(variant.topology),
                            .polygon = variant.wireframe ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_FILL,
                            .line_width = width,
                            .color = color_format,
                            .depth = depth_format,
                            .samples = samples_,
                            .blend = variant.dual_source ? BlendEquation::dual_source
                                     : blended           ? BlendEquation::premultiplied
                                                         : BlendEquation::none,
                            .depth_write = !blended || variant.writes_depth});
}

} // namespace vitrine::render
