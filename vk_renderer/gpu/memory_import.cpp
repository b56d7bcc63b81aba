// Memory of the host that the device uses: VK_EXT_external_memory_host.
#include <cstdint>

#include "vk_renderer/gpu/device.hpp"
#include "vk_renderer/gpu/memory.hpp"

namespace vitrine::render {

bool Memory::may_import(std::span<const std::byte> host) const
{
    const auto alignment = device_->extensions.host_pointer_alignment;
    return alignment != 0 && !host.empty() &&
           reinterpret_cast<std::uintptr_t>(host.data()) % alignment == 0 && host.size() % alignment == 0;
}

// Cached types come first: the host reads the others slowly.
std::optional<std::uint32_t> Memory::find_import_type(std::span<std::byte> host, std::uint32_t allowed) const
{
    VkMemoryHostPointerPropertiesEXT properties{.sType =
                                                    VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    const auto result = device_->vk.vkGetMemoryHostPointerPropertiesEXT(
        device_->handle, VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT, host.data(), &properties);
    if (result != VK_SUCCESS) return std::nullopt;
    for (const auto required : {host_coherent | host_cached, host_coherent})
        for (std::uint32_t i = 0; i < types_.memoryTypeCount; ++i)
            if ((allowed & properties.memoryTypeBits) >> i & 1u &&
                (types_.memoryTypes[i].propertyFlags & required) == required)
                return i;
    return std::nullopt;
}

std::optional<Allocation> Memory::import(std::span<std::byte> host, const VkMemoryRequirements& needs)
{
    const auto type = needs.size <= host.size() ? find_import_type(host, needs.memoryTypeBits) : std::nullopt;
    if (!type) return std::nullopt;
    const VkImportMemoryHostPointerInfoEXT import_info{
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .pNext = nullptr,
        .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT,
        .pHostPointer = host.data()};
    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .pNext = &import_info,
                                    .allocationSize = host.size(),
                                    .memoryTypeIndex = *type};
    blocks_.push_back({.memory = VK_NULL_HANDLE,
                       .mapped = host.data(),
                       .coherent = true,
                       .cached = (types_.memoryTypes[*type].propertyFlags & host_cached) == host_cached,
                       .type = *type,
                       .tiling = ResourceTiling::linear,
                       .shared = false,
                       .free_list = FreeList(host.size())});
    auto& block = blocks_.back();
    const auto result = device_->vk.vkAllocateMemory(device_->handle, &info, nullptr, &block.memory);
    if (result != VK_SUCCESS) {
        blocks_.pop_back();
        if (result == VK_ERROR_DEVICE_LOST) check(result, "importing memory");
        return std::nullopt;
    }
    heap_of(*type).used += host.size();
    if (is_device_local(*type)) use_.used += host.size();
    return Allocation(*this, block, *block.free_list.take(host.size(), 1), host.size());
}

} // namespace vitrine::render
