#pragma once
// The connection to the Vulkan loader, and what the validation layers say.

#include <string>
#include <vector>

#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::render {

class Instance {
public:
    // With `validation`: core and synchronisation validation where the layer is installed.
    explicit Instance(bool validation);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    VkInstance get() const { return instance_; }
    bool validating() const { return messenger_ != VK_NULL_HANDLE; }
    std::vector<VkPhysicalDevice> physical_devices() const;
    // For the validation layers' messages; does nothing without them.
    void name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT& info) const;
    // Warnings and errors of the layers, in order of arrival.
    const std::vector<std::string>& messages() const { return messages_; }
    // After a hung submission: the destructor leaves the instance alone.
    void abandon() { abandoned_ = true; }

private:
    void start_messages();

    VkInstance instance_ = VK_NULL_HANDLE;
    // Of this instance: volk's pointers are those of whichever instance was made last.
    PFN_vkDestroyDebugUtilsMessengerEXT destroy_messenger_ = nullptr;
    PFN_vkSetDebugUtilsObjectNameEXT set_name_ = nullptr;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    std::vector<std::string> messages_;
    bool abandoned_ = false;
};

} // namespace vitrine::render
