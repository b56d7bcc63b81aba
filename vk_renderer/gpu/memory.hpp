#pragma once
// The device's memory. Every buffer and image takes its part here: small ones share blocks, because drivers
// grant few allocations (4096 on many) and round each up to pages; and here is counted what is used, against
// the budget. Owned by the Device, used by its thread.

#include <cstdint>
#include <list>
#include <string_view>

#include "vk_renderer/base/types.hpp"
#include "vk_renderer/gpu/free_list.hpp"
#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::render {

class Device;
class Memory;

// No room on the device now; with less on it there may be.
struct OutOfMemory : RenderError {
    using RenderError::RenderError;
};

// Buffers and linearly tiled images, and all other images: never in one block, so that bufferImageGranularity
// needs no thought.
enum class Tiling : std::uint8_t { linear, optimal };

// Memory that the host sees is asked for with this, and stays mapped.
inline constexpr VkMemoryPropertyFlags host_coherent =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

struct MemoryBlock {
    VkDeviceMemory memory = VK_NULL_HANDLE;
    std::byte* mapped = nullptr; // where the host sees the type, coherently
    std::uint32_t type = 0;
    Tiling tiling = Tiling::linear;
    bool shared = false; // by several allocations
    FreeList free_list;
};

// A part of a block, given back at its end.
class Allocation {
public:
    Allocation() = default;
    Allocation(Allocation&& other) noexcept;
    Allocation& operator=(Allocation&& other) noexcept;
    ~Allocation();

    VkDeviceMemory memory() const { return block_->memory; }
    VkDeviceSize offset() const { return offset_; }
    VkDeviceSize size() const { return size_; }
    std::byte* mapped() const
    {
        return owner_ == nullptr || block_->mapped == nullptr ? nullptr : block_->mapped + offset_;
    }

private:
    friend class Memory;
    Allocation(Memory& owner, MemoryBlock& block, VkDeviceSize offset, VkDeviceSize size)
        : owner_(&owner), block_(&block), offset_(offset), size_(size)
    {
    }

    Memory* owner_ = nullptr;
    MemoryBlock* block_ = nullptr;
    VkDeviceSize offset_ = 0;
    VkDeviceSize size_ = 0;
};

class Memory {
public:
    // `limit_bytes`: of device-local memory; 0: what the device says that it can give.
    Memory(const Device& device, VkPhysicalDevice physical, std::uint64_t limit_bytes);
    ~Memory(); // Precondition: every Allocation is gone, or the device was abandoned.
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    // Of the first of `preferences` that a type of `needs` has. Throws OutOfMemory beyond the budget or where
    // the device has no more, RenderError where it has no such type.
    Allocation allocate(const VkMemoryRequirements& needs, Tiling tiling,
                        std::initializer_list<VkMemoryPropertyFlags> preferences);
    // Gives blocks back in which nothing is.
    void trim();
    // Asks the device again how much it can give.
    MemoryUse use();
    std::uint64_t budget() const { return use_.budget; } // as it said last

private:
    friend class Allocation;
    std::uint32_t find_type(std::uint32_t allowed,
                            std::initializer_list<VkMemoryPropertyFlags> preferences) const;
    bool on_device(std::uint32_t type) const;
    MemoryBlock& add_block(VkDeviceSize size, std::uint32_t type, Tiling tiling, bool shared);
    void release(const MemoryBlock& block);
    void deallocate(MemoryBlock& block, VkDeviceSize offset, VkDeviceSize size);

    const Device* device_;
    VkPhysicalDevice physical_;
    VkPhysicalDeviceMemoryProperties types_{};
    std::uint64_t limit_bytes_;
    MemoryUse use_; // of device-local memory
    std::list<MemoryBlock> blocks_;
};

} // namespace vitrine::render
