#pragma once
// Handles of the cards of VulkanFaults::cards, each for a device of the machine that draws for it.

#include <cstdint>
#include <optional>

#include "vk_renderer/gpu/vulkan.hpp"

namespace vitrine::test {

struct Card {
    VkPhysicalDevice real = VK_NULL_HANDLE;
    std::uint32_t number = 0;
};

// Returns the same handle for the same arguments.
VkPhysicalDevice handle_of(VkPhysicalDevice real, std::uint32_t number);
// Empty: a device of the machine.
std::optional<Card> card_of(VkPhysicalDevice physical);
VkPhysicalDevice real_of(VkPhysicalDevice physical);

} // namespace vitrine::test
