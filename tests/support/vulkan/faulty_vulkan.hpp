#pragma once
// Injects faults into Vulkan below the whole renderer: a program that links vitrine_faulty_vulkan uses these
// device functions instead of vk_renderer/gpu/device_table.cpp. All devices of the process share one state.

#include <atomic>
#include <cstdint>
#include <string>

namespace vitrine::test {

struct VulkanFaults {
    // Set by the test; 0: no fault. Each value counts down and triggers at 1.
    std::atomic<int> fail_creation = 0;        // this call that creates or allocates is out of device memory
    std::atomic<bool> fail_all = false;        // and every later one too
    std::atomic<int> lose_submit = 0;          // this submission loses its device
    std::atomic<int> hang_submit = 0;          // this submission never completes, and waits time out at once
    std::atomic<std::uint32_t> lose_draw = 0;  // draws with exactly this index count lose the device
    std::atomic<std::uint32_t> hang_draw = 0;  // or never complete
    std::atomic<std::uint32_t> crash_draw = 0; // or end the process by SIGSEGV when they are recorded
    std::atomic<std::uint32_t> submit_ms = 0;  // that each submission takes longer; callers wait
    std::atomic<int> faulty_draws = INT32_MAX; // the number of these faults
    std::atomic<std::uint64_t> memory_bytes = UINT64_MAX; // of all devices together; further used_bytes fail
    std::atomic<bool> is_discrete = false;                // the devices report the type of a graphics card
    // Memory types and heaps of a graphics card without resizable BAR: its own memory, of which the host maps
    // a window, and system memory.
    std::atomic<bool> is_card = false;
    std::atomic<std::uint64_t> window_bytes = 256u << 20;
    // With is_card: cached memory is not coherent. The host sees what the device had written when it last
    // called vkInvalidateMappedMemoryRanges.
    std::atomic<bool> is_incoherent = false;
    std::atomic<bool> is_uncached = false; // with is_card: no memory is cached
    // The budget that VK_EXT_memory_budget reports for the first heap of device-local memory. 0: devices have
    // the extension if the driver has it.
    std::atomic<std::uint64_t> heap_budget = 0;
    std::atomic<bool> pipeline_robustness = false; // devices report VK_EXT_pipeline_robustness
    std::atomic<bool> no_subgroups = false;        // devices have basic subgroup operations only
    std::atomic<bool> no_wires = false;            // devices do not report support for fillModeNonSolid
    std::atomic<std::uint32_t> storage_range = UINT32_MAX; // maxStorageBufferRange of the devices
    std::atomic<std::uint32_t> workgroups = UINT32_MAX;    // maxComputeWorkGroupCount[0] of the devices
    // Each bit n that is set is a card at the PCI address 0000:n:00.0 (see pci_address()), which the software
    // device draws for; 0: the devices of the machine are listed.
    std::atomic<std::uint32_t> cards = 0;

    // Counters.
    std::atomic<int> creations = 0; // calls that create or allocate
    std::atomic<int> submits = 0;
    std::atomic<int> invalidations = 0;              // ranges of vkInvalidateMappedMemoryRanges
    std::atomic<int> unchecked_pipelines = 0;        // compute pipelines without checks of buffer accesses
    std::atomic<std::uint32_t> largest_dispatch = 0; // workgroups along x
    std::atomic<int> allocations = 0;                // live blocks of device memory
    std::atomic<int> objects = 0;                    // created and not destroyed
    std::atomic<int> devices = 0;                    // created and not destroyed
    std::atomic<std::uint64_t> used_bytes = 0;       // device-local memory in use
    std::atomic<std::uint32_t> local_types = 0;      // a bit for each memory type in a device-local heap
    // With is_card: use of the window; use of system memory, and the largest since the test has set it to 0.
    std::atomic<std::uint64_t> window_used = 0, system_used = 0, system_peak = 0;
};

VulkanFaults& vulkan_faults();

// Of bit n of VulkanFaults::cards.
std::string pci_address(std::uint32_t card);

// Memory types with is_card; the last one with is_incoherent.
inline constexpr std::uint32_t card_memory = 0, system_memory = 1, card_window = 2, cached_memory = 3;

} // namespace vitrine::test
