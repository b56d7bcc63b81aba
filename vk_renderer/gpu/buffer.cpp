#include "vk_renderer/gpu/buffer.hpp"

#include <algorithm>

namespace vitrine::render {
namespace {

constexpr VkMemoryPropertyFlags on_device = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags on_host =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

std::uint32_t pick_type(const Device& device, std::uint32_t allowed, Domain domain)
{
    switch (domain) {
    case Domain::device: return device.memory_type(allowed, {on_device, 0});
    case Domain::upload: return device.memory_type(allowed, {on_device | on_host, on_host});
    case Domain::readback: break;
    }
    return device.memory_type(allowed, {on_host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, on_host});
}

BufferHandle create_buffer(const Device& device, VkDeviceSize size, VkBufferUsageFlags usage)
{
    const VkBufferCreateInfo info{.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                  .pNext = nullptr,
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

MemoryHandle allocate(const Device& device, VkDeviceSize size, std::uint32_t type)
{
    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .pNext = nullptr,
                                    .allocationSize = size,
                                    .memoryTypeIndex = type};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    check(device.vk.vkAllocateMemory(device.handle, &info, nullptr, &memory), "allocating a buffer");
    return {device, memory};
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

Buffer::Buffer(const Device& device, VkDeviceSize size, BufferUse use, std::string_view name)
    : size_(std::max<VkDeviceSize>((size + 15) / 16 * 16, 16))
{
    const bool as_texels = use.texels != VK_FORMAT_UNDEFINED && device.traits.read_through_texels;
    const VkBufferUsageFlags texel_usage = as_texels ? VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT : 0;
    buffer_ = create_buffer(device, size_, use.usage | texel_usage);
    VkMemoryRequirements needs{};
    device.vk.vkGetBufferMemoryRequirements(device.handle, get(), &needs);
    const auto type = pick_type(device, needs.memoryTypeBits, use.domain);
    memory_ = allocate(device, needs.size, type);
    check(device.vk.vkBindBufferMemory(device.handle, get(), memory_.get(), 0), "binding a buffer");
    if ((device.memory_flags(type) & on_host) == on_host) {
        void* address = nullptr;
        check(device.vk.vkMapMemory(device.handle, memory_.get(), 0, VK_WHOLE_SIZE, 0, &address),
              "mapping a buffer");
        mapped_ = static_cast<std::byte*>(address);
    }
    if (as_texels) view_ = create_view(device, get(), use.texels);
    device.name(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<std::uint64_t>(get()), name);
}

} // namespace vitrine::render
