#include "vk_renderer/gpu/buffer.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace vitrine::render {
namespace {

constexpr VkMemoryPropertyFlags device_local_flags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;

// Memory that the device reads over its bus is slower for it, but a scene that does not fit is evicted or
// rejected. What the host writes falls back to it: the window into device memory may be small.
Allocation allocate(const Device& device, const VkMemoryRequirements& needs, MemoryDomain domain)
{
    auto& memory = device.memory();
    switch (domain) {
    case MemoryDomain::device: return memory.allocate(needs, ResourceTiling::linear, {{device_local_flags}});
    case MemoryDomain::upload:
        return memory.allocate(needs, ResourceTiling::linear,
                               {{device_local_flags | host_coherent}, {host_coherent}});
    case MemoryDomain::staging:
        return memory.allocate(needs, ResourceTiling::linear,
                               {{.required = host_coherent, .avoided = device_local_flags}, {host_coherent}});
    case MemoryDomain::readback: break;
    }
    // The host reads uncached memory a hundred times as slowly.
    return memory.allocate(needs, ResourceTiling::linear,
                           {{host_coherent | host_cached}, {host_cached}, {host_coherent}});
}

// `next`: of the chain of VkBufferCreateInfo.
BufferHandle create_buffer(const Device& device, VkDeviceSize size, VkBufferUsageFlags usage,
                           const void* next = nullptr)
{
    const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                  .pNext = next,
                                  .flags = 0,
                                  .size = size,
                                  .usage = usage,
                                  .sharingMode = VK_SHARING_MODE_EXCLUSIVE,
                                  .queueFamilyIndexCount = 0,
                                  .pQueueFamilyIndices = nullptr};
    VkBuffer buffer = VK_NULL_HANDLE;
    check(device.vk.vkCreateBuffer(device.handle, &info, nullptr, &buffer), "creating a buffer");
    return {device, buffer};
}

BufferViewHandle create_view(const Device& device, VkBuffer buffer, VkFormat format)
{
    const VkBufferViewCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                      .pNext = nullptr,
                                      .flags = 0,
                                      .buffer = buffer,
                                      .format = format,
                                      .offset = 0,
                                      .range = VK_WHOLE_SIZE};
    VkBufferView view = VK_NULL_HANDLE;
    check(device.vk.vkCreateBufferView(device.handle, &info, nullptr, &view), "creating a texel view");
    return {device, view};
}

} // namespace

Buffer::Buffer(const Device& device, VkDeviceSize size, BufferDesc desc, std::string_view name)
    : size_(std::max<VkDeviceSize>((size + 15) / 16 * 16, 16))
{
    const bool as_texels = desc.texels != VK_FORMAT_UNDEFINED && device.traits.prefers_texel_buffers;
    if (as_texels && std::has_single_bit(size_)) size_ += 16;
    const VkBufferUsageFlags texel_usage = as_texels ? VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT : 0;
    buffer_ = create_buffer(device, size_, desc.usage | texel_usage);
    VkMemoryRequirements needs{};
    device.vk.vkGetBufferMemoryRequirements(device.handle, get(), &needs);
    memory_ = allocate(device, needs, desc.domain);
    check(device.vk.vkBindBufferMemory(device.handle, get(), memory_.memory(), memory_.offset()),
          "binding a buffer");
    if (as_texels) view_ = create_view(device, get(), desc.texels);
    device.name(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<std::uint64_t>(get()), name);
}

Buffer Buffer::import(const Device& device, std::span<std::byte> memory, VkBufferUsageFlags usage,
                      std::string_view name)
{
    if (!device.memory().may_import(memory)) return {};
    const VkExternalMemoryBufferCreateInfo external{
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .pNext = nullptr,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT};
    Buffer imported;
    imported.size_ = memory.size();
    imported.buffer_ = create_buffer(device, memory.size(), usage, &external);
    VkMemoryRequirements needs{};
    device.vk.vkGetBufferMemoryRequirements(device.handle, imported.get(), &needs);
    auto allocation = device.memory().import(memory, needs);
    if (!allocation) return {};
    imported.memory_ = std::move(*allocation);
    check(device.vk.vkBindBufferMemory(device.handle, imported.get(), imported.memory_.memory(),
                                       imported.memory_.offset()),
          "binding imported memory");
    device.name(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<std::uint64_t>(imported.get()), name);
    return imported;
}

} // namespace vitrine::render
