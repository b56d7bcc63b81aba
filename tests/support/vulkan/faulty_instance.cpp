// The functions of an instance, with the limits of the test. They replace those of the loader when the
// renderer lists the devices.

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tests/support/vulkan/faulty_cards.hpp"
#include "tests/support/vulkan/faulty_vulkan.hpp"
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
    PFN_vkGetPhysicalDeviceFeatures2 features2 = nullptr;
    PFN_vkGetPhysicalDeviceFormatProperties format = nullptr;
    PFN_vkGetPhysicalDeviceImageFormatProperties image_format = nullptr;
    PFN_vkGetPhysicalDeviceQueueFamilyProperties queue_families = nullptr;
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
    real_instance().features(real_of(physical), result);
    if (vulkan_faults().no_wires) result->fillModeNonSolid = VK_FALSE;
}

VKAPI_ATTR void VKAPI_CALL format(VkPhysicalDevice physical, VkFormat pixels, VkFormatProperties* result)
{
    real_instance().format(real_of(physical), pixels, result);
}

VKAPI_ATTR VkResult VKAPI_CALL image_format(VkPhysicalDevice physical, VkFormat pixels, VkImageType type,
                                            VkImageTiling tiling, VkImageUsageFlags usage,
                                            VkImageCreateFlags flags, VkImageFormatProperties* result)
{
    return real_instance().image_format(real_of(physical), pixels, type, tiling, usage, flags, result);
}

VKAPI_ATTR void VKAPI_CALL queue_families(VkPhysicalDevice physical, std::uint32_t* count,
                                          VkQueueFamilyProperties* all)
{
    real_instance().queue_families(real_of(physical), count, all);
}

void set_type(VkPhysicalDeviceProperties& properties)
{
    if (vulkan_faults().is_discrete) properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}

VKAPI_ATTR void VKAPI_CALL properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties* result)
{
    real_instance().properties(real_of(physical), result);
    set_type(*result);
    auto& range = result->limits.maxStorageBufferRange;
    range = std::min(range, vulkan_faults().storage_range.load());
    auto& workgroups = result->limits.maxComputeWorkGroupCount[0];
    workgroups = std::min(workgroups, vulkan_faults().workgroups.load());
}

// Each card has the UUID of its number.
void set_identity(VkBaseOutStructure* next, const Card& card)
{
    if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES) {
        auto* const id = reinterpret_cast<VkPhysicalDeviceIDProperties*>(next);
        std::ranges::fill(id->deviceUUID, static_cast<std::uint8_t>(card.number + 1));
    }
    if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT) {
        auto* const bus = reinterpret_cast<VkPhysicalDevicePCIBusInfoPropertiesEXT*>(next);
        bus->pciDomain = bus->pciDevice = bus->pciFunction = 0;
        bus->pciBus = card.number;
    }
}

VKAPI_ATTR void VKAPI_CALL properties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2* result)
{
    real_instance().properties2(real_of(physical), result);
    set_type(result->properties);
    const auto card = card_of(physical);
    for (auto* next = static_cast<VkBaseOutStructure*>(result->pNext); next != nullptr; next = next->pNext) {
        if (vulkan_faults().no_subgroups &&
            next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES)
            reinterpret_cast<VkPhysicalDeviceVulkan11Properties*>(next)->subgroupSupportedOperations =
                VK_SUBGROUP_FEATURE_BASIC_BIT;
        if (card) set_identity(next, *card);
    }
}

// The extensions that the test adds to those of the driver.
std::vector<std::string_view> added_extensions(VkPhysicalDevice physical)
{
    std::vector<std::string_view> added;
    if (vulkan_faults().heap_budget > 0) added.emplace_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    if (vulkan_faults().pipeline_robustness) added.emplace_back(VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME);
    if (card_of(physical)) added.emplace_back(VK_EXT_PCI_BUS_INFO_EXTENSION_NAME);
    return added;
}

VKAPI_ATTR VkResult VKAPI_CALL extensions(VkPhysicalDevice physical, const char* layer, std::uint32_t* count,
                                          VkExtensionProperties* all)
{
    const auto added = added_extensions(physical);
    const auto more = static_cast<std::uint32_t>(added.size());
    if (all == nullptr) {
        const auto result = real_instance().extensions(real_of(physical), layer, count, nullptr);
        *count += more;
        return result;
    }
    const auto room = *count;
    *count = room - std::min(more, room);
    const auto result = real_instance().extensions(real_of(physical), layer, count, all);
    for (const auto name : added) {
        if (*count == room) return VK_INCOMPLETE;
        all[*count] = {};
        std::ranges::copy(name, all[*count].extensionName);
        ++*count;
    }
    return result;
}

VKAPI_ATTR void VKAPI_CALL features2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2* result)
{
    auto* const next = static_cast<VkPhysicalDevicePipelineRobustnessFeaturesEXT*>(result->pNext);
    if (vulkan_faults().pipeline_robustness && next != nullptr &&
        next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT)
        next->pipelineRobustness = VK_TRUE;
    else
        real_instance().features2(real_of(physical), result);
}

void set_card_types(VkPhysicalDeviceMemoryProperties* result)
{
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
    if (vulkan_faults().is_uncached) result->memoryTypes[system_memory].propertyFlags = mapped;
    if (!vulkan_faults().is_incoherent) return;
    result->memoryTypeCount = 4;
    result->memoryTypes[system_memory].propertyFlags = mapped;
    result->memoryTypes[cached_memory] = {
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 1};
}

