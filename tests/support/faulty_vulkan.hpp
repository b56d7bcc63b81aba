#pragma once
// Vulkan with faults, beneath the whole renderer: a program that links vitrine_faulty_vulkan gets its device
// functions from here (in the place of vk_renderer/gpu/device_table.cpp). All devices of the process share
// one state.

#include <atomic>
#include <cstdint>

namespace vitrine::test {

struct VulkanFaults {
    // Steered by the test; 0: no fault. Each counts down from its number and strikes at 1.
    std::atomic<int> fail_creation = 0;        // this call that creates or allocates is out of device memory
    std::atomic<bool> fail_all = false;        // and so is every one after it
    std::atomic<int> lose_submit = 0;          // this submission loses its device
    std::atomic<int> hang_submit = 0;          // this submission is never done
    std::atomic<std::uint32_t> lose_draw = 0;  // whatever draws exactly so many indices loses its device
    std::atomic<std::uint32_t> hang_draw = 0;  // or is never done
    std::atomic<int> faulty_draws = INT32_MAX; // so many of them
    std::atomic<std::uint64_t> memory_bytes = UINT64_MAX; // of all devices together; beyond it there is none
    // What VK_EXT_memory_budget, which devices then have, leaves to this process of the first heap.
    std::atomic<std::uint64_t> heap_budget = 0; // 0: devices do not have it
    std::atomic<bool> no_wires = false;         // devices do not say that they draw triangles as lines
    std::atomic<std::uint32_t> storage_range = UINT32_MAX; // devices say that they bind no more bytes at once
    std::atomic<int> copies = 1; // the machine's devices are listed so many times over

    // Counted.
    std::atomic<int> creations = 0; // calls that create or allocate
    std::atomic<int> submits = 0;
    std::atomic<int> allocations = 0;          // blocks of device memory at the moment
    std::atomic<int> objects = 0;              // made and not destroyed
    std::atomic<int> devices = 0;              // made and not destroyed
    std::atomic<std::uint64_t> used_bytes = 0; // of device memory at the moment
};

VulkanFaults& vulkan_faults();

} // namespace vitrine::test
