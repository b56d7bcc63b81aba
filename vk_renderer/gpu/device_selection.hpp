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
    // Such as 0000:65:00.0; empty: unknown. Two drivers of one card report the same address.
    std::string pci_address;
    std::string uuid; // as format_uuid() writes it; empty: unknown
};

// Writes 16 bytes as 8-4-4-4-12 lower-case hexadecimal digits.
std::string format_uuid(std::span<const std::uint8_t, 16> bytes);

// `wanted`: "auto" (all devices of the best kind; only the first software device), "gpu" (likewise, but no
// software device), "software", an index (a number is always an index), a PCI address (65:00.0 or
// 0000:65:00.0, also with a domain of eight digits as nvidia-smi writes it), a UUID (with or without
// nvidia-smi's prefix "GPU-"), part of a name that contains a letter (case-insensitive, all matches), or
// several of these separated by commas. Returns indices in the requested order, each card once, never empty;
// throws std::runtime_error that lists the available devices.
std::vector<std::size_t> choose(std::span<const DeviceCandidate> candidates, const std::string& wanted);

// Returns a selector with which choose() selects candidates[index] alone, also from a list in which others
// are missing: its PCI address, or else its UUID; its index where neither tells it apart.
std::string selector_of(std::span<const DeviceCandidate> candidates, std::size_t index);

} // namespace vitrine::render
