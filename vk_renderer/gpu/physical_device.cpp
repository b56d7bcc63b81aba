#include "vk_renderer/gpu/physical_device.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include <fmt/format.h>

namespace vitrine::render {
namespace {

// For shaders/bounds.comp. Vulkan requires the basic operations only.
bool has_subgroup_arithmetic(VkPhysicalDevice physical)
{
    VkPhysicalDeviceVulkan11Properties subgroups{.sType =
                                                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                           .pNext = &subgroups};
    vkGetPhysicalDeviceProperties2(physical, &properties);
    constexpr VkSubgroupFeatureFlags needed =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
    return (subgroups.subgroupSupportedOperations & needed) == needed &&
           (subgroups.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
}

// Returns the reason why the device cannot be used; empty: usable.
std::string unusable(VkPhysicalDevice physical)
{
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(physical, &properties);
    if (properties.apiVersion < VK_API_VERSION_1_3) return "it has no Vulkan 1.3";
    if (find_queue_family(physical) == scene::none) return "it has no queue for graphics and compute";
    if (!has_extension(physical, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME)) return "it has no push descriptors";
    if (!has_subgroup_arithmetic(physical)) return "it has no subgroup arithmetic in compute shaders";
    return {};
}

DeviceKind kind_of(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return DeviceKind::discrete;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return DeviceKind::integrated;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return DeviceKind::virtualized;
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return DeviceKind::software;
    default: return DeviceKind::other;
    }
}

// Returns the PCI address; empty if the driver does not report it.
std::string pci_address_of(VkPhysicalDevice physical)
{
    if (!has_extension(physical, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME)) return {};
    VkPhysicalDevicePCIBusInfoPropertiesEXT bus{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                           .pNext = &bus};
    vkGetPhysicalDeviceProperties2(physical, &properties);
    return fmt::format("{:04x}:{:02x}:{:02x}.{}", bus.pciDomain, bus.pciBus, bus.pciDevice, bus.pciFunction);
}

std::string uuid_of(VkPhysicalDevice physical)
{
    VkPhysicalDeviceIDProperties id{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                           .pNext = &id};
    vkGetPhysicalDeviceProperties2(physical, &properties);
    return format_uuid(id.deviceUUID);
}

DeviceCandidate candidate(VkPhysicalDevice physical)
{
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(physical, &properties);
    return {.name = properties.deviceName,
            .kind = kind_of(properties.deviceType),
            .unusable = unusable(physical),
            .pci_address = pci_address_of(physical),
            .uuid = uuid_of(physical)};
}

} // namespace

bool has_extension(VkPhysicalDevice physical, const char* name)
{
    std::uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> extensions(count);
    vkEnumerateDeviceExtensionProperties(physical, nullptr, &count, extensions.data());
    return std::ranges::any_of(extensions,
                               [&](const auto& e) { return std::strcmp(e.extensionName, name) == 0; });
}

bool has_linear_textures(VkPhysicalDevice physical, std::uint32_t side)
{
    return std::ranges::all_of(
        std::array{VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_UNORM}, [&](auto format) {
            VkFormatProperties can{};
            vkGetPhysicalDeviceFormatProperties(physical, format, &can);
            VkImageFormatProperties properties{};
            const auto result = vkGetPhysicalDeviceImageFormatProperties(
                physical, format, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_LINEAR, VK_IMAGE_USAGE_SAMPLED_BIT, 0,
                &properties);
            return result == VK_SUCCESS &&
                   (can.linearTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) != 0 &&
                   std::min(properties.maxExtent.width, properties.maxExtent.height) >= side &&
                   properties.maxMipLevels >= static_cast<std::uint32_t>(std::bit_width(side));
        });
}

std::uint32_t find_queue_family(VkPhysicalDevice physical)
{
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
    constexpr VkQueueFlags required_flags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (std::uint32_t i = 0; i < count; ++i)
        if ((families[i].queueFlags & required_flags) == required_flags) return i;
    return scene::none;
}

std::uint32_t timestamp_bits_of(VkPhysicalDevice physical, std::uint32_t queue_family)
{
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families.data());
    return queue_family < count ? families[queue_family].timestampValidBits : 0;
}

DeviceInfo describe(VkPhysicalDevice physical)
{
    VkPhysicalDeviceDriverProperties driver{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                           .pNext = &driver};
    vkGetPhysicalDeviceProperties2(physical, &properties);
    const auto version = properties.properties.apiVersion;
    return {.name = properties.properties.deviceName,
            .driver = fmt::format("{} {}", driver.driverName, driver.driverInfo),
            .api_version = fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version),
                                       VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version)),
            .software = properties.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU,
            .pci_address = pci_address_of(physical),
            .uuid = uuid_of(physical)};
}

std::vector<DeviceCandidate> find_candidates(const VulkanInstance& instance)
{
    std::vector<DeviceCandidate> candidates;
    for (auto* physical : instance.physical_devices())
        candidates.push_back(candidate(physical));
    return candidates;
}

VkPhysicalDevice choose_device(const VulkanInstance& instance, const std::string& wanted)
{
    return instance.physical_devices().at(choose(find_candidates(instance), wanted).front());
}

} // namespace vitrine::render
