// The report of a card without resizable BAR.

#include <gtest/gtest.h>

#include "tests/bench/gpu/device_facts.hpp"
#include "tests/gpu/device.hpp"
#include "tests/support/vulkan/faulty_vulkan.hpp"
#include "vk_renderer/gpu/physical_device.hpp"

namespace vitrine::test {
namespace {

TEST(CardFacts, NameTheHeapsAndTheWindowOfTheHost)
{
    if (tested_device() != "software") GTEST_SKIP() << "the card is faked on the software driver";
    auto& faults = vulkan_faults();
    faults.is_card = true;
    faults.cards = 1u << 7;
    const render::VulkanInstance instance(false);
    const auto facts = bench::device_facts(choose_device(instance, pci_address(7)));
    faults.is_card = false;
    faults.cards = 0;
    EXPECT_EQ(facts.at("device").at("pciAddress").as_string(), pci_address(7));
    EXPECT_EQ(facts.at("hostWindow").at("bytes").to_number<std::uint64_t>(), 256u << 20);
    EXPECT_GT(facts.at("hostWindow").at("deviceLocalBytes").to_number<std::uint64_t>(), 1u << 30);
    EXPECT_EQ(facts.at("heaps").as_array().size(), 3u);
    const auto& types = facts.at("memoryTypes").as_array();
    EXPECT_EQ(types.at(card_memory).at("flags").as_string(), "device-local");
    EXPECT_EQ(types.at(card_window).at("flags").as_string(), "device-local host-visible coherent");
    EXPECT_EQ(types.at(system_memory).at("flags").as_string(), "host-visible coherent cached");
}

} // namespace
} // namespace vitrine::test
