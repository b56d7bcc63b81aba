#pragma once
// When the device executed a command buffer, by timestamp queries.

#include <cstddef>
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

    static constexpr VkDeviceSize size_bytes = 2 * sizeof(std::uint64_t);

    // Both are recorded outside of a render pass, around all other commands. The second one copies the result
    // to `target`, a multiple of 8 bytes, by a transfer: lavapipe waits for the whole device in
    // vkGetQueryPoolResults.
    void record_begin(VkCommandBuffer commands) const;
    void record_end(VkCommandBuffer commands, VkBuffer target, VkDeviceSize offset) const;
    // `result`: at that offset. Precondition: the commands have completed. Empty: not measured, or the
    // device's counter has wrapped.
    std::optional<DeviceInterval> read(const std::byte* result) const;

private:
    const Device* device_;
    QueryPoolHandle pool_; // empty: no timestamps
};

} // namespace vitrine::render
