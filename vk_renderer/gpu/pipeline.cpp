#include "vk_renderer/gpu/pipeline.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "vk_renderer/gpu/pipeline_cache.hpp"

namespace vitrine::render {
namespace {

ShaderHandle create_shader(const Device& device, Spirv code)
{
    const VkShaderModuleCreateInfo info{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                        .pNext = nullptr,
                                        .flags = 0,
                                        .codeSize = code.size_bytes(),
                                        .pCode = code.data()};
    VkShaderModule module = VK_NULL_HANDLE;
    check(device.vk.vkCreateShaderModule(device.handle, &info, nullptr, &module), "creating a shader");
    return {device, module};
}

// Specialization constants 0, 1, 2 ... of 32 bits each.
struct SpecializationConstants {
    explicit SpecializationConstants(std::span<const std::uint32_t> values)
    {
        for (std::uint32_t i = 0; i < values.size(); ++i)
            entries.push_back({i, i * 4u, 4});
        info = {static_cast<std::uint32_t>(entries.size()), entries.data(), values.size_bytes(),
                values.data()};
    }
    std::vector<VkSpecializationMapEntry> entries;
    VkSpecializationInfo info{};
};

VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits stage_bit, const ShaderHandle& module,
                                      const SpecializationConstants& constants)
{
    return {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .pNext = nullptr,
            .flags = 0,
            .stage = stage_bit,
            .module = module.get(),
            .pName = "main",
            .pSpecializationInfo = &constants.info};
}

struct VertexInput {
    explicit VertexInput(std::span<const VertexStream> streams)
    {
        for (std::uint32_t i = 0; i < streams.size(); ++i) {
            bindings.push_back({i, streams[i].stride, VK_VERTEX_INPUT_RATE_VERTEX});
            attributes.insert(attributes.end(), streams[i].attributes.begin(), streams[i].attributes.end());
        }
        info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                .pNext = nullptr,
                .flags = 0,
                .vertexBindingDescriptionCount = static_cast<std::uint32_t>(bindings.size()),
                .pVertexBindingDescriptions = bindings.data(),
                .vertexAttributeDescriptionCount = static_cast<std::uint32_t>(attributes.size()),
                .pVertexAttributeDescriptions = attributes.data()};
    }
    std::vector<VkVertexInputBindingDescription> bindings;
    std::vector<VkVertexInputAttributeDescription> attributes;
    VkPipelineVertexInputStateCreateInfo info{};
};

VkPipelineInputAssemblyStateCreateInfo assembly_state(const GraphicsPipelineDesc& use)
{
    VkPipelineInputAssemblyStateCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    info.topology = use.topology;
    return info;
}

// Viewports and scissors are dynamic state.
VkPipelineViewportStateCreateInfo viewport_state()
{
    VkPipelineViewportStateCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    info.viewportCount = info.scissorCount = 1;
    return info;
}

VkPipelineColorBlendAttachmentState attachment_blend(BlendEquation blend)
{
    const bool second = blend == BlendEquation::dual_source;
    return {.blendEnable = blend != BlendEquation::none ? VK_TRUE : VK_FALSE,
            .srcColorBlendFactor = VK_BLEND_FACTOR_ONE,
            .dstColorBlendFactor = second ? VK_BLEND_FACTOR_SRC1_COLOR : VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
            .colorBlendOp = VK_BLEND_OP_ADD,
            .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
            .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
            .alphaBlendOp = VK_BLEND_OP_ADD,
            .colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT |
                              VK_COLOR_COMPONENT_A_BIT};
}

VkPipelineRasterizationStateCreateInfo raster_state(const Device& device, const GraphicsPipelineDesc& use)
{
    VkPipelineRasterizationStateCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    info.polygonMode = use.polygon;
    info.lineWidth = line_width_of(device, use.line_width);
    return info;
}

VkPipelineDepthStencilStateCreateInfo depth_state(const GraphicsPipelineDesc& use)
{
    VkPipelineDepthStencilStateCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    info.depthTestEnable = use.depth != VK_FORMAT_UNDEFINED ? VK_TRUE : VK_FALSE;
    info.depthWriteEnable = use.depth_write ? VK_TRUE : VK_FALSE;
    info.depthCompareOp = use.compare;
    return info;
}

