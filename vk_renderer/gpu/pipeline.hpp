#pragma once
// Pipelines from embedded SPIR-V. Viewport, scissor, cull mode and front face are dynamic.

#include <cstdint>
#include <span>

#include "vk_renderer/gpu/pipeline_layout.hpp"

namespace vitrine::render {

using Spirv = std::span<const std::uint32_t>;

struct VertexStream {
    std::uint32_t stride;
    std::span<const VkVertexInputAttributeDescription> attributes; // .binding is the index of the stream
};

// dual_source: the destination is multiplied by the fragment's second output per color channel; requires
// dualSrcBlend.
enum class Blend : std::uint8_t { none, premultiplied, dual_source };

struct GraphicsPipelineDesc {
    Spirv vertex;
    Spirv fragment;                             // empty: depth only
    std::span<const std::uint32_t> constants{}; // specialization constants 0, 1, ... of both stages
    std::span<const VertexStream> streams{};
    VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    VkPolygonMode polygon = VK_POLYGON_MODE_FILL;
    float line_width = 1.0f; // in samples; clamped to the device's range and granularity
    VkFormat color = VK_FORMAT_UNDEFINED;
    VkFormat depth = VK_FORMAT_UNDEFINED;
    VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
    bool each_sample = false; // sample shading; requires sampleRateShading
    Blend blend = Blend::none;
    bool depth_write = true;
    VkCompareOp compare = VK_COMPARE_OP_GREATER_OR_EQUAL; // depth is reversed: 1 near, 0 far
};

// Returns the supported line width nearest to `requested` samples.
float line_width_of(const Device& device, float requested);

PipelineHandle create_graphics(const Device& device, const Layout& layout, const GraphicsPipelineDesc& use);
PipelineHandle create_compute(const Device& device, const Layout& layout, Spirv shader,
                              std::span<const std::uint32_t> constants = {});

} // namespace vitrine::render
