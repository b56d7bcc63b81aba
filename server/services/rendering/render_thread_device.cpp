// Creation, loss and replacement of the device of a render thread, and the repetition of failed tasks.
#include <iterator>

#include <spdlog/spdlog.h>

#include "server/services/rendering/render_thread_state.hpp"

namespace vitrine::server {
namespace {

// Of one batch on a graphics card, which draws many small images in the time that a batch may take.
constexpr std::size_t max_card_images = 256;

constexpr std::chrono::seconds idle_time{1};

std::vector<DeviceTask> one(DeviceTask task)
{
    std::vector<DeviceTask> tasks;
    tasks.push_back(std::move(task));
    return tasks;
}

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
        const StopScope scope(making.get_token());
        device = make_device();
    } catch (const Stopped& stopped) {
        device_failure = stopped.what();
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

// Replaces a lost device before work arrives; where that fails and other devices draw, no work arrives and it
// retries after an interval.
void RenderThread::State::wait_idle(std::unique_lock<std::mutex>& lock)
{
    const auto something = [&] { return stopping || waiting.size() > 0; };
    bool has_been_idle = false;
    while (!something()) {
        if (device && !has_been_idle && !changed.wait_for(lock, idle_time, something)) {
            has_been_idle = true;
            lock.unlock();
            device->idle();
            lock.lock();
        } else if (device || health.is_disabled ||
                   (scheduler.has_single_device() && !device_failure.empty())) {
            changed.wait(lock, something);
        } else if (!may_retry_device()) {
            changed.wait_until(lock, device_tried + retry_interval, something);
        } else {
            lock.unlock();
            ensure_device();
            lock.lock();
        }
    }
    counted_until = Clock::now();
}

// Returns whether the task is to be run by this thread; otherwise it has been answered or forwarded.
bool RenderThread::State::is_admitted(DeviceTask& task)
{
    const bool reject_now = [&] {
        std::lock_guard lock(mutex);
        return stopping;
    }();
    std::exception_ptr rejection;
    if (reject_now)
        rejection = std::make_exception_ptr(render::RenderError("the server is stopping"));
    else if (task.request.stop.stop_requested())
        rejection = std::make_exception_ptr(Stopped());
    else if (scheduler.is_quarantined(task.request.content_hash))
        rejection = std::make_exception_ptr(ModelQuarantined());
    else if (!device && scheduler.forward(task, index))
        return false;
    else if (!ensure_device())
        rejection = std::make_exception_ptr(render::RenderError("no device is available: " + device_failure));
    const bool admitted = !rejection;
    if (rejection) finish(task, std::move(rejection));
    return admitted;
}

// Repeats each image alone to find the one that failed.
void RenderThread::State::handle_failure(std::vector<DeviceTask> tasks, std::exception_ptr error)
{
    if (tasks.size() == 1) return finish(tasks.front(), std::move(error));
    for (auto& task : tasks) {
        task.render_separately = true;
        run_tasks(one(std::move(task)));
    }
}

std::vector<DeviceTask> RenderThread::State::collect_finished()
{
    stop_watching();
    std::vector<DeviceTask> unfinished;
    for (auto& batch : std::exchange(in_flight, {})) {
        try {
            answer(batch);
        } catch (const std::exception&) { // of the same loss
            unfinished.insert(unfinished.end(), std::make_move_iterator(batch.tasks.begin()),
                              std::make_move_iterator(batch.tasks.end()));
        }
    }
    return unfinished;
}

// A lost device may have been caused by the size of the piece.
void RenderThread::State::draw_piece_singly(DeviceTask& task)
{
    std::vector<render::Frame> frame;
    task.pending->frames.clear();
    for (const auto& frame_request : task.pending->piece.frame_requests) {
        device->render({&frame_request, 1}, frame);
        task.pending->frames.push_back(std::move(frame.at(0)));
    }
    finish(task, nullptr);
}

// Any of the tasks, and of the stills in flight, may be the cause: each is repeated alone.
void RenderThread::State::handle_losses(std::vector<DeviceTask> tasks, const render::DeviceLost& loss)
{
    const auto error = std::current_exception();
    auto others = collect_finished();
    tasks.insert(tasks.end(), std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()));
    lose_device(loss);
    for (auto& task : tasks)
        handle_loss(std::move(task), error);
}

void RenderThread::State::handle_loss(DeviceTask task, const std::exception_ptr& error)
{
    if (++task.losses < 2) return run_tasks(one(std::move(task)));
    if (task.request.content_hash.empty()) return finish(task, error);
    scheduler.quarantine(task.request.content_hash);
    finish(task, std::make_exception_ptr(ModelQuarantined()));
}

} // namespace vitrine::server
