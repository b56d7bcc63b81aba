#pragma once
// Selects the devices that render from their properties, without Vulkan calls.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vitrine::render {

// In order of preference.
enum class DeviceKind : std::uint8_t { discrete, integrated, virtualized, other, software };

struct DeviceCandidate {
    std::string name;
    DeviceKind kind = DeviceKind::other;
    std::string unusable; // reason why the device cannot be used; empty: usable
    std::string slot;     // PCI address; empty: unknown. Two drivers of one card report the same address.
};

// `wanted`: "auto" (all devices of the best kind; only the first software device), "gpu" (likewise, but no
// software device), "software", an index (a
// number is always an index), part of a name that contains a letter (case-insensitive, all matches), or
// several of these separated by commas. Returns indices in the requested order, each card once, never empty;
// throws std::runtime_error that lists the available devices.
std::vector<std::size_t> choose(std::span<const DeviceCandidate> candidates, const std::string& wanted);

} // namespace vitrine::render
