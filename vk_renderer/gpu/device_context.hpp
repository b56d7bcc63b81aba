#pragma once
// A device with its instance: what its memory needs to stay mapped.

#include "vk_renderer/gpu/device.hpp"
#include "vk_renderer/gpu/instance.hpp"
#include "vk_renderer/gpu/physical_device.hpp"

namespace vitrine::render {

struct DeviceContext {
    explicit DeviceContext(const Options& options)
        : instance(options.validation, options.on_log_message),
          device(instance, choose_device(instance, options.device), options)
    {
    }

    VulkanInstance instance;
    Device device;
};

} // namespace vitrine::render
