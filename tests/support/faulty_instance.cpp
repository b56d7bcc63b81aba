// The functions of an instance, with the limits of the test. They replace those of the loader when the
// renderer lists the devices.

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/faulty_vulkan.hpp"
#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::test {
namespace {

// An instance function and the driver's function that it wraps. Loaded again for every instance.
template <typename Function>
void put_before(Function& loaded, Function mine, Function& real)
{
    if (loaded != mine) real = std::exchange(loaded, mine);
}

struct RealInstance {
    PFN_vkGetPhysicalDeviceFeatures features = nullptr;
    PFN_vkGetPhysicalDeviceProperties properties = nullptr;
    PFN_vkGetPhysicalDeviceProperties2 properties2 = nullptr;
    PFN_vkEnumerateDeviceExtensionProperties extensions = nullptr;
    PFN_vkGetPhysicalDeviceMemoryProperties memory_types = nullptr;
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
    if (vulkan_faults().no_wires) result->fillModeNonSolid = VK_FALSE;
}

VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties* result)
{
    real_instance().properties(physical, result);
    auto& range = result->limits.maxStorageBufferRange;
    range = std::min(range, vulkan_faults().storage_range.load());
    auto& workgroups = result->limits.maxComputeWorkGroupCount[0];
    workgroups = std::min(workgroups, vulkan_faults().workgroups.load());
}

VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2* result)
{
    real_instance().properties2(physical, result);
    auto* const next = static_cast<VkPhysicalDeviceVulkan11Properties*>(result->pNext);
    if (vulkan_faults().no_subgroups && next != nullptr &&
        next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES)
        next->subgroupSupportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT;
}

// Adds VK_EXT_memory_budget if the test sets a heap budget.
VKAPI_ATTR VkResult VKAPI_CALL extensions(VkPhysicalDevice physical, const char* layer, std::uint32_t* count,
                                          VkExtensionProperties* all)
{
    const bool adds = vulkan_faults().heap_budget > 0;
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

VKAPI_ATTR void VKAPI_CALL memory_types(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties* result)
{
    real_instance().memory_types(physical, result);
    if (!vulkan_faults().is_card) return;
    constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                    mapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                             VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    constexpr VkDeviceSize large = VkDeviceSize{8} << 30;
    result->memoryHeapCount = result->memoryTypeCount = 3;
    result->memoryHeaps[0] = {large, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
    result->memoryHeaps[1] = {large, 0};
    result->memoryHeaps[2] = {vulkan_faults().window_bytes, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
    result->memoryTypes[card_memory] = {local, 0};
    result->memoryTypes[system_memory] = {mapped | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 1};
    result->memoryTypes[card_window] = {local | mapped, 2};
}

// The budget of each heap is its size.
void set_card_budget(VkPhysicalDeviceMemoryBudgetPropertiesEXT& budget, VkPhysicalDevice physical)
{
    VkPhysicalDeviceMemoryProperties types{};
    memory_types(physical, &types);
    for (std::uint32_t heap = 0; heap < types.memoryHeapCount; ++heap) {
        budget.heapBudget[heap] = types.memoryHeaps[heap].size;
        budget.heapUsage[heap] = 0;
    }
    budget.heapUsage[2] = vulkan_faults().window_used;
}

VKAPI_ATTR void VKAPI_CALL memory(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2* result)
{
    auto* const budget_properties =
        static_cast<VkPhysicalDeviceMemoryBudgetPropertiesEXT*>(std::exchange(result->pNext, nullptr));
    real_instance().memory(physical, result);
    result->pNext = budget_properties;
    if (budget_properties != nullptr && vulkan_faults().is_card)
        set_card_budget(*budget_properties, physical);
    if (budget_properties == nullptr || vulkan_faults().heap_budget == 0) return;
    budget_properties->heapBudget[0] = vulkan_faults().heap_budget;
    budget_properties->heapUsage[0] = vulkan_faults().used_bytes;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkDevice* device)
{
    const std::span all(info->ppEnabledExtensionNames, info->enabledExtensionCount);
    std::vector<const char*> real(all.begin(), all.end());
    if (vulkan_faults().heap_budget > 0)
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
    put_before(vkGetPhysicalDeviceProperties2, properties2, real.properties2);
    put_before(vkEnumerateDeviceExtensionProperties, extensions, real.extensions);
    put_before(vkGetPhysicalDeviceMemoryProperties, memory_types, real.memory_types);
    put_before(vkGetPhysicalDeviceMemoryProperties2, memory, real.memory);
    put_before(vkCreateDevice, create_device, real.create_device);
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

} // namespace vitrine::render
