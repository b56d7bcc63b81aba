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

VkPipelineInputAssemblyStateCreateInfo assembly_state(const GraphicsPipelineDesc& desc)
{
    VkPipelineInputAssemblyStateCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    info.topology = desc.topology;
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

VkPipelineRasterizationStateCreateInfo raster_state(const Device& device, const GraphicsPipelineDesc& desc)
{
    VkPipelineRasterizationStateCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    info.polygonMode = desc.polygon;
    info.lineWidth = line_width_of(device, desc.line_width);
    return info;
}

VkPipelineDepthStencilStateCreateInfo depth_state(const GraphicsPipelineDesc& desc)
{
    VkPipelineDepthStencilStateCreateInfo info{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    info.depthTestEnable = desc.depth != VK_FORMAT_UNDEFINED ? VK_TRUE : VK_FALSE;
    info.depthWriteEnable = desc.depth_write ? VK_TRUE : VK_FALSE;
    info.depthCompareOp = desc.compare;
    return info;
}

VkPipelineMultisampleStateCreateInfo sample_state(const GraphicsPipelineDesc& desc)
{
    VkPipelineMultisampleStateCreateInfo info{.sType =
                                                  VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    info.rasterizationSamples = desc.samples;
    return info;
}

std::uint32_t color_count(const GraphicsPipelineDesc& desc)
{
    return desc.color != VK_FORMAT_UNDEFINED ? 1 : 0;
}

VkPipelineColorBlendStateCreateInfo blend_state(const GraphicsPipelineDesc& desc,
                                                const VkPipelineColorBlendAttachmentState& attachment)
{
    VkPipelineColorBlendStateCreateInfo info{.sType =
                                                 VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    info.attachmentCount = color_count(desc);
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

VkPipelineRenderingCreateInfo attachment_formats(const GraphicsPipelineDesc& desc)
{
    VkPipelineRenderingCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    info.colorAttachmentCount = color_count(desc);
    info.pColorAttachmentFormats = &desc.color;
    info.depthAttachmentFormat = desc.depth;
    return info;
}

} // namespace

float line_width_of(const Device& device, float requested)
{
    const auto& range = device.limits.lineWidthRange;
    return device.features.wideLines == VK_TRUE ? std::clamp(requested, range[0], range[1]) : 1.0f;
}

PipelineHandle create_graphics(const Device& device, const PipelineLayout& layout,
                               const GraphicsPipelineDesc& desc)
{
    const auto vertex = create_shader(device, desc.vertex);
    const auto fragment = desc.fragment.empty() ? ShaderHandle() : create_shader(device, desc.fragment);
    const SpecializationConstants constants(desc.constants);
    const std::array stages{stage(VK_SHADER_STAGE_VERTEX_BIT, vertex, constants),
                            stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragment, constants)};
    const VertexInput input(desc.streams);
    const auto assembly = assembly_state(desc);
    const auto viewport = viewport_state();
    const auto raster = raster_state(device, desc);
    const auto samples = sample_state(desc);
    const auto depth = depth_state(desc);
    const auto attachment = attachment_blend(desc.blend);
    const auto blend = blend_state(desc, attachment);
    const auto dynamic = dynamic_state();
    const auto formats = attachment_formats(desc);
    VkGraphicsPipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    info.pNext = &formats;
    info.stageCount = desc.fragment.empty() ? 1 : 2;
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
                              std::span<const std::uint32_t> values, BufferAccess access)
{
    const auto module = create_shader(device, shader);
    const SpecializationConstants constants(values);
    const VkPipelineRobustnessCreateInfoEXT no_checks{
        .sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT,
        .pNext = nullptr,
        .storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT,
        .uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT,
        .vertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DEVICE_DEFAULT_EXT,
        .images = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_DEVICE_DEFAULT_EXT};
    const bool unchecked = access == BufferAccess::unchecked && device.extensions.pipeline_robustness;
    const VkComputePipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                           .pNext = unchecked ? &no_checks : nullptr,
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
