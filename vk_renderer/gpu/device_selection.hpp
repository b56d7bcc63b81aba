#pragma once
// Which of a machine's devices draw. No Vulkan call: what is known of each is given.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vitrine::render {

// The better ones first.
enum class DeviceKind : std::uint8_t { discrete, integrated, virtualized, other, software };

struct DeviceCandidate {
    std::string name;
    DeviceKind kind = DeviceKind::other;
    std::string unusable; // why it cannot be used; empty: it can
    std::string slot;     // PCI address; empty: not known. Two drivers of one card show it twice.
};

// `wanted`: "auto" (every one of the best kind, of software the first), "software", an index (a number is
// nothing else), a part of a name in either case with a letter in it (every one), or several of these with
// commas between them. In the order that is asked for, each card once, never empty: throws
// std::runtime_error that names what there is.
std::vector<std::size_t> choose(std::span<const DeviceCandidate> candidates, const std::string& wanted);

} // namespace vitrine::render
