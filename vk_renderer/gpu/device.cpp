#include "vk_renderer/gpu/device.hpp"

#include <algorithm>
#include <utility>

#include <malloc.h>

#include "vk_renderer/gpu/physical_device.hpp"
#include "vk_renderer/gpu/pipeline_cache.hpp"

namespace vitrine::render {
namespace {

VkPhysicalDeviceFeatures supported_features(VkPhysicalDevice physical)
{
    VkPhysicalDeviceFeatures supported{};
    vkGetPhysicalDeviceFeatures(physical, &supported);
    VkPhysicalDeviceFeatures enabled{};
    enabled.robustBufferAccess = supported.robustBufferAccess;
    enabled.fillModeNonSolid = supported.fillModeNonSolid;
    enabled.samplerAnisotropy = supported.samplerAnisotropy;
    enabled.largePoints = supported.largePoints;
    enabled.wideLines = supported.wideLines;
    enabled.fullDrawIndexUint32 = supported.fullDrawIndexUint32;
    enabled.dualSrcBlend = supported.dualSrcBlend;
    enabled.shaderInt64 = supported.shaderInt64;
    enabled.sampleRateShading = supported.sampleRateShading;
    return enabled;
}

VkBool32 has_robust_images(VkPhysicalDevice physical)
{
    VkPhysicalDeviceVulkan13Features supported{.sType =
                                                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                       .pNext = &supported};
    vkGetPhysicalDeviceFeatures2(physical, &features);
    return supported.robustImageAccess;
}

// Returns the device's VK_EXT_robustness2 features; all false without the extension.
VkPhysicalDeviceRobustness2FeaturesEXT robustness_features(VkPhysicalDevice physical)
{
    VkPhysicalDeviceRobustness2FeaturesEXT supported{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT};
    if (!has_extension(physical, VK_EXT_ROBUSTNESS_2_EXTENSION_NAME)) return supported;
    VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                       .pNext = &supported};
    vkGetPhysicalDeviceFeatures2(physical, &features);
    supported.nullDescriptor = VK_FALSE; // not used
    return supported;
}

bool has_pipeline_robustness(VkPhysicalDevice physical)
{
    if (!has_extension(physical, VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME)) return false;
    VkPhysicalDevicePipelineRobustnessFeaturesEXT supported{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                       .pNext = &supported};
    vkGetPhysicalDeviceFeatures2(physical, &features);
    return supported.pipelineRobustness == VK_TRUE;
}

// 0: the device cannot import memory of the host.
VkDeviceSize host_pointer_alignment(VkPhysicalDevice physical)
{
    if (!has_extension(physical, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME)) return 0;
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT host{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                           .pNext = &host};
    vkGetPhysicalDeviceProperties2(physical, &properties);
    return host.minImportedHostPointerAlignment;
}

DeviceTraits traits_of(VkPhysicalDevice physical, const DeviceInfo& info,
                       const VkPhysicalDeviceLimits& limits, const VkPhysicalDeviceFeatures& features,
                       const Options& options)
{
    const bool software = options.device_profile == DeviceProfile::automatic
                              ? info.software
                              : options.device_profile == DeviceProfile::cpu;
    DeviceTraits traits;
    traits.software = software;
    traits.prefers_texel_buffers = software && features.shaderInt64 == VK_TRUE;
    if (software) traits.poses_per_invocation = 1u << 16;
    if (info.software) traits.min_skinning_invocations = 1; // of the driver, with any profile
    traits.antialias = options.antialias;
    traits.shader_anisotropy = info.software; // of the driver, with any profile
    traits.single_use = options.single_use;
    traits.supersample = options.antialias && software;
    const auto side = options.texture_side != 0 ? options.texture_side : software ? 2048u : 4096u;
    traits.texture_limit = std::min(side, limits.maxImageDimension2D);
    traits.linear_textures = software && has_linear_textures(physical, traits.texture_limit);
    if (software) traits.resolve_path = ResolvePath::fragment;
    if (options.resolve_path != ResolvePath::automatic) traits.resolve_path = options.resolve_path;
    return traits;
}

// lavapipe allocates and frees megabytes per draw. By default glibc returns them to the kernel every time,
// and half of the rasterizer setup thread's time is spent on page faults and zeroing pages. These are the
// values that glibc's dynamic adjustment would reach. A process that renders once would only use more memory.
void disable_heap_trimming()
{
    // Sets integers under malloc's lock, always to the same values.
    ::mallopt(M_MMAP_THRESHOLD, 32 << 20); // NOLINT(concurrency-mt-unsafe)
    ::mallopt(M_TRIM_THRESHOLD, 64 << 20); // NOLINT(concurrency-mt-unsafe)
}

} // namespace

