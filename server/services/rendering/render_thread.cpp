#include "server/services/rendering/render_thread.hpp"

#include <chrono>

#include "server/services/rendering/render_thread_state.hpp"

namespace vitrine::server {
namespace {

constexpr const char* quarantine_message = "Rendering this model lost two render devices; a new version or a "
                                           "restart of the server enables it again.";

std::vector<DeviceTask> one(DeviceTask task)
{
    std::vector<DeviceTask> tasks;
    tasks.push_back(std::move(task));
    return tasks;
}

} // namespace

ModelQuarantined::ModelQuarantined() : DeviceLost(quarantine_message) {}

// Answers a task with its result or error.
void RenderThread::State::finish(DeviceTask& task, std::exception_ptr error)
{
    // Captured objects must not outlive the answer.
    task.work = nullptr;
    if (task.pending_frame) task.pending_frame->frame_request = {};
    task.done(std::move(error));
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

void RenderThread::State::render_frames(std::span<const DeviceTask> frame_tasks)
{
    std::vector<render::FrameRequest> frame_requests;
    for (const auto& task : frame_tasks)
        frame_requests.push_back(task.pending_frame->frame_request);
    const auto start = std::chrono::steady_clock::now();
    std::vector<render::Frame> frames;
    device->render(frame_requests, frames);
    batch_size.measured(frames.size(), std::chrono::steady_clock::now() - start);
    for (std::size_t i = 0; i < frames.size(); ++i)
        frame_tasks[i].pending_frame->frame = std::move(frames[i]);
}

// Runs one task, or several stills as a batch.
void RenderThread::State::run_tasks(std::vector<DeviceTask> tasks)
{
    std::erase_if(tasks, [&](DeviceTask& task) { return !is_admitted(task); });
    if (tasks.empty()) return;
    device_metrics.tasks.Increment(static_cast<double>(tasks.size()));
    std::exception_ptr error;
    bool lost = false;
    try {
        if (tasks.front().pending_frame)
            render_frames(tasks);
        else
            tasks.front().work(*device);
    } catch (const render::DeviceLost& loss) {
        error = std::current_exception();
        lost = true;
        lose_device(loss);
    } catch (...) {
        error = std::current_exception();
    }
    if (error && !lost) return handle_failure(std::move(tasks), std::move(error));
    for (auto& task : tasks)
        if (lost)
            handle_loss(std::move(task), error);
        else
            finish(task, nullptr);
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

void RenderThread::State::handle_loss(DeviceTask task, const std::exception_ptr& error)
{
    if (++task.losses < 2) return run_tasks(one(std::move(task)));
    if (task.request.content_hash.empty()) return finish(task, error);
    scheduler.quarantine(task.request.content_hash);
    finish(task, std::make_exception_ptr(ModelQuarantined()));
}

// Returns the next work; empty when the thread must end. Replaces a lost device before it takes work; where
// that fails and other devices draw, no work arrives and it retries after an interval.
std::vector<DeviceTask> RenderThread::State::next()
{
    std::unique_lock lock(mutex);
    const auto something = [&] { return stopping || waiting.size() > 0; };
    while (!something()) {
        if (device || health.is_disabled || (scheduler.has_single_device() && !device_failure.empty())) {
            changed.wait(lock, something);
        } else if (!may_retry_device()) {
            changed.wait_until(lock, device_tried + retry_interval, something);
        } else {
            lock.unlock();
            ensure_device();
            lock.lock();
        }
    }
    auto due = waiting.take(batch_size.next(batch_budget));
    device_metrics.queue.Set(static_cast<double>(waiting.size()));
    return due;
}

void RenderThread::State::run()
{
    ensure_device(); // before the first request
    measure_memory();
    prometheus::Counter* const counters[] = {&metrics.renders_interactive, &metrics.renders_image,
                                             &metrics.renders_batch};
    for (auto due = next(); !due.empty(); due = next()) {
        const auto started = std::chrono::steady_clock::now();
        counters[static_cast<std::size_t>(due.front().request.priority)]->Increment(
            static_cast<double>(due.size()));
        run_tasks(std::move(due));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
        metrics.render_seconds.Observe(took.count());
        device_metrics.busy_seconds.Increment(took.count());
        measure_work();
        measure_memory();
    }
    device.reset();
}

RenderThread::RenderThread(std::size_t index, MakeRenderDevice make_device, const RenderLimits& limits,
                           Metrics& metrics, Scheduler& scheduler)
    : state_(std::make_unique<State>(index, std::move(make_device), limits, metrics, scheduler))
{
}

void RenderThread::start()
{
    state_->thread = std::thread([state = state_.get()] { state->run(); });
}

RenderThread::~RenderThread()
{
    stop();
}

Result<void> RenderThread::post(DeviceTask task)
{
    {
        std::lock_guard lock(state_->mutex);
        if (state_->stopping) return make_error(Errc::busy, "stopping", "the server is stopping", 5);
        if (!state_->waiting.push(task)) {
            state_->metrics.renders_rejected.Increment();
            return make_error(Errc::busy, "render_queue_full", "the render queue is full", 1);
        }
        state_->device_metrics.queue.Set(static_cast<double>(state_->waiting.size()));
    }
    state_->changed.notify_one();
    return {};
}

bool RenderThread::take_over(DeviceTask& task)
{
    {
        std::lock_guard lock(state_->mutex);
        if (state_->stopping) return false;
        state_->waiting.push_unbounded(task);
        state_->device_metrics.queue.Set(static_cast<double>(state_->waiting.size()));
    }
    state_->changed.notify_one();
    return true;
}

bool RenderThread::accepts_work() const
{
    return state_->accepts_work;
}

DeviceHealth RenderThread::health() const
{
    std::lock_guard lock(state_->mutex);
    auto health = state_->health;
    health.is_available = state_->accepts_work && health.info;
    health.waiting = state_->waiting.size();
    return health;
}

void RenderThread::stop_soon()
{
    {
        std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    state_->changed.notify_one();
}

void RenderThread::stop()
{
    stop_soon();
    if (state_->thread.joinable()) state_->thread.join();
}

} // namespace vitrine::server
