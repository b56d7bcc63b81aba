#include "tests/support/faulty_vulkan.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::test {

VulkanFaults& vulkan_faults()
{
    static VulkanFaults state;
    return state;
}

namespace {

VulkanFaults& faults()
{
    return vulkan_faults();
}

// The driver's function table. One for all devices: a process has one driver, with or without the validation
// layers.
VolkDeviceTable& real()
{
    static VolkDeviceTable table{};
    return table;
}

// Guards the state of command buffers and memory.
std::mutex& mutex()
{
    static std::mutex one;
    return one;
}

struct Recorded {
    std::set<VkCommandBuffer> losing, hanging;
    std::map<VkDeviceMemory, VkDeviceSize> memory;
};

Recorded& recorded()
{
    static Recorded all;
    return all;
}

// Decrements a countdown; returns true when it reaches its end.
bool strikes(std::atomic<int>& countdown)
{
    return countdown > 0 && countdown.fetch_sub(1) == 1;
}

bool out_of_memory()
{
    ++faults().creations;
    if (strikes(faults().fail_creation)) return true;
    return faults().fail_all && faults().fail_creation <= 0;
}

template <auto Member>
struct Creating;
template <class... Args, VkResult (*VolkDeviceTable::*Member)(Args...)>
struct Creating<Member> {
    static VkResult call(Args... args)
    {
        if (out_of_memory()) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
        const auto result = (real().*Member)(args...);
        if (result == VK_SUCCESS) ++faults().objects;
        return result;
    }
};

template <auto Member>
struct Destroying;
template <class... Args, void (*VolkDeviceTable::*Member)(Args...)>
struct Destroying<Member> {
    static void call(Args... args)
    {
        --faults().objects;
        (real().*Member)(args...);
    }
};

VkResult allocate(VkDevice device, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* callbacks,
                  VkDeviceMemory* memory)
{
    if (out_of_memory() || faults().used_bytes + info->allocationSize > faults().memory_bytes)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const auto result = real().vkAllocateMemory(device, info, callbacks, memory);
    if (result != VK_SUCCESS) return result;
    const std::scoped_lock lock(mutex());
    recorded().memory[*memory] = info->allocationSize;
    faults().used_bytes += info->allocationSize;
    ++faults().allocations;
    return result;
}

void free(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks* callbacks)
{
    {
        const std::scoped_lock lock(mutex());
        const auto found = recorded().memory.find(memory);
        faults().used_bytes -= found->second;
        recorded().memory.erase(found);
        --faults().allocations;
    }
    real().vkFreeMemory(device, memory, callbacks);
}

void destroy_device(VkDevice device, const VkAllocationCallbacks* callbacks)
{
    --faults().devices;
    real().vkDestroyDevice(device, callbacks);
}

VkResult begin(VkCommandBuffer commands, const VkCommandBufferBeginInfo* info)
{
    {
        const std::scoped_lock lock(mutex());
        recorded().losing.erase(commands);
        recorded().hanging.erase(commands);
    }
    return real().vkBeginCommandBuffer(commands, info);
}

void draw_indexed(VkCommandBuffer commands, std::uint32_t indices, std::uint32_t instances,
                  std::uint32_t first_index, std::int32_t vertex_offset, std::uint32_t first_instance)
{
    {
        const std::scoped_lock lock(mutex());
        if (indices == faults().lose_draw) recorded().losing.insert(commands);
        if (indices == faults().hang_draw) recorded().hanging.insert(commands);
    }
    real().vkCmdDrawIndexed(commands, indices, instances, first_index, vertex_offset, first_instance);
}

VkResult submit(VkQueue queue, std::uint32_t count, const VkSubmitInfo2* infos, VkFence fence)
{
    ++faults().submits;
    const auto* commands = infos->pCommandBufferInfos->commandBuffer;
    bool lost = strikes(faults().lose_submit), hung = strikes(faults().hang_submit);
    {
        const std::scoped_lock lock(mutex());
        auto* const key = const_cast<VkCommandBuffer>(commands);
        const bool losing = recorded().losing.contains(key), hanging = recorded().hanging.contains(key);
        const bool faulty = (losing || hanging) && faults().faulty_draws.fetch_sub(1) > 0;
        lost = lost || (losing && faulty);
        hung = hung || (hanging && faulty);
    }
    if (lost) return VK_ERROR_DEVICE_LOST;
    if (hung) return VK_SUCCESS; // accepted, but its semaphore is never signaled
    return real().vkQueueSubmit2(queue, count, infos, fence);
}

// An instance function and the driver's function that it wraps. Loaded again for every instance.
template <typename Function>
void put_before(Function& loaded, Function mine, Function& real)
{
    if (loaded != mine) real = std::exchange(loaded, mine);
}

struct RealInstance {
    PFN_vkGetPhysicalDeviceFeatures features = nullptr;
    PFN_vkGetPhysicalDeviceProperties properties = nullptr;
    PFN_vkEnumerateDeviceExtensionProperties extensions = nullptr;
    PFN_vkGetPhysicalDeviceMemoryProperties2 memory = nullptr;
    PFN_vkCreateDevice create_device = nullptr;
};

RealInstance& real_instance()
{
    static RealInstance functions;
    return functions;
}

VKAPI_ATTR void VKAPI_CALL features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures* result)
{
    real_instance().features(physical, result);
    if (faults().no_wires) result->fillModeNonSolid = VK_FALSE;
}

VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties* result)
{
    real_instance().properties(physical, result);
    auto& range = result->limits.maxStorageBufferRange;
    range = std::min(range, faults().storage_range.load());
}

// Adds VK_EXT_memory_budget if the test sets a heap budget.
VKAPI_ATTR VkResult VKAPI_CALL extensions(VkPhysicalDevice physical, const char* layer, std::uint32_t* count,
                                          VkExtensionProperties* all)
{
    const bool adds = faults().heap_budget > 0;
    const auto room = *count;
    if (all != nullptr && adds) --*count;
    const auto result = real_instance().extensions(physical, layer, count, all);
    if (!adds) return result;
    if (all != nullptr && *count < room) {
        all[*count] = {};
        std::ranges::copy(std::string_view(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME), all[*count].extensionName);
    }
    ++*count;
    return result;
}

VKAPI_ATTR void VKAPI_CALL memory(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2* result)
{
    auto* const budget_properties =
        static_cast<VkPhysicalDeviceMemoryBudgetPropertiesEXT*>(std::exchange(result->pNext, nullptr));
    real_instance().memory(physical, result);
    result->pNext = budget_properties;
    if (budget_properties == nullptr || faults().heap_budget == 0) return;
    budget_properties->heapBudget[0] = faults().heap_budget;
    budget_properties->heapUsage[0] = faults().used_bytes;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkDevice* device)
{
    const std::span all(info->ppEnabledExtensionNames, info->enabledExtensionCount);
    std::vector<const char*> real(all.begin(), all.end());
    if (faults().heap_budget > 0)
        std::erase_if(real,
                      [](std::string_view name) { return name == VK_EXT_MEMORY_BUDGET_EXTENSION_NAME; });
    auto known = *info;
    known.enabledExtensionCount = static_cast<std::uint32_t>(real.size());
    known.ppEnabledExtensionNames = real.data();
    return real_instance().create_device(physical, &known, callbacks, device);
}

void stand_before_the_instance()
{
    auto& real = real_instance();
    put_before(vkGetPhysicalDeviceFeatures, features, real.features);
    put_before(vkGetPhysicalDeviceProperties, properties, real.properties);
    put_before(vkEnumerateDeviceExtensionProperties, extensions, real.extensions);
    put_before(vkGetPhysicalDeviceMemoryProperties2, memory, real.memory);
    put_before(vkCreateDevice, create_device, real.create_device);
}

template <auto... Creators>
void count_creations(VolkDeviceTable& table)
{
    ((table.*Creators = Creating<Creators>::call), ...);
}

template <auto... Destroyers>
void count_destructions(VolkDeviceTable& table)
{
    ((table.*Destroyers = Destroying<Destroyers>::call), ...);
}

} // namespace
} // namespace vitrine::test

namespace vitrine::render {

std::vector<VkPhysicalDevice> enumerate_devices(VkInstance instance)
{
    test::stand_before_the_instance();
    std::uint32_t count = 0;
    check(vkEnumeratePhysicalDevices(instance, &count, nullptr), "listing the devices");
    std::vector<VkPhysicalDevice> devices(count), all;
    check(vkEnumeratePhysicalDevices(instance, &count, devices.data()), "listing the devices");
    for (int copy = 0; copy < test::vulkan_faults().copies; ++copy)
        all.insert(all.end(), devices.begin(), devices.end());
    return all;
}

void load_device_table(VolkDeviceTable& table, VkDevice device)
{
    using T = VolkDeviceTable;
    volkLoadDeviceTable(&test::real(), device);
    table = test::real();
    ++test::vulkan_faults().devices;
    test::count_creations<&T::vkCreateBuffer, &T::vkCreateBufferView, &T::vkCreateImage,
                          &T::vkCreateImageView, &T::vkCreateSampler, &T::vkCreateShaderModule,
                          &T::vkCreateDescriptorSetLayout, &T::vkCreatePipelineLayout,
                          &T::vkCreateGraphicsPipelines, &T::vkCreateComputePipelines,
                          &T::vkCreatePipelineCache, &T::vkCreateSemaphore, &T::vkCreateCommandPool>(table);
    test::count_destructions<&T::vkDestroyBuffer, &T::vkDestroyBufferView, &T::vkDestroyImage,
                             &T::vkDestroyImageView, &T::vkDestroySampler, &T::vkDestroyShaderModule,
                             &T::vkDestroyDescriptorSetLayout, &T::vkDestroyPipelineLayout,
                             &T::vkDestroyPipeline, &T::vkDestroyPipelineCache, &T::vkDestroySemaphore,
                             &T::vkDestroyCommandPool>(table);
    table.vkAllocateMemory = test::allocate;
    table.vkFreeMemory = test::free;
    table.vkDestroyDevice = test::destroy_device;
    table.vkBeginCommandBuffer = test::begin;
    table.vkCmdDrawIndexed = test::draw_indexed;
    table.vkQueueSubmit2 = test::submit;
}

} // namespace vitrine::render
