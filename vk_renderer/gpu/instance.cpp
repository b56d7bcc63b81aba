#include "vk_renderer/gpu/instance.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "vk_renderer/base/options.hpp"
#include "vk_renderer/gpu/relocation_prefault.hpp"

namespace vitrine::render {
namespace {

constexpr const char* validation_layer = "VK_LAYER_KHRONOS_validation";

// volk stores the loader's entry points in process-wide pointers. They are the same for every instance, but
// two Renderers may be created on two threads.
std::mutex& volk_mutex()
{
    static std::mutex mutex;
    return mutex;
}

void load_loader()
{
    const std::scoped_lock lock(volk_mutex());
    if (vkCreateInstance == nullptr && volkInitialize() != VK_SUCCESS)
        throw std::runtime_error("no Vulkan loader (libvulkan.so.1) is installed");
}

bool has_validation_layer()
{
    std::uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    vkEnumerateInstanceLayerProperties(&count, layers.data());
    return std::ranges::any_of(
        layers, [](const auto& layer) { return std::strcmp(layer.layerName, validation_layer) == 0; });
}

VKAPI_ATTR VkBool32 VKAPI_CALL report(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                      const VkDebugUtilsMessengerCallbackDataEXT* data, void* on_log_message)
{
    const auto& report_line = *static_cast<std::function<void(const std::string&)>*>(on_log_message);
    if (report_line) report_line(std::string(validation_prefix) + data->pMessage);
    return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(std::function<void(const std::string&)>& on_log_message)
{
    return {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
            .pNext = nullptr,
            .flags = 0,
            .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                               VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
            .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
            .pfnUserCallback = report,
            .pUserData = &on_log_message};
}

VkInstance create(bool validation)
{
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                        .pNext = nullptr,
                                        .pApplicationName = "vitrine",
                                        .applicationVersion = 1,
                                        .pEngineName = nullptr,
                                        .engineVersion = 0,
                                        .apiVersion = VK_API_VERSION_1_3};
    const std::array enabled{VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    const VkValidationFeaturesEXT features{.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                           .pNext = nullptr,
                                           .enabledValidationFeatureCount = 1,
                                           .pEnabledValidationFeatures = enabled.data(),
                                           .disabledValidationFeatureCount = 0,
                                           .pDisabledValidationFeatures = nullptr};
    const char* extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pNext = validation ? &features : nullptr,
                                    .flags = 0,
                                    .pApplicationInfo = &application,
                                    .enabledLayerCount = validation ? 1u : 0u,
                                    .ppEnabledLayerNames = &validation_layer,
                                    .enabledExtensionCount = validation ? 1u : 0u,
                                    .ppEnabledExtensionNames = &extension};
    VkInstance instance = VK_NULL_HANDLE;
    check(vkCreateInstance(&info, nullptr, &instance), "creating the Vulkan instance");
    return instance;
}

} // namespace

VulkanInstance::VulkanInstance(bool validation, std::function<void(const std::string&)> on_log_message)
    : on_log_message_(std::move(on_log_message))
{
    load_loader();
    if (validation && !has_validation_layer())
        throw std::runtime_error(
            "validation was requested, but VK_LAYER_KHRONOS_validation is not installed");
    {
        const RelocationPrefault prefault; // of the drivers, which are loaded now
        instance_ = create(validation);
    }
    {
        const std::scoped_lock lock(volk_mutex());
        volkLoadInstanceOnly(instance_);
    }
    if (validation) start_messages();
}

void VulkanInstance::start_messages()
{
    const auto find = [this](const char* name) { return vkGetInstanceProcAddr(instance_, name); };
    const auto create_messenger =
        reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(find("vkCreateDebugUtilsMessengerEXT"));
    destroy_messenger_ =
        reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(find("vkDestroyDebugUtilsMessengerEXT"));
    set_name_ = reinterpret_cast<PFN_vkSetDebugUtilsObjectNameEXT>(find("vkSetDebugUtilsObjectNameEXT"));
    const auto info = messenger_info(on_log_message_);
    check(create_messenger(instance_, &info, nullptr, &messenger_), "creating the messenger");
}

void VulkanInstance::stop_messages()
{
    if (abandoned_ || messenger_ == VK_NULL_HANDLE) return;
    destroy_messenger_(instance_, std::exchange(messenger_, VK_NULL_HANDLE), nullptr);
}

VulkanInstance::~VulkanInstance()
{
    if (abandoned_) return;
    stop_messages();
    const auto destroy = [] {
        const std::scoped_lock lock(volk_mutex());
        return vkDestroyInstance;
    }();
    destroy(instance_, nullptr);
}

void VulkanInstance::name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT& info) const
{
    if (set_name_ != nullptr) set_name_(device, &info);
}

std::vector<VkPhysicalDevice> VulkanInstance::physical_devices() const
{
    return enumerate_devices(instance_);
}

} // namespace vitrine::render
