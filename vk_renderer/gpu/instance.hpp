#pragma once
// The Vulkan instance and the messages of the validation layers.

#include <string>
#include <vector>

#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::render {

class Instance {
public:
    // With `validation`: enables core and synchronization validation if the layer is installed.
    explicit Instance(bool validation);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    VkInstance get() const { return instance_; }
    bool validating() const { return messenger_ != VK_NULL_HANDLE; }
    std::vector<VkPhysicalDevice> physical_devices() const;
    // Names an object for the validation layers' messages; does nothing without them.
    void name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT& info) const;
    // Warnings and errors of the layers in order of arrival.
    const std::vector<std::string>& messages() const { return messages_; }
    // Called after a hung submission: the destructor does not destroy the instance.
    void abandon() { abandoned_ = true; }

private:
    void start_messages();

    VkInstance instance_ = VK_NULL_HANDLE;
    // Loaded for this instance: volk's global pointers belong to the most recently created instance.
    PFN_vkDestroyDebugUtilsMessengerEXT destroy_messenger_ = nullptr;
    PFN_vkSetDebugUtilsObjectNameEXT set_name_ = nullptr;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    std::vector<std::string> messages_;
    bool abandoned_ = false;
};

} // namespace vitrine::render
