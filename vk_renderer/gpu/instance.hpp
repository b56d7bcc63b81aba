#pragma once
// The Vulkan instance, optionally with the validation layers.

#include <functional>
#include <string>
#include <vector>

#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::render {

class VulkanInstance {
public:
    // With `validation`: enables core and synchronization validation if the layer is installed, and reports
    // its warnings and errors to `on_log_message`, prefixed with validation_prefix, on any thread that calls
    // Vulkan.
    explicit VulkanInstance(bool validation, std::function<void(const std::string&)> on_log_message = {});
    ~VulkanInstance();
    VulkanInstance(const VulkanInstance&) = delete;
    VulkanInstance& operator=(const VulkanInstance&) = delete;

    VkInstance get() const { return instance_; }
    bool validating() const { return messenger_ != VK_NULL_HANDLE; }
    std::vector<VkPhysicalDevice> physical_devices() const;
    // Names an object for the validation layers' messages; does nothing without them.
    void name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT& info) const;
    // No more messages from now on: on_log_message may end.
    void stop_messages();
    // Called after a hung submission: the destructor does not destroy the instance.
    void abandon() { abandoned_ = true; }

private:
    void start_messages();

    VkInstance instance_ = VK_NULL_HANDLE;
    // Loaded for this instance: volk's global pointers belong to the most recently created instance.
    PFN_vkDestroyDebugUtilsMessengerEXT destroy_messenger_ = nullptr;
    PFN_vkSetDebugUtilsObjectNameEXT set_name_ = nullptr;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    std::function<void(const std::string&)> on_log_message_;
    bool abandoned_ = false;
};

} // namespace vitrine::render