Device::Device(VulkanInstance& instance, VkPhysicalDevice physical, const Options& options)
    : queue_family(find_queue_family(physical)), timestamp_bits(timestamp_bits_of(physical, queue_family)),
      features(supported_features(physical)), info(describe(physical)), instance_(&instance)
{
    VkPhysicalDeviceProperties properties{};
    vkGetPhysicalDeviceProperties(physical, &properties);
    limits = properties.limits;
    if (options.max_binding_bytes != 0)
        limits.maxStorageBufferRange = std::min(limits.maxStorageBufferRange, options.max_binding_bytes);
    traits = traits_of(physical, info, limits, features, options);
    create(physical);
    try {
        memory_ = std::make_unique<Memory>(*this, physical, options.memory_bytes);
        pipelines_ = std::make_unique<PipelineCache>(*this, physical, options);
    } catch (...) {
        vk.vkDestroyDevice(handle, nullptr);
        throw;
    }
}

void Device::keep_driver_memory()
{
    if (traits.software && !std::exchange(keeps_driver_memory_, true)) disable_heap_trimming();
}

void Device::create(VkPhysicalDevice physical)
{
    VkPhysicalDeviceVulkan12Features features12{.sType =
                                                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    features12.timelineSemaphore = VK_TRUE;
    VkPhysicalDeviceVulkan13Features features13{.sType =
                                                    VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    features13.pNext = &features12;
    features13.dynamicRendering = VK_TRUE;
    features13.synchronization2 = VK_TRUE;
    features13.maintenance4 = VK_TRUE;                   // glslc writes work group sizes as LocalSizeId
    features13.shaderDemoteToHelperInvocation = VK_TRUE; // Vulkan 1.3 requires it
    features13.robustImageAccess = has_robust_images(physical);
    auto robustness2 = robustness_features(physical);
    extensions.robustness2 = robustness2.robustBufferAccess2 == VK_TRUE;
    extensions.pipeline_robustness = has_pipeline_robustness(physical);
    VkPhysicalDevicePipelineRobustnessFeaturesEXT by_pipeline{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT,
        .pNext = nullptr,
        .pipelineRobustness = VK_TRUE};
    if (extensions.pipeline_robustness) features12.pNext = &by_pipeline;
    robustness2.pNext = features12.pNext;
    if (extensions.robustness2) features12.pNext = &robustness2;
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue_info{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                             .pNext = nullptr,
                                             .flags = 0,
                                             .queueFamilyIndex = queue_family,
                                             .queueCount = 1,
                                             .pQueuePriorities = &priority};
    std::vector<const char*> names{VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME};
    extensions.memory_budget = has_extension(physical, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    if (extensions.memory_budget) names.push_back(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    if (extensions.robustness2) names.push_back(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME);
    if (extensions.pipeline_robustness) names.push_back(VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME);
    extensions.host_pointer_alignment = host_pointer_alignment(physical);
    if (extensions.host_pointer_alignment != 0) names.push_back(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
    const VkDeviceCreateInfo device_info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                         .pNext = &features13,
                                         .flags = 0,
                                         .queueCreateInfoCount = 1,
                                         .pQueueCreateInfos = &queue_info,
                                         .enabledLayerCount = 0,
                                         .ppEnabledLayerNames = nullptr,
                                         .enabledExtensionCount = static_cast<std::uint32_t>(names.size()),
                                         .ppEnabledExtensionNames = names.data(),
                                         .pEnabledFeatures = &features};
    check(vkCreateDevice(physical, &device_info, nullptr, &handle), "creating the device");
    load_device_table(vk, handle);
    vk.vkGetDeviceQueue(handle, queue_family, 0, &queue);
}

Device::~Device()
{
    pipelines_.reset();
    memory_.reset();
    if (!abandoned_) vk.vkDestroyDevice(handle, nullptr);
}

void Device::abandon()
{
    abandoned_ = true;
    instance_->abandon();
}

void Device::name(VkObjectType type, std::uint64_t object, std::string_view text) const
{
    if (!instance_->validating()) return;
    const std::string terminated(text);
    const VkDebugUtilsObjectNameInfoEXT name_info{.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                                  .pNext = nullptr,
                                                  .objectType = type,
                                                  .objectHandle = object,
                                                  .pObjectName = terminated.c_str()};
    instance_->name(handle, name_info);
}

DeviceContext::DeviceContext(const Options& options)
    : instance(options.validation, options.on_log_message),
      device(instance, choose_device(instance, options.device), options)
{
}

} // namespace vitrine::render
