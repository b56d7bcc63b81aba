#pragma once
// Pipeline layouts with one push descriptor set, and the writer that fills it. A pass lists its descriptor
// types once, in order; binding numbers in the shaders are the indices of that list.

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "vk_renderer/gpu/buffer.hpp"
#include "vk_renderer/gpu/handle.hpp"

namespace vitrine::render {

struct Layout {
    Layout() = default;
    Layout(const Device& device, std::span<const VkDescriptorType> bindings, VkShaderStageFlags stages,
           std::uint32_t push_constant_bytes);

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
    DescriptorWriter& sampled(std::uint32_t binding, VkImageView view, VkSampler sampler);
    DescriptorWriter& image(std::uint32_t binding, VkImageView view);
    void record(const Device& device, VkCommandBuffer commands, VkPipelineBindPoint point,
                const Layout& layout) const;

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
void push_constants(const Device& device, VkCommandBuffer commands, const Layout& layout, const T& value)
{
    device.vk.vkCmdPushConstants(commands, layout.handle.get(), layout.stages, 0, sizeof(T), &value);
}

} // namespace vitrine::render