bool is_device_local(const VkMemoryHeap& heap)
{
    return (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0;
}

VKAPI_ATTR void VKAPI_CALL memory_types(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties* result)
{
    real_instance().memory_types(real_of(physical), result);
    if (vulkan_faults().is_card) set_card_types(result);
    std::uint32_t local_types = 0;
    for (std::uint32_t type = 0; type < result->memoryTypeCount; ++type)
        if (is_device_local(result->memoryHeaps[result->memoryTypes[type].heapIndex]))
            local_types |= 1u << type;
    vulkan_faults().local_types = local_types;
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

// The first device-local heap has the test's budget, others of them have none.
void set_heap_budget(VkPhysicalDeviceMemoryBudgetPropertiesEXT& budget,
                     const VkPhysicalDeviceMemoryProperties& types)
{
    std::uint64_t bytes = vulkan_faults().heap_budget, used = vulkan_faults().used_bytes;
    for (std::uint32_t heap = 0; heap < types.memoryHeapCount; ++heap) {
        const bool local = is_device_local(types.memoryHeaps[heap]);
        budget.heapBudget[heap] = local ? std::exchange(bytes, 0) : types.memoryHeaps[heap].size;
        budget.heapUsage[heap] = local ? std::exchange(used, 0) : 0;
    }
}

VKAPI_ATTR void VKAPI_CALL memory(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2* result)
{
    const bool is_changed = vulkan_faults().is_card || vulkan_faults().heap_budget > 0;
    if (!is_changed) return real_instance().memory(real_of(physical), result);
    // The driver may not know the structure.
    auto* const budget_properties =
        static_cast<VkPhysicalDeviceMemoryBudgetPropertiesEXT*>(std::exchange(result->pNext, nullptr));
    real_instance().memory(real_of(physical), result);
    result->pNext = budget_properties;
    if (budget_properties == nullptr) return;
    if (vulkan_faults().is_card) set_card_budget(*budget_properties, physical);
    if (vulkan_faults().heap_budget > 0) set_heap_budget(*budget_properties, result->memoryProperties);
}

// Takes the structure that the driver does not know out of the chain. The caller's structures, which it does
// not use again, are changed.
void hide_robustness(VkDeviceCreateInfo& info)
{
    auto* before = const_cast<VkBaseOutStructure*>(static_cast<const VkBaseOutStructure*>(info.pNext));
    for (; before != nullptr && before->pNext != nullptr; before = before->pNext)
        if (before->pNext->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT)
            before->pNext = before->pNext->pNext;
}

VKAPI_ATTR VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo* info,
                                             const VkAllocationCallbacks* callbacks, VkDevice* device)
{
    const std::span all(info->ppEnabledExtensionNames, info->enabledExtensionCount);
    std::vector<const char*> real(all.begin(), all.end());
    for (const auto added : added_extensions(physical))
        std::erase_if(real, [&](std::string_view name) { return name == added; });
    auto known = *info;
    if (vulkan_faults().pipeline_robustness) hide_robustness(known);
    known.enabledExtensionCount = static_cast<std::uint32_t>(real.size());
    known.ppEnabledExtensionNames = real.data();
    return real_instance().create_device(real_of(physical), &known, callbacks, device);
}

void stand_before_the_instance()
{
    auto& real = real_instance();
    put_before(vkGetPhysicalDeviceFeatures, features, real.features);
    put_before(vkGetPhysicalDeviceFeatures2, features2, real.features2);
    put_before(vkGetPhysicalDeviceFormatProperties, format, real.format);
    put_before(vkGetPhysicalDeviceImageFormatProperties, image_format, real.image_format);
    put_before(vkGetPhysicalDeviceQueueFamilyProperties, queue_families, real.queue_families);
    put_before(vkGetPhysicalDeviceProperties, properties, real.properties);
    put_before(vkGetPhysicalDeviceProperties2, properties2, real.properties2);
    put_before(vkEnumerateDeviceExtensionProperties, extensions, real.extensions);
    put_before(vkGetPhysicalDeviceMemoryProperties, memory_types, real.memory_types);
    put_before(vkGetPhysicalDeviceMemoryProperties2, memory, real.memory);
    put_before(vkCreateDevice, create_device, real.create_device);
}

} // namespace

std::string pci_address(std::uint32_t card)
{
    return fmt::format("0000:{:02x}:00.0", card);
}

} // namespace vitrine::test

namespace vitrine::render {

std::vector<VkPhysicalDevice> enumerate_devices(VkInstance instance)
{
    test::stand_before_the_instance();
    std::uint32_t count = 0;
    check(vkEnumeratePhysicalDevices(instance, &count, nullptr), "listing the devices");
    std::vector<VkPhysicalDevice> devices(count), all;
    check(vkEnumeratePhysicalDevices(instance, &count, devices.data()), "listing the devices");
    const std::uint32_t cards = test::vulkan_faults().cards;
    if (cards == 0 || devices.empty()) return devices;
    for (std::uint32_t card = 0; card < 32; ++card)
        if ((cards >> card & 1u) != 0) all.push_back(test::handle_of(devices.front(), card));
    return all;
}

} // namespace vitrine::render
