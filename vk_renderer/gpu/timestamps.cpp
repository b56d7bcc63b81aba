#include "vk_renderer/gpu/timestamps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace vitrine::render {
namespace {

constexpr std::uint32_t max_passes = 1024; // measured in one command buffer
constexpr std::uint32_t first_pass_query = 2;

QueryPoolHandle create_pool(const Device& device, std::uint32_t capacity)
{
    if (device.timestamp_bits == 0) return {};
    const VkQueryPoolCreateInfo info{.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                     .pNext = nullptr,
                                     .flags = 0,
                                     .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                     .queryCount = capacity,
                                     .pipelineStatistics = 0};
    VkQueryPool pool = VK_NULL_HANDLE;
    check(device.vk.vkCreateQueryPool(device.handle, &info, nullptr, &pool), "creating a query pool");
    return {device, pool};
}

} // namespace

Timestamps::Timestamps(const Device& device, bool measures_passes)
    : device_(&device), capacity_(first_pass_query + (measures_passes ? max_passes : 0)),
      pool_(create_pool(device, capacity_))
{
}

void Timestamps::record_begin(VkCommandBuffer commands)
{
    passes_.clear();
    if (!pool_) return;
    device_->vk.vkCmdResetQueryPool(commands, pool_.get(), 0, capacity_);
    device_->vk.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, pool_.get(), 0);
}

void Timestamps::record_pass(VkCommandBuffer commands, Pass pass)
{
    const auto query = first_pass_query + static_cast<std::uint32_t>(passes_.size());
    if (!pool_ || query >= capacity_) return;
    passes_.push_back(pass);
    device_->vk.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool_.get(), query);
}

void Timestamps::record_end(VkCommandBuffer commands, VkBuffer target, VkDeviceSize offset) const
{
    if (!pool_) return;
    device_->vk.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool_.get(), 1);
    device_->vk.vkCmdCopyQueryPoolResults(
        commands, pool_.get(), 0, first_pass_query + static_cast<std::uint32_t>(passes_.size()), target,
        offset, sizeof(std::uint64_t), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

std::optional<DeviceInterval> Timestamps::read(const std::byte* result) const
{
    if (!pool_) return std::nullopt;
    std::array<std::uint64_t, 2> ticks{};
    std::memcpy(ticks.data(), result, sizeof(ticks));
    if (ticks[1] < ticks[0]) return std::nullopt;
    const double period_ns = device_->limits.timestampPeriod;
    return DeviceInterval{static_cast<double>(ticks[0]) * period_ns,
                          static_cast<double>(ticks[1]) * period_ns};
}

void Timestamps::add_pass_times(const std::byte* result, PassTimes& sums) const
{
    const auto ticks_of = [&](std::size_t query) {
        std::uint64_t ticks = 0;
        std::memcpy(&ticks, result + query * sizeof(ticks), sizeof(ticks));
        return ticks;
    };
    auto previous = passes_.empty() ? 0 : ticks_of(0);
    for (std::size_t i = 0; i < passes_.size(); ++i) {
        const auto ticks = std::max(ticks_of(first_pass_query + i), previous); // the counter may wrap
        const double ns = static_cast<double>(ticks - previous) * device_->limits.timestampPeriod;
        sums[static_cast<std::size_t>(passes_[i])] += std::chrono::nanoseconds(std::llround(ns));
        previous = ticks;
    }
}

} // namespace vitrine::render
