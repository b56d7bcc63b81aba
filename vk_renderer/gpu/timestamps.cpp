#include "vk_renderer/gpu/timestamps.hpp"

#include <array>
#include <cstring>

namespace vitrine::render {
namespace {

QueryPoolHandle create_pool(const Device& device)
{
    if (device.timestamp_bits == 0) return {};
    const VkQueryPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                     .pNext = nullptr,
                                     .flags = 0,
                                     .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                     .queryCount = 2,
                                     .pipelineStatistics = 0};
    VkQueryPool pool = VK_NULL_HANDLE;
    check(device.vk.vkCreateQueryPool(device.handle, &info, nullptr, &pool), "creating a query pool");
    return {device, pool};
}

} // namespace

Timestamps::Timestamps(const Device& device) : device_(&device), pool_(create_pool(device)) {}

void Timestamps::record_begin(VkCommandBuffer commands) const
{
    if (!pool_) return;
    device_->vk.vkCmdResetQueryPool(commands, pool_.get(), 0, 2);
    device_->vk.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, pool_.get(), 0);
}

void Timestamps::record_end(VkCommandBuffer commands, VkBuffer target, VkDeviceSize offset) const
{
    if (!pool_) return;
    device_->vk.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool_.get(), 1);
    device_->vk.vkCmdCopyQueryPoolResults(commands, pool_.get(), 0, 2, target, offset, sizeof(std::uint64_t),
                                          VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

std::optional<DeviceInterval> Timestamps::read(const std::byte* result) const
{
    if (!pool_) return std::nullopt;
    std::array<std::uint64_t, 2> ticks{};
    std::memcpy(ticks.data(), result, size_bytes);
    if (ticks[1] < ticks[0]) return std::nullopt;
    const double period_ns = device_->limits.timestampPeriod;
    return DeviceInterval{static_cast<double>(ticks[0]) * period_ns,
                          static_cast<double>(ticks[1]) * period_ns};
}

} // namespace vitrine::render
