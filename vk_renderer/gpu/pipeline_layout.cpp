#include "vk_renderer/gpu/pipeline.hpp"

#include <cassert>
#include <vector>

namespace vitrine::render {
namespace {

SetLayoutHandle create_set_layout(const Device& device, std::span<const VkDescriptorType> types,
                                  VkShaderStageFlags stages)
{
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (const auto type : types)
        bindings.push_back({.binding = static_cast<std::uint32_t>(bindings.size()),
                            .descriptorType = type,
                            .descriptorCount = 1,
                            .stageFlags = stages,
                            .pImmutableSamplers = nullptr});
    const VkDescriptorSetLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                               .pNext = nullptr,
                                               .flags =
                                                   VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
                                               .bindingCount = static_cast<std::uint32_t>(bindings.size()),
                                               .pBindings = bindings.data()};
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    check(device.vk.vkCreateDescriptorSetLayout(device.handle, &info, nullptr, &layout),
          "creating a set layout");
    return {device, layout};
}

} // namespace

PipelineLayout::PipelineLayout(const Device& device, std::span<const VkDescriptorType> bindings,
                               VkShaderStageFlags stage_flags, std::uint32_t push_constant_bytes)
    : set(create_set_layout(device, bindings, stage_flags)), stages(stage_flags)
{
    const VkPushConstantRange range{.stageFlags = stage_flags, .offset = 0, .size = push_constant_bytes};
    const VkDescriptorSetLayout set_layout = set.get();
    const VkPipelineLayoutCreateInfo info{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .pNext = nullptr,
                                          .flags = 0,
                                          .setLayoutCount = 1,
                                          .pSetLayouts = &set_layout,
                                          .pushConstantRangeCount = push_constant_bytes != 0 ? 1u : 0u,
                                          .pPushConstantRanges = &range};
    VkPipelineLayout layout = VK_NULL_HANDLE;
    check(device.vk.vkCreatePipelineLayout(device.handle, &info, nullptr, &layout),
          "creating a pipeline layout");
    handle = PipelineLayoutHandle(device, layout);
}

VkWriteDescriptorSet& DescriptorWriter::add(std::uint32_t binding, VkDescriptorType type)
{
    assert(count_ < capacity);
    auto& write = writes_[count_];
    write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
             .pNext = nullptr,
             .dstSet = VK_NULL_HANDLE,
             .dstBinding = binding,
             .dstArrayElement = 0,
             .descriptorCount = 1,
             .descriptorType = type,
             .pImageInfo = &images_[count_],
             .pBufferInfo = &buffers_[count_],
             .pTexelBufferView = &views_[count_]};
    ++count_;
    return write;
}

DescriptorWriter& DescriptorWriter::storage(std::uint32_t binding, VkBuffer buffer, VkDeviceSize offset,
                                            VkDeviceSize range)
{
    buffers_[count_] = {buffer, offset, range};
    add(binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
    return *this;
}

DescriptorWriter& DescriptorWriter::uniform(std::uint32_t binding, VkBuffer buffer, VkDeviceSize offset,
                                            VkDeviceSize range)
{
    buffers_[count_] = {buffer, offset, range};
    add(binding, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER);
    return *this;
}

DescriptorWriter& DescriptorWriter::storage_or_texels(std::uint32_t binding, const Buffer& buffer)
{
    if (buffer.texels() == VK_NULL_HANDLE) return storage(binding, buffer.get());
    views_[count_] = buffer.texels();
    add(binding, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER);
    return *this;
}

DescriptorWriter& DescriptorWriter::sampled(std::uint32_t binding, VkImageView view, VkSampler sampler,
                                            VkImageLayout layout)
{
    images_[count_] = {sampler, view, layout};
    add(binding, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
    return *this;
}

DescriptorWriter& DescriptorWriter::image(std::uint32_t binding, VkImageView view)
{
    images_[count_] = {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
    add(binding, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE);
    return *this;
}

void DescriptorWriter::record(const Device& device, VkCommandBuffer commands, VkPipelineBindPoint point,
                              const PipelineLayout& layout) const
{
    device.vk.vkCmdPushDescriptorSetKHR(commands, point, layout.handle.get(), 0, count_, writes_.data());
}

VkDescriptorType storage_or_texel_type(const Device& device)
{
    return device.traits.prefers_texel_buffers ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
                                               : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

} // namespace vitrine::render