VkPipelineMultisampleStateCreateInfo sample_state(const GraphicsPipelineDesc& use)
{
    VkPipelineMultisampleStateCreateInfo info{.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    info.rasterizationSamples = use.samples;
    info.sampleShadingEnable = use.each_sample ? VK_TRUE : VK_FALSE;
    info.minSampleShading = 1.0f;
    return info;
}

std::uint32_t color_count(const GraphicsPipelineDesc& use)
{
    return use.color != VK_FORMAT_UNDEFINED ? 1 : 0;
}

VkPipelineColorBlendStateCreateInfo blend_state(const GraphicsPipelineDesc& use,
                                                const VkPipelineColorBlendAttachmentState& attachment)
{
    VkPipelineColorBlendStateCreateInfo info{.sType =
                                                 VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    info.attachmentCount = color_count(use);
    info.pAttachments = &attachment;
    return info;
}

VkPipelineDynamicStateCreateInfo dynamic_state()
{
    static constexpr std::array states{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                       VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_FRONT_FACE};
    VkPipelineDynamicStateCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    info.dynamicStateCount = states.size();
    info.pDynamicStates = states.data();
    return info;
}

VkPipelineRenderingCreateInfo attachment_formats(const GraphicsPipelineDesc& use)
{
    VkPipelineRenderingCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    info.colorAttachmentCount = color_count(use);
    info.pColorAttachmentFormats = &use.color;
    info.depthAttachmentFormat = use.depth;
    return info;
}

} // namespace

float line_width_of(const Device& device, float requested)
{
    const auto& range = device.limits.lineWidthRange;
    return device.features.wideLines == VK_TRUE ? std::clamp(requested, range[0], range[1]) : 1.0f;
}

PipelineHandle create_graphics(const Device& device, const PipelineLayout& layout,
                               const GraphicsPipelineDesc& use)
{
    const auto vertex = create_shader(device, use.vertex);
    const auto fragment = use.fragment.empty() ? ShaderHandle() : create_shader(device, use.fragment);
    const SpecializationConstants constants(use.constants);
    const std::array stages{stage(VK_SHADER_STAGE_VERTEX_BIT, vertex, constants),
                            stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment, constants)};
    const VertexInput input(use.streams);
    const auto assembly = assembly_state(use);
    const auto viewport = viewport_state();
    const auto raster = raster_state(device, use);
    const auto samples = sample_state(use);
    const auto depth = depth_state(use);
    const auto attachment = attachment_blend(use.blend);
    const auto blend = blend_state(use, attachment);
    const auto dynamic = dynamic_state();
    const auto formats = attachment_formats(use);
    VkGraphicsPipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    info.pNext = &formats;
    info.stageCount = use.fragment.empty() ? 1 : 2;
    info.pStages = stages.data();
    info.pVertexInputState = &input.info;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    info.layout = layout.handle.get();
    VkPipeline pipeline = VK_NULL_HANDLE;
    check(device.vk.vkCreateGraphicsPipelines(device.handle, device.pipelines().get(), 1, &info, nullptr,
                                              &pipeline),
          "creating a graphics pipeline");
    return {device, pipeline};
}

PipelineHandle create_compute(const Device& device, const PipelineLayout& layout, Spirv shader,
                              std::span<const std::uint32_t> values)
{
    const auto module = create_shader(device, shader);
    const SpecializationConstants constants(values);
    const VkComputePipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                           .pNext = nullptr,
                                           .flags = 0,
                                           .stage = stage(VK_SHADER_STAGE_COMPUTE_BIT, module, constants),
                                           .layout = layout.handle.get(),
                                           .basePipelineHandle = VK_NULL_HANDLE,
                                           .basePipelineIndex = -1};
    VkPipeline pipeline = VK_NULL_HANDLE;
    check(device.vk.vkCreateComputePipelines(device.handle, device.pipelines().get(), 1, &info, nullptr,
                                             &pipeline),
          "creating a compute pipeline");
    return {device, pipeline};
}

} // namespace vitrine::render
