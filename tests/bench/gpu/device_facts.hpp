#pragma once
// Everything that a driver says about a device and that the renderer's speed or correctness depends on, as
// JSON. Sizes in bytes.

#include <string>

#include <boost/json/object.hpp>

#include "vk_renderer/gpu/instance.hpp"

namespace vitrine::bench {

// Members: device, limits, features, subgroups, timestamps, heaps, memoryTypes, hostWindow, queueFamilies,
// pci, clocks.
boost::json::object device_facts(VkPhysicalDevice physical);

// Members: layer (whether it is installed), version, acrossSubmissions (submission_variable()).
boost::json::object validation_facts();

} // namespace vitrine::bench
