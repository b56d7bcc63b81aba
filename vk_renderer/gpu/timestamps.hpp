#pragma once
// When the device executed a command buffer, by timestamp queries.

#include <cstdint>
#include <optional>

#include "vk_renderer/gpu/handle.hpp"

namespace vitrine::render {

using QueryPoolHandle = Handle<VkQueryPool, &VolkDeviceTable::vkDestroyQueryPool>;

// In nanoseconds of the device's clock, whose zero is arbitrary.
struct DeviceInterval {
    double begin_ns = 0.0;
    double end_ns = 0.0;
};

class Timestamps {
public:
    // Measures nothing on a device without timestamps in its queue.
    explicit Timestamps(const Device& device);

    // Both are recorded outside of a render pass, around all other commands.
    void record_begin(VkCommandBuffer commands) const;
    void record_end(VkCommandBuffer commands) const;
    // Precondition: the commands have completed. Empty: not measured, or the device's counter has wrapped.
    std::optional<DeviceInterval> read() const;

private:
    const Device* device_;
    QueryPoolHandle pool_; // empty: no timestamps
};

} // namespace vitrine::render
