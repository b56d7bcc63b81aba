#pragma once
// When the device executed a command buffer and its passes, by timestamp queries.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "vk_renderer/base/pass_times.hpp"
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
    Timestamps(const Device& device, bool measures_passes);

    // Of the result.
    VkDeviceSize size_bytes() const { return capacity_ * sizeof(std::uint64_t); }

    // All are recorded outside of a render pass. The first and the last one are around all other commands.
    // The last one copies the result to `target`, a multiple of 8 bytes, by a transfer: lavapipe waits for
    // the whole device in vkGetQueryPoolResults.
    void record_begin(VkCommandBuffer commands);
    // The commands since the previous record_pass() or record_begin() are this pass. Without effect if passes
    // are not measured, and after the first 1,024 of a command buffer.
    void record_pass(VkCommandBuffer commands, Pass pass);
    void record_end(VkCommandBuffer commands, VkBuffer target, VkDeviceSize offset) const;
    // `result`: at that offset. Precondition: the commands have completed. Empty: not measured, or the
    // device's counter has wrapped.
    std::optional<DeviceInterval> read(const std::byte* result) const;
    // Adds the time of each recorded pass. As read().
    void add_pass_times(const std::byte* result, PassTimes& sums) const;

private:
    const Device* device_;
    std::uint32_t capacity_;   // begin, end, then the end of each pass
    std::vector<Pass> passes_; // recorded
    QueryPoolHandle pool_;     // empty: no timestamps
};

} // namespace vitrine::render
