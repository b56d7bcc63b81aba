#include "tests/bench/gpu/transfers.hpp"

#include <algorithm>
#include <cstring>

#include "tests/bench/gpu/measure.hpp"
#include "vk_renderer/gpu/physical_device.hpp"

namespace vitrine::bench {
namespace {

constexpr std::uint64_t max_host_bytes = 256u << 20;
// Written through the window of 256 MiB of a card without resizable BAR, of which the driver needs a part.
constexpr std::uint64_t upload_bytes = 64u << 20;
constexpr VkBufferUsageFlags copied = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
constexpr int copies_in_a_row = 8; // so that submitting them hardly counts

} // namespace

Transfers::Transfers(const render::Options& options, std::uint64_t bytes)
    : instance_(false), device_(instance_, choose_device(instance_, options.device), options),
      timeline_(device_, options.submit_timeout), uploader_(device_, timeline_), commands_(device_),
      bytes_(bytes), host_bytes_(std::min(bytes, max_host_bytes)),
      from_(device_, bytes, {render::MemoryDomain::device, copied}, "copied"),
      to_(device_, bytes, {render::MemoryDomain::device, copied}, "copy"),
      staging_(device_, host_bytes_, {render::MemoryDomain::staging, copied}, "staging"),
      readback_(device_, host_bytes_, {render::MemoryDomain::readback, copied}, "readback"),
      host_(host_bytes_, std::byte{1})
{
    render::copy_to(staging_, 0, std::span<const std::byte>(host_));
}

Rate Transfers::on_device(double seconds, std::uint64_t bytes,
                          const std::function<void(VkCommandBuffer)>& record)
{
    const auto measured = measure_within(seconds, [&] {
        auto* const commands = commands_.begin();
        for (int i = 0; i < copies_in_a_row; ++i) {
            record(commands);
            memory_barrier(device_, commands, render::transfer, render::transfer);
        }
        timeline_.wait(timeline_.submit(commands_.end()));
    });
    return {.bytes_per_second = static_cast<double>(bytes) * copies_in_a_row / measured.seconds,
            .bytes = bytes,
            .runs = measured.runs};
}

Rate Transfers::copy_on_device(double seconds)
{
    const VkBufferCopy region{0, 0, bytes_};
    auto rate = on_device(seconds, bytes_, [&](VkCommandBuffer commands) {
        device_.vk.vkCmdCopyBuffer(commands, from_.get(), to_.get(), 1, &region);
    });
    rate.bytes_per_second *= 2.0;
    return rate;
}

Rate Transfers::fill_device(double seconds)
{
    return on_device(seconds, bytes_, [&](VkCommandBuffer commands) {
        device_.vk.vkCmdFillBuffer(commands, to_.get(), 0, VK_WHOLE_SIZE, 0x5a5a5a5a);
    });
}

Rate Transfers::copy_to_device(double seconds)
{
    const VkBufferCopy region{0, 0, host_bytes_};
    return on_device(seconds, host_bytes_, [&](VkCommandBuffer commands) {
        device_.vk.vkCmdCopyBuffer(commands, staging_.get(), to_.get(), 1, &region);
    });
}

Rate Transfers::copy_to_host(double seconds)
{
    const VkBufferCopy region{0, 0, host_bytes_};
    return on_device(seconds, host_bytes_, [&](VkCommandBuffer commands) {
        device_.vk.vkCmdCopyBuffer(commands, from_.get(), readback_.get(), 1, &region);
    });
}

Rate Transfers::write_upload(double seconds)
{
    const auto bytes = std::min(host_bytes_, upload_bytes);
    const render::Buffer target(device_, bytes, {render::MemoryDomain::upload, copied}, "upload");
    const auto measured = measure_within(
        seconds, [&] { render::copy_to(target, 0, std::span<const std::byte>(host_).first(bytes)); });
    return {static_cast<double>(bytes) / measured.seconds, bytes, measured.runs};
}

Rate Transfers::read_readback(double seconds)
{
    // Uncached memory is read at a hundredth of the speed of cached memory.
    const auto bytes = std::min(host_bytes_, upload_bytes);
    const auto measured =
        measure_within(seconds, [&] { std::memcpy(host_.data(), readback_.mapped(), bytes); });
    return {static_cast<double>(bytes) / measured.seconds, bytes, measured.runs};
}

Rate Transfers::upload(double seconds)
{
    const auto measured = measure_within(seconds, [&] {
        const auto buffer = uploader_.buffer(host_, {render::MemoryDomain::device, copied}, "uploaded");
        uploader_.finish();
    });
    return {static_cast<double>(host_bytes_) / measured.seconds, host_bytes_, measured.runs};
}

} // namespace vitrine::bench
