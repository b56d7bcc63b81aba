// The device's functions that create and destroy objects, and the table of all.

#include "tests/support/vulkan/faulty_vulkan.hpp"

#include "tests/support/vulkan/faulty_device.hpp"

namespace vitrine::test {

VulkanFaults& vulkan_faults()
{
    static VulkanFaults state;
    return state;
}

VolkDeviceTable& driver()
{
    static VolkDeviceTable table{};
    return table;
}

bool strikes(std::atomic<int>& countdown)
{
    return countdown > 0 && countdown.fetch_sub(1) == 1;
}

bool is_out_of_memory()
{
    ++vulkan_faults().creations;
    if (strikes(vulkan_faults().fail_creation)) return true;
    return vulkan_faults().fail_all && vulkan_faults().fail_creation <= 0;
}

namespace {

template <auto Member>
struct Creating;
template <class... Args, VkResult (*VolkDeviceTable::*Member)(Args...)>
struct Creating<Member> {
    static VkResult call(Args... args)
    {
        if (is_out_of_memory()) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
        const auto result = (driver().*Member)(args...);
        if (result == VK_SUCCESS) ++vulkan_faults().objects;
        return result;
    }
};

template <auto Member>
struct Destroying;
template <class... Args, void (*VolkDeviceTable::*Member)(Args...)>
struct Destroying<Member> {
    static void call(Args... args)
    {
        --vulkan_faults().objects;
        (driver().*Member)(args...);
    }
};

void destroy_device(VkDevice device, const VkAllocationCallbacks* callbacks)
{
    --vulkan_faults().devices;
    driver().vkDestroyDevice(device, callbacks);
}

// One pipeline at a time, as the renderer creates them.
VkResult create_compute_pipelines(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                                  const VkComputePipelineCreateInfo* infos,
                                  const VkAllocationCallbacks* callbacks, VkPipeline* pipelines)
{
    auto known = *infos;
    const auto* const robustness = static_cast<const VkPipelineRobustnessCreateInfoEXT*>(known.pNext);
    if (vulkan_faults().pipeline_robustness && robustness != nullptr) {
        if (robustness->storageBuffers == VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT)
            ++vulkan_faults().unchecked_pipelines;
        known.pNext = robustness->pNext; // the driver does not know it
    }
    return Creating<&VolkDeviceTable::vkCreateComputePipelines>::call(device, cache, count, &known, callbacks,
                                                                      pipelines);
}

template <auto... Creators>
void count_creations(VolkDeviceTable& table)
{
    ((table.*Creators = Creating<Creators>::call), ...);
}

template <auto... Destroyers>
void count_destructions(VolkDeviceTable& table)
{
    ((table.*Destroyers = Destroying<Destroyers>::call), ...);
}

} // namespace
} // namespace vitrine::test

namespace vitrine::render {

void load_device_table(VolkDeviceTable& table, VkDevice device)
{
    using T = VolkDeviceTable;
    volkLoadDeviceTable(&test::driver(), device);
    table = test::driver();
    ++test::vulkan_faults().devices;
    test::count_creations<&T::vkCreateBuffer, &T::vkCreateBufferView, &T::vkCreateImage,
                          &T::vkCreateImageView, &T::vkCreateSampler, &T::vkCreateShaderModule,
                          &T::vkCreateDescriptorSetLayout, &T::vkCreatePipelineLayout,
                          &T::vkCreateGraphicsPipelines, &T::vkCreatePipelineCache, &T::vkCreateSemaphore,
                          &T::vkCreateCommandPool, &T::vkCreateQueryPool>(table);
    test::count_destructions<&T::vkDestroyBuffer, &T::vkDestroyBufferView, &T::vkDestroyImage,
                             &T::vkDestroyImageView, &T::vkDestroySampler, &T::vkDestroyShaderModule,
                             &T::vkDestroyDescriptorSetLayout, &T::vkDestroyPipelineLayout,
                             &T::vkDestroyPipeline, &T::vkDestroyPipelineCache, &T::vkDestroySemaphore,
                             &T::vkDestroyCommandPool, &T::vkDestroyQueryPool>(table);
    table.vkCreateComputePipelines = test::create_compute_pipelines;
    table.vkDestroyDevice = test::destroy_device;
    test::replace_memory_functions(table);
    test::replace_command_functions(table);
}

} // namespace vitrine::render
