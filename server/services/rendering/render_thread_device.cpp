// Creation, loss and replacement of the device of a render thread.
#include <spdlog/spdlog.h>

#include "server/services/rendering/render_thread_state.hpp"

namespace vitrine::server {
namespace {

// Of one batch on a graphics card, which draws many small images in the time that a batch may take.
constexpr std::size_t max_card_images = 256;

} // namespace

bool RenderThread::State::may_retry_device() const
{
    if (max_losses > 0 && health.losses >= max_losses) return false; // written by this thread alone
    return device_failure.empty() || std::chrono::steady_clock::now() - device_tried >= retry_interval;
}

// Creates the device if there is none.
bool RenderThread::State::ensure_device()
{
    if (device) return true;
    if (!may_retry_device()) return false;
    device_tried = std::chrono::steady_clock::now();
    const auto known_failure = std::exchange(device_failure, {});
    work_counted = {};
    try {
        device = make_device();
    } catch (const render::DeviceLost& lost) { // during the warm-up, which may have left hung work behind too
        device_failure = lost.what();
        lose_device(lost);
    } catch (const std::exception& error) {
        device_failure = error.what();
        if (device_failure != known_failure)
            spdlog::error("msg=\"no render device\" device={} error={:?}", index, device_failure);
    }
    announce_device();
    return device != nullptr;
}

void RenderThread::State::announce_device()
{
    accepts_work = device != nullptr;
    if (device) batch_budget.images = device->info().software ? interactive_budget.images : max_card_images;
    device_metrics.is_available.Set(device ? 1.0 : 0.0);
    {
        std::lock_guard lock(mutex);
        health.creation_attempted = true;
        health.info = device ? std::optional(device->info()) : std::nullopt;
    }
    scheduler.device_changed();
}

// When the limit of losses is reached, no other device is created.
void RenderThread::State::lose_device(const std::exception& lost)
{
    count_time();
    device.reset();
    accepts_work = false;
    device_metrics.is_available.Set(0.0);
    device_metrics.losses.Increment();
    const auto [losses, last] = [&] {
        std::lock_guard lock(mutex);
        health.is_disabled = ++health.losses == max_losses;
        return std::pair(health.losses, health.is_disabled);
    }();
    spdlog::error("msg=\"render device lost\" device={} losses={} error={:?}", index, losses,
                  std::string_view(lost.what()));
    if (!last) return;
    device_failure = "the render device was lost too often";
    spdlog::critical("msg=\"render device disabled after too many losses\" device={} losses={}", index,
                     losses);
    announce_device();
}

// Asking the driver may take longer than a small image: at most once per second.
void RenderThread::State::measure_memory()
{
    const auto now = std::chrono::steady_clock::now();
    if (!device || now - memory_measured < std::chrono::seconds(1)) return;
    memory_measured = now;
    const auto memory = device->memory();
    device_metrics.bytes.Set(static_cast<double>(memory.used));
    device_metrics.budget.Set(static_cast<double>(memory.budget));
    std::lock_guard lock(mutex);
    health.memory = memory;
}

// Precondition: tasks waited or were run since `counted_until`.
void RenderThread::State::count_time()
{
    const auto now = Clock::now();
    const std::chrono::duration<double> busy = now - std::exchange(counted_until, now);
    if (!device) return;
    device_metrics.busy_seconds.Increment(busy.count());
    const auto total = device->work_time();
    device_metrics.work_seconds.Increment(std::chrono::duration<double>(total - work_counted).count());
    work_counted = total;
}

} // namespace vitrine::server
