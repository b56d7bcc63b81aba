#pragma once
// Move-only owners of Vulkan objects. Destruction is immediate: what the device may still be using is given
// to the Timeline's deletion queue first.

#include <utility>

#include "vk_renderer/gpu/device.hpp"

namespace vitrine::render {

template <class T, auto Destroy>
class Handle {
public:
    Handle() = default;
    Handle(const Device& device, T handle) : device_(&device), handle_(handle) {}
    Handle(Handle&& other) noexcept
        : device_(other.device_), handle_(std::exchange(other.handle_, VK_NULL_HANDLE))
    {
    }
    Handle& operator=(Handle&& other) noexcept
    {
        std::swap(device_, other.device_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Handle()
    {
        if (handle_ != VK_NULL_HANDLE && !device_->abandoned())
            (device_->vk.*Destroy)(device_->handle, handle_, nullptr);
    }

    T get() const { return handle_; }
    explicit operator bool() const { return handle_ != VK_NULL_HANDLE; }

private:
    const Device* device_ = nullptr;
    T handle_ = VK_NULL_HANDLE;
};

using BufferHandle = Handle<VkBuffer, &VolkDeviceTable::vkDestroyBuffer>;
using BufferViewHandle = Handle<VkBufferView, &VolkDeviceTable::vkDestroyBufferView>;
using ImageHandle = Handle<VkImage, &VolkDeviceTable::vkDestroyImage>;
using ImageViewHandle = Handle<VkImageView, &VolkDeviceTable::vkDestroyImageView>;
using SamplerHandle = Handle<VkSampler, &VolkDeviceTable::vkDestroySampler>;
using ShaderHandle = Handle<VkShaderModule, &VolkDeviceTable::vkDestroyShaderModule>;
using SetLayoutHandle = Handle<VkDescriptorSetLayout, &VolkDeviceTable::vkDestroyDescriptorSetLayout>;
using PipelineLayoutHandle = Handle<VkPipelineLayout, &VolkDeviceTable::vkDestroyPipelineLayout>;
using PipelineHandle = Handle<VkPipeline, &VolkDeviceTable::vkDestroyPipeline>;
using SemaphoreHandle = Handle<VkSemaphore, &VolkDeviceTable::vkDestroySemaphore>;
using CommandPoolHandle = Handle<VkCommandPool, &VolkDeviceTable::vkDestroyCommandPool>;

} // namespace vitrine::render
