#include "tests/bench/gpu/host_window.hpp"

#include <gtest/gtest.h>

namespace vitrine::bench {
namespace {

constexpr std::uint64_t mib = 1u << 20, gib = 1u << 30;
constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;

struct Heap {
    std::uint64_t bytes;
    bool is_local;
};
struct Type {
    std::uint32_t heap;
    VkMemoryPropertyFlags flags;
};

VkPhysicalDeviceMemoryProperties memory_of(std::initializer_list<Heap> heaps,
                                           std::initializer_list<Type> types)
{
    VkPhysicalDeviceMemoryProperties memory{};
    for (const auto& heap : heaps)
        memory.memoryHeaps[memory.memoryHeapCount++] = {
            heap.bytes, heap.is_local ? VkMemoryHeapFlags{VK_MEMORY_HEAP_DEVICE_LOCAL_BIT} : 0};
    for (const auto& type : types)
        memory.memoryTypes[memory.memoryTypeCount++] = {type.flags, type.heap};
    return memory;
}

// As NVIDIA's driver reports a card without resizable BAR.
TEST(HostWindow, IsAHeapOfItsOwnWithoutResizableBar)
{
    const auto window = find_host_window(memory_of({{24 * gib, true}, {64 * gib, false}, {246 * mib, true}},
                                                   {{1, visible}, {0, local}, {2, local | visible}}));
    EXPECT_EQ(window.bytes, 246 * mib);
    EXPECT_EQ(window.device_local_bytes, 24 * gib);
    EXPECT_FALSE(window.is_whole);
    EXPECT_STREQ(name_of(window, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU), "window");
}

TEST(HostWindow, IsTheWholeMemoryWithResizableBar)
{
    const auto one_heap = find_host_window(
        memory_of({{24 * gib, true}, {64 * gib, false}}, {{0, local}, {1, visible}, {0, local | visible}}));
    EXPECT_TRUE(one_heap.is_whole);
    EXPECT_STREQ(name_of(one_heap, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU), "resizable BAR");
    // RADV keeps a heap of its own for what the host maps.
    const auto two_heaps = find_host_window(memory_of(
        {{256 * mib, true}, {64 * gib, false}, {16 * gib, true}}, {{0, local}, {2, local | visible}}));
    EXPECT_TRUE(two_heaps.is_whole);
    EXPECT_EQ(two_heaps.bytes, 16 * gib);
}

TEST(HostWindow, IsSharedMemoryOfAnIntegratedDevice)
{
    const auto memory = memory_of({{8 * gib, true}}, {{0, local | visible}});
    EXPECT_STREQ(name_of(find_host_window(memory), VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU), "shared");
    EXPECT_STREQ(name_of(find_host_window(memory), VK_PHYSICAL_DEVICE_TYPE_CPU), "shared");
}

TEST(HostWindow, MayNotExist)
{
    const auto window =
        find_host_window(memory_of({{8 * gib, true}, {8 * gib, false}}, {{0, local}, {1, visible}}));
    EXPECT_EQ(window.bytes, 0u);
    EXPECT_STREQ(name_of(window, VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU), "none");
}

} // namespace
} // namespace vitrine::bench
