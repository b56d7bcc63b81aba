#pragma once
// Allocates device memory for every buffer and image. Small allocations share blocks, because drivers permit
// few allocations (often 4096) and round each up to pages. Counts usage against the budget of each heap: a
// graphics card without resizable BAR has a second heap, a window of 256 MiB that the host can map. Owned by
// the Device, used by its thread.

#include <array>
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "vk_renderer/base/options.hpp"
#include "vk_renderer/gpu/free_list.hpp"
#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::render {

class Device;
class Memory;

// The device is out of memory now; the request may succeed with less on the device.
struct OutOfMemory : RenderError {
    using RenderError::RenderError;
};

// Buffers and linearly tiled images are kept in other blocks than optimally tiled images, so that
// bufferImageGranularity does not matter.
enum class ResourceTiling : std::uint8_t { linear, optimal };

// Requested for host-visible memory, which stays mapped.
inline constexpr VkMemoryPropertyFlags host_coherent =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

inline constexpr VkMemoryPropertyFlags host_cached =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

// A memory type fits if it has all of `required` and none of `avoided`.
struct MemoryPreference {
    VkMemoryPropertyFlags required = 0;
    VkMemoryPropertyFlags avoided = 0;
};

struct MemoryBlock {
    VkDeviceMemory memory = VK_NULL_HANDLE;
    std::byte* mapped = nullptr; // if the type is host-visible, and coherent or cached
    bool coherent = false;
    bool cached = false;
    std::uint32_t type = 0;
    ResourceTiling tiling = ResourceTiling::linear;
    bool shared = false; // holds several allocations
    FreeList free_list;
};

// A range of a block, freed by the destructor.
class Allocation {
public:
    Allocation() = default;
    Allocation(Allocation&& other) noexcept;
    Allocation& operator=(Allocation&& other) noexcept;
    ~Allocation();

    VkDeviceMemory memory() const { return block_->memory; }
    VkDeviceSize offset() const { return offset_; }
    VkDeviceSize size() const { return size_; }
    // For writing and reading. Null: the host cannot map it, or not coherently.
    std::byte* mapped() const { return owner_ != nullptr && block_->coherent ? address() : nullptr; }
    // For reading what the device has written before the call; from cached memory that is not coherent too.
    // Null: the host cannot map it.
    const std::byte* read() const;
    // Whether the host reads it as fast as its own memory. Precondition: allocated.
    bool is_cached() const { return block_->cached; }

private:
    friend class Memory;
    std::byte* address() const { return block_->mapped == nullptr ? nullptr : block_->mapped + offset_; }
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
    // `limit_bytes`: limit of device-local memory; 0: the budget that the device reports.
    Memory(const Device& device, VkPhysicalDevice physical, std::uint64_t limit_bytes);
    ~Memory(); // Precondition: every Allocation is destroyed, or the device was abandoned.
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    // Allocates from the first memory type permitted by `needs` that has room: those that fit the first of
    // `preferences`, then the next ones. Throws OutOfMemory if the budget or the memory of all of them is
    // exhausted, RenderError if the device has no such type.
    Allocation allocate(const VkMemoryRequirements& needs, ResourceTiling tiling,
                        std::initializer_list<MemoryPreference> preferences);
    // Whether the device may be able to use this memory of the host: its address and size fit.
    bool may_import(std::span<const std::byte> host) const;
    // Uses memory of the host, which must outlive the Allocation, all of it from offset 0. Empty: too small
    // for `needs`, or the device has no coherent type for it or does not take it. Precondition: may_import().
    std::optional<Allocation> import(std::span<std::byte> host, const VkMemoryRequirements& needs);
    // Frees empty blocks.
    void trim();
    // Queries the device's budget again.
    MemoryUse use();
    std::uint64_t budget() const { return use_.budget; } // as last queried

private:
    friend class Allocation;
    struct Heap {
        std::uint64_t used = 0;   // bytes of blocks
        std::uint64_t budget = 0; // as last queried
    };

    std::vector<std::uint32_t> find_types(std::uint32_t allowed,
                                          std::initializer_list<MemoryPreference> preferences) const;
    Allocation allocate_from(std::uint32_t type, const VkMemoryRequirements& needs, ResourceTiling tiling);
    std::optional<std::uint32_t> find_import_type(std::span<std::byte> host, std::uint32_t allowed) const;
    bool is_device_local(std::uint32_t type) const;
    Heap& heap_of(std::uint32_t type) { return heaps_[types_.memoryTypes[type].heapIndex]; }
    std::uint64_t heap_budget(std::uint32_t heap,
                              const VkPhysicalDeviceMemoryBudgetPropertiesEXT& reported) const;
    MemoryBlock& add_block(VkDeviceSize size, std::uint32_t type, ResourceTiling tiling, bool shared);
    void release(const MemoryBlock& block);
    // Lets the host see what the device has written in a range of a block that is not coherent.
    void invalidate(const MemoryBlock& block, VkDeviceSize offset, VkDeviceSize size) const;
    void deallocate(MemoryBlock& block, VkDeviceSize offset, VkDeviceSize size);

    const Device* device_;
    VkPhysicalDevice physical_;
    VkPhysicalDeviceMemoryProperties types_{};
    std::uint64_t limit_bytes_;
    MemoryUse use_; // of device-local memory
    std::array<Heap, VK_MAX_MEMORY_HEAPS> heaps_{};
    std::list<MemoryBlock> blocks_;
};

} // namespace vitrine::render
