#pragma once
// Pipelines from embedded SPIR-V, with viewport, scissor, cull mode and front face dynamic; their layouts
// with one push descriptor set, and the writer that fills it. A pass lists its descriptor types once, in
// order; binding numbers in the shaders are the indices of that list.

#include <array>
#include <cstdint>
#include <span>

#include "vk_renderer/gpu/buffer.hpp"
#include "vk_renderer/gpu/handle.hpp"

namespace vitrine::render {

struct PipelineLayout {
    PipelineLayout() = default;
    PipelineLayout(const Device& device, std::span<const VkDescriptorType> bindings,
                   VkShaderStageFlags stages, std::uint32_t push_constant_bytes);

    SetLayoutHandle set;
    PipelineLayoutHandle handle;
    VkShaderStageFlags stages = 0;
};

// Collects descriptors and pushes them in one call. Used within one function.
class DescriptorWriter {
public:
    DescriptorWriter& storage(std::uint32_t binding, VkBuffer buffer, VkDeviceSize offset = 0,
                              VkDeviceSize range = VK_WHOLE_SIZE);
    DescriptorWriter& uniform(std::uint32_t binding, VkBuffer buffer, VkDeviceSize offset,
                              VkDeviceSize range);
    // Binds the buffer's texel view if it has one (the device prefers it), otherwise a storage buffer.
    DescriptorWriter& storage_or_texels(std::uint32_t binding, const Buffer& buffer);
    DescriptorWriter& sampled(std::uint32_t binding, VkImageView view, VkSampler sampler,
                              VkImageLayout layout = VK_IMAGE_LAYOUT_GENERAL);
    DescriptorWriter& image(std::uint32_t binding, VkImageView view);
    void record(const Device& device, VkCommandBuffer commands, VkPipelineBindPoint point,
                const PipelineLayout& layout) const;

private:
    static constexpr std::size_t capacity = 16;
    VkWriteDescriptorSet& add(std::uint32_t binding, VkDescriptorType type);

    std::array<VkWriteDescriptorSet, capacity> writes_{};
    std::array<VkDescriptorBufferInfo, capacity> buffers_{};
    std::array<VkDescriptorImageInfo, capacity> images_{};
    std::array<VkBufferView, capacity> views_{};
    std::uint32_t count_ = 0;
};

// The descriptor type of DescriptorWriter::storage_or_texels buffers.
VkDescriptorType storage_or_texel_type(const Device& device);

template <class T>
void push_constants(const Device& device, VkCommandBuffer commands, const PipelineLayout& layout,
                    const T& value)
{
    device.vk.vkCmdPushConstants(commands, layout.handle.get(), layout.stages, 0, sizeof(T), &value);
}

using Spirv = std::span<const std::uint32_t>;

struct VertexStream {
    std::uint32_t stride;
    std::span<const VkVertexInputAttributeDescription> attributes; // .binding is the index of the stream
};

// dual_source: the destination is multiplied by the fragment's second output per color channel; requires
// dualSrcBlend.
enum class BlendEquation : std::uint8_t { none, premultiplied, dual_source };

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
    BlendEquation blend = BlendEquation::none;
    bool depth_write = true;
    VkCompareOp compare = VK_COMPARE_OP_GREATER_OR_EQUAL; // depth is reversed: 1 near, 0 far
};

// Returns the supported line width nearest to `requested` samples.
float line_width_of(const Device& device, float requested);

PipelineHandle create_graphics(const Device& device, const PipelineLayout& layout,
                               const GraphicsPipelineDesc& desc);
// unchecked: for shaders whose every index into a buffer was validated on the host; the driver leaves out its
// own checks if the device can (DeviceExtensions::pipeline_robustness).
enum class BufferAccess : std::uint8_t { robust, unchecked };
PipelineHandle create_compute(const Device& device, const PipelineLayout& layout, Spirv shader,
                              std::span<const std::uint32_t> constants = {},
                              BufferAccess access = BufferAccess::robust);

} // namespace vitrine::render
