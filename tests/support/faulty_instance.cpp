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

VKAPI_ATTR void VKAPI_CALL memory(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2* result)
{
    auto* const budget_properties =
        static_cast<VkPhysicalDeviceMemoryBudgetPropertiesEXT*>(std::exchange(result->pNext, nullptr));
    real_instance().memory(physical, result);
    result->pNext = budget_properties;
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
    put_before(vkEnumerateDeviceExtensionProperties, extensions, real.extensions);
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
