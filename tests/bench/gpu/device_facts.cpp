#include "tests/bench/gpu/device_facts.hpp"

#include <array>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "tests/bench/gpu/host_window.hpp"
#include "tests/bench/gpu/pci_link.hpp"
#include "tests/bench/gpu/validation_layer.hpp"
#include "vk_renderer/gpu/physical_device.hpp"

namespace vitrine::bench {
namespace {

namespace json = boost::json;

using Flag = std::pair<std::uint32_t, const char*>;

constexpr Flag memory_flags[] = {{VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, "device-local"},
                                 {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT, "host-visible"},
                                 {VK_MEMORY_PROPERTY_HOST_COHERENT_BIT, "coherent"},
                                 {VK_MEMORY_PROPERTY_HOST_CACHED_BIT, "cached"},
                                 {VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT, "lazily-allocated"},
                                 {VK_MEMORY_PROPERTY_PROTECTED_BIT, "protected"},
                                 {VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD, "device-coherent"},
                                 {VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD, "device-uncached"}};
constexpr Flag queue_flags[] = {{VK_QUEUE_GRAPHICS_BIT, "graphics"},
                                {VK_QUEUE_COMPUTE_BIT, "compute"},
                                {VK_QUEUE_TRANSFER_BIT, "transfer"},
                                {VK_QUEUE_SPARSE_BINDING_BIT, "sparse"},
                                {VK_QUEUE_PROTECTED_BIT, "protected"}};
constexpr Flag subgroup_flags[] = {{VK_SUBGROUP_FEATURE_BASIC_BIT, "basic"},
                                   {VK_SUBGROUP_FEATURE_VOTE_BIT, "vote"},
                                   {VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, "arithmetic"},
                                   {VK_SUBGROUP_FEATURE_BALLOT_BIT, "ballot"},
                                   {VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "shuffle"},
                                   {VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT, "shuffle-relative"},
                                   {VK_SUBGROUP_FEATURE_CLUSTERED_BIT, "clustered"},
                                   {VK_SUBGROUP_FEATURE_QUAD_BIT, "quad"}};

std::string words(std::uint32_t flags, std::span<const Flag> names)
{
    std::string text;
    for (const auto& [flag, name] : names)
        if ((flags & flag) != 0) text += (text.empty() ? "" : " ") + std::string(name);
    return text;
}

const char* type_name(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return "discrete";
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return "integrated";
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return "virtual";
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return "software";
    default: return "other";
    }
}

struct Properties {
    VkPhysicalDeviceVulkan11Properties v11{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
    VkPhysicalDeviceVulkan13Properties v13{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES,
                                           .pNext = &v11};
    VkPhysicalDeviceProperties2 all{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &v13};

    explicit Properties(VkPhysicalDevice physical) { vkGetPhysicalDeviceProperties2(physical, &all); }
};

json::object device_of(VkPhysicalDevice physical, const VkPhysicalDeviceProperties& properties)
{
    const auto info = render::describe(physical);
    return {{"name", info.name},
            {"driver", info.driver},
            {"driverVersion", fmt::format("{:#x}", properties.driverVersion)},
            {"apiVersion", info.api_version},
            {"type", type_name(properties.deviceType)},
            {"vendorId", fmt::format("{:#06x}", properties.vendorID)},
            {"deviceId", fmt::format("{:#06x}", properties.deviceID)},
            {"uuid", info.uuid},
            {"pciAddress", info.pci_address}};
}

json::object limits_of(const VkPhysicalDeviceLimits& limits, const VkPhysicalDeviceVulkan13Properties& v13)
{
    return {{"maxStorageBufferRange", limits.maxStorageBufferRange},
            {"maxBufferSize", v13.maxBufferSize},
            {"maxUniformBufferRange", limits.maxUniformBufferRange},
            {"maxTexelBufferElements", limits.maxTexelBufferElements},
            {"maxImageDimension2D", limits.maxImageDimension2D},
            {"maxMemoryAllocationCount", limits.maxMemoryAllocationCount},
            {"bufferImageGranularity", limits.bufferImageGranularity},
            {"minStorageBufferOffsetAlignment", limits.minStorageBufferOffsetAlignment},
            {"minTexelBufferOffsetAlignment", limits.minTexelBufferOffsetAlignment},
            {"nonCoherentAtomSize", limits.nonCoherentAtomSize},
            {"optimalBufferCopyOffsetAlignment", limits.optimalBufferCopyOffsetAlignment},
            {"maxComputeWorkGroupCountX", limits.maxComputeWorkGroupCount[0]},
            {"maxComputeWorkGroupInvocations", limits.maxComputeWorkGroupInvocations},
            {"maxComputeSharedMemorySize", limits.maxComputeSharedMemorySize},
            {"maxPushConstantsSize", limits.maxPushConstantsSize},
            {"framebufferColorSampleCounts", limits.framebufferColorSampleCounts},
            {"maxSamplerAnisotropy", limits.maxSamplerAnisotropy},
            {"subPixelPrecisionBits", limits.subPixelPrecisionBits}};
}

// What the renderer uses where it is there (gpu/device.cpp), and what it could use.
json::object features_of(VkPhysicalDevice physical)
{
    VkPhysicalDeviceFeatures has{};
    vkGetPhysicalDeviceFeatures(physical, &has);
    const auto flag = [](VkBool32 value) { return value == VK_TRUE; };
    json::object features{{"robustBufferAccess", flag(has.robustBufferAccess)},
                          {"fillModeNonSolid", flag(has.fillModeNonSolid)},
                          {"samplerAnisotropy", flag(has.samplerAnisotropy)},
                          {"largePoints", flag(has.largePoints)},
                          {"wideLines", flag(has.wideLines)},
                          {"dualSrcBlend", flag(has.dualSrcBlend)},
                          {"shaderInt64", flag(has.shaderInt64)},
                          {"sampleRateShading", flag(has.sampleRateShading)}};
    for (const char* name :
         {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME,
          VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME,
          VK_EXT_PCI_BUS_INFO_EXTENSION_NAME, VK_EXT_DEVICE_FAULT_EXTENSION_NAME,
          VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME})
        features[name] = render::has_extension(physical, name);
    return features;
}

json::object subgroups_of(const Properties& properties)
{
    return {{"size", properties.v11.subgroupSize},
            {"minSize", properties.v13.minSubgroupSize},
            {"maxSize", properties.v13.maxSubgroupSize},
            {"operations", words(properties.v11.subgroupSupportedOperations, subgroup_flags)},
            {"inCompute", (properties.v11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0}};
}

json::array heaps_of(VkPhysicalDevice physical, const VkPhysicalDeviceMemoryProperties& memory)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    const bool has_budget = render::has_extension(physical, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    VkPhysicalDeviceMemoryProperties2 with_budget{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
    if (has_budget) vkGetPhysicalDeviceMemoryProperties2(physical, &with_budget);
    json::array heaps;
    for (std::uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
        const auto& heap = memory.memoryHeaps[i];
        json::object row{{"heap", i},
                         {"bytes", heap.size},
                         {"deviceLocal", (heap.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0},
                         {"budgetBytes", nullptr},
                         {"usedBytes", nullptr}};
        if (has_budget) {
            row["budgetBytes"] = budget.heapBudget[i];
            row["usedBytes"] = budget.heapUsage[i];
        }
        heaps.push_back(std::move(row));
    }
    return heaps;
}

json::array memory_types_of(const VkPhysicalDeviceMemoryProperties& memory)
{
    json::array types;
    for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i)
        types.push_back(json::object{{"type", i},
                                     {"heap", memory.memoryTypes[i].heapIndex},
                                     {"flags", words(memory.memoryTypes[i].propertyFlags, memory_flags)}});
    return types;
}

json::array queue_families_of(VkPhysicalDevice physical)
{
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
    const auto used = render::find_queue_family(physical);
    json::array rows;
    for (std::uint32_t i = 0; i < count; ++i)
        rows.push_back(json::object{{"family", i},
                                    {"queues", families[i].queueCount},
                                    {"flags", words(families[i].queueFlags, queue_flags)},
                                    {"timestampBits", families[i].timestampValidBits},
                                    {"used", i == used}});
    return rows;
}

json::object pci_of(const std::string& address)
{
    const auto link = read_pci_link(address);
    if (!link) return {{"told", false}};
    return {{"told", true},
            {"currentSpeed", link->current_speed},
            {"maxSpeed", link->max_speed},
            {"currentWidth", link->current_width},
            {"maxWidth", link->max_width},
            {"largestBarBytes", link->largest_bar_bytes},
            {"canResize", link->can_resize}};
}

json::object clocks_of(const std::string& address)
{
    json::object clocks;
    for (const auto& [field, value] : query_nvidia(address))
        clocks[field] = value;
    for (const auto& [name, file] : {std::pair("core", "pp_dpm_sclk"), std::pair("memory", "pp_dpm_mclk")})
        if (const auto states = read_dpm(address, file)) {
            clocks[name] = states->current;
            clocks[std::string(name) + "Max"] = states->states.empty() ? "" : states->states.back();
        }
    return clocks;
}

} // namespace

json::object device_facts(VkPhysicalDevice physical)
{
    const Properties properties(physical);
    const auto& core = properties.all.properties;
    VkPhysicalDeviceMemoryProperties memory{};
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    const auto window = find_host_window(memory);
    const auto address = render::describe(physical).pci_address;
    return {{"device", device_of(physical, core)},
            {"limits", limits_of(core.limits, properties.v13)},
            {"features", features_of(physical)},
            {"subgroups", subgroups_of(properties)},
            {"timestamps", json::object{{"periodNs", core.limits.timestampPeriod},
                                        {"allQueues", core.limits.timestampComputeAndGraphics == VK_TRUE}}},
            {"heaps", heaps_of(physical, memory)},
            {"memoryTypes", memory_types_of(memory)},
            {"hostWindow", json::object{{"kind", name_of(window, core.deviceType)},
                                        {"bytes", window.bytes},
                                        {"deviceLocalBytes", window.device_local_bytes}}},
            {"queueFamilies", queue_families_of(physical)},
            {"pci", pci_of(address)},
            {"clocks", clocks_of(address)}};
}

json::object validation_facts()
{
    constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";
    std::uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    vkEnumerateInstanceLayerProperties(&count, layers.data());
    for (const auto& layer : layers)
        if (std::strcmp(layer.layerName, validation_layer) == 0)
            return {{"layer", true},
                    {"version", fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(layer.specVersion),
                                            VK_API_VERSION_MINOR(layer.specVersion),
                                            VK_API_VERSION_PATCH(layer.specVersion))},
                    {"acrossSubmissions", submission_variable(submission_setting(layer_folders()))}};
    return {{"layer", false}};
}

} // namespace vitrine::bench
