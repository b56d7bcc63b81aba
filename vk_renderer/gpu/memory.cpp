#include "vk_renderer/gpu/memory.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vk_renderer/gpu/device.hpp"

namespace vitrine::render {
namespace {

constexpr VkDeviceSize block_bytes = 32u << 20;
// Heaps are divided into at least this many blocks, so that small heaps (a 256 MiB window into GPU memory, a
// small budget) get small blocks.
constexpr VkDeviceSize min_blocks_per_heap = 32;
constexpr VkDeviceSize min_huge_bytes = 4u << 20; // two huge pages

VkDeviceMemory allocate_memory(const Device& device, VkDeviceSize size, std::uint32_t type)
{
    const VkMemoryAllocateInfo info{.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                    .pNext = nullptr,
                                    .allocationSize = size,
                                    .memoryTypeIndex = type};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    check(device.vk.vkAllocateMemory(device.handle, &info, nullptr, &memory), "allocating memory");
    return memory;
}

// Device memory of a software driver is memory of this process, of which the kernel otherwise clears each 4
// kB page in a page fault of its own. Failure is ignored: memory without huge pages works, too.
void advise_huge_pages(std::byte* begin, VkDeviceSize bytes)
{
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const std::uintptr_t to_first = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
    if (bytes < min_huge_bytes) return;
    ::madvise(begin + to_first, (bytes - to_first) / page * page, MADV_HUGEPAGE);
}

} // namespace

Allocation::Allocation(Allocation&& other) noexcept
    : owner_(std::exchange(other.owner_, nullptr)), block_(other.block_), offset_(other.offset_),
      size_(other.size_)
{
}

Allocation& Allocation::operator=(Allocation&& other) noexcept
{
    std::swap(owner_, other.owner_);
    std::swap(block_, other.block_);
    std::swap(offset_, other.offset_);
    std::swap(size_, other.size_);
    return *this;
}

Allocation::~Allocation()
{
    if (owner_ != nullptr) owner_->deallocate(*block_, offset_, size_);
}

const std::byte* Allocation::read() const
{
    if (owner_ == nullptr) return nullptr;
    if (!block_->coherent && block_->mapped != nullptr) owner_->invalidate(*block_, offset_, size_);
    return address();
}

Memory::Memory(const Device& device, VkPhysicalDevice physical, std::uint64_t limit_bytes)
    : device_(&device), physical_(physical), limit_bytes_(limit_bytes)
{
    vkGetPhysicalDeviceMemoryProperties(physical, &types_);
    use();
}

Memory::~Memory()
{
    if (!device_->abandoned()) std::ranges::for_each(blocks_, [&](const auto& block) { release(block); });
}

// Each type once.
std::vector<std::uint32_t> Memory::find_types(std::uint32_t allowed,
                                              std::initializer_list<MemoryPreference> preferences) const
{
    std::vector<std::uint32_t> found;
    for (const auto& [required, avoided] : preferences)
        for (std::uint32_t i = 0; i < types_.memoryTypeCount; ++i) {
            const auto flags = types_.memoryTypes[i].propertyFlags;
            const bool fits = (flags & required) == required && (flags & avoided) == 0;
            if ((allowed >> i & 1u) == 0 || !fits) continue;
            allowed &= ~(1u << i);
            found.push_back(i);
        }
    if (found.empty()) throw RenderError("the device has no suitable memory type");
    return found;
}

bool Memory::is_device_local(std::uint32_t type) const
{
    return (types_.memoryHeaps[types_.memoryTypes[type].heapIndex].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) !=
           0;
}

MemoryBlock& Memory::add_block(VkDeviceSize size, std::uint32_t type, ResourceTiling tiling, bool shared)
{
    use();
    auto& heap = heap_of(type);
    const bool is_full = use_.used + size > use_.budget || heap.used + size > heap.budget;
    if (is_device_local(type) && is_full)
        throw OutOfMemory(fmt::format("device memory exhausted: {} MiB requested, {} of {} MiB in use",
                                      (size >> 20) + 1, use_.used >> 20, use_.budget >> 20));
    blocks_.push_back({.memory = VK_NULL_HANDLE,
                       .mapped = nullptr,
                       .coherent = false,
                       .cached = false,
                       .type = type,
                       .tiling = tiling,
                       .shared = shared,
                       .free_list = FreeList(size)});
    auto& block = blocks_.back();
    try {
        block.memory = allocate_memory(*device_, size, type);
        const auto flags = types_.memoryTypes[type].propertyFlags;
        block.coherent = (flags & host_coherent) == host_coherent;
        block.cached = (flags & host_cached) == host_cached;
        if (block.coherent || block.cached) {
            void* address = nullptr;
            check(device_->vk.vkMapMemory(device_->handle, block.memory, 0, VK_WHOLE_SIZE, 0, &address),
                  "mapping memory");
            block.mapped = static_cast<std::byte*>(address);
            if (device_->traits.software) advise_huge_pages(block.mapped, size);
        }
    } catch (...) {
        if (block.memory != VK_NULL_HANDLE) device_->vk.vkFreeMemory(device_->handle, block.memory, nullptr);
        blocks_.pop_back();
        throw;
    }
    heap.used += size;
    if (is_device_local(type)) use_.used += size;
    return block;
}

Allocation Memory::allocate(const VkMemoryRequirements& needs, ResourceTiling tiling,
                            std::initializer_list<MemoryPreference> preferences)
{
    std::optional<OutOfMemory> first_error;
    for (const auto type : find_types(needs.memoryTypeBits, preferences)) {
        try {
            return allocate_from(type, needs, tiling);
        } catch (const OutOfMemory& error) {
            if (!first_error) first_error = error;
        }
    }
    throw OutOfMemory(*first_error);
}

Allocation Memory::allocate_from(std::uint32_t type, const VkMemoryRequirements& needs, ResourceTiling tiling)
{
    const auto heap = std::min<VkDeviceSize>(types_.memoryHeaps[types_.memoryTypes[type].heapIndex].size,
                                             heap_of(type).budget);
    const auto heap_limit = is_device_local(type) ? std::min<VkDeviceSize>(heap, use_.budget) : heap;
    const auto shared_bytes = std::min(block_bytes, heap_limit / min_blocks_per_heap);
    const bool shared = needs.size <= shared_bytes / 2;
    if (shared)
        for (auto& block : blocks_) {
            if (!block.shared || block.type != type || block.tiling != tiling) continue;
            if (const auto offset = block.free_list.take(needs.size, needs.alignment))
                return {*this, block, *offset, needs.size};
        }
    auto& block = add_block(shared ? shared_bytes : needs.size, type, tiling, shared);
    return {*this, block, *block.free_list.take(needs.size, needs.alignment), needs.size};
}

void Memory::release(const MemoryBlock& block)
{
    heap_of(block.type).used -= block.free_list.size();
    if (is_device_local(block.type)) use_.used -= block.free_list.size();
    device_->vk.vkFreeMemory(device_->handle, block.memory, nullptr); // unmaps it
}

// Ranges of memory that is not coherent begin and end at multiples of nonCoherentAtomSize or at the end of
// the block.
void Memory::invalidate(const MemoryBlock& block, VkDeviceSize offset, VkDeviceSize size) const
{
    const auto atom = device_->limits.nonCoherentAtomSize;
    const auto begin = offset / atom * atom;
    const auto end = std::min((offset + size + atom - 1) / atom * atom, block.free_list.size());
    const VkMappedMemoryRange range{.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE,
                                    .pNext = nullptr,
                                    .memory = block.memory,
                                    .offset = begin,
                                    .size = end - begin};
    check(device_->vk.vkInvalidateMappedMemoryRanges(device_->handle, 1, &range), "reading memory");
}

// One empty block per kind is kept for reuse.
void Memory::deallocate(MemoryBlock& block, VkDeviceSize offset, VkDeviceSize size)
{
    block.free_list.deallocate(offset, size);
    if (device_->abandoned() || !block.free_list.unused()) return;
    const bool other = std::ranges::any_of(blocks_, [&](const MemoryBlock& b) {
        return &b != &block && b.type == block.type && b.tiling == block.tiling && b.shared &&
               b.free_list.unused();
    });
    if (block.shared && !other) return;
    release(block);
    blocks_.remove_if([&](const MemoryBlock& b) { return &b == &block; });
}

void Memory::trim()
{
    for (const auto& block : blocks_)
        if (block.free_list.unused()) release(block);
    blocks_.remove_if([](const MemoryBlock& block) { return block.free_list.unused(); });
}

MemoryUse Memory::use()
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget_properties{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 properties{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
        .pNext = device_->extensions.memory_budget ? &budget_properties : nullptr};
    if (device_->extensions.memory_budget) vkGetPhysicalDeviceMemoryProperties2(physical_, &properties);
    std::uint64_t available_bytes = 0;
    for (std::uint32_t i = 0; i < types_.memoryHeapCount; ++i) {
        heaps_[i].budget = heap_budget(i, budget_properties);
        if ((types_.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0)
            available_bytes += heaps_[i].budget;
    }
    use_.budget = limit_bytes_ == 0 ? available_bytes : std::min(limit_bytes_, available_bytes);
    return use_;
}

// heapBudget is the total that this process may use; it falls below heapUsage when other processes use more.
std::uint64_t Memory::heap_budget(std::uint32_t heap,
                                  const VkPhysicalDeviceMemoryBudgetPropertiesEXT& reported) const
{
    if (!device_->extensions.memory_budget) return types_.memoryHeaps[heap].size;
    const auto free = static_cast<std::int64_t>(reported.heapBudget[heap] - reported.heapUsage[heap]);
    const auto own = static_cast<std::int64_t>(heaps_[heap].used);
    return static_cast<std::uint64_t>(std::max<std::int64_t>(free + own, 0));
}

} // namespace vitrine::render
