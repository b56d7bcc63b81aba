#include "server/services/rendering/render_thread.hpp"

#include <chrono>
#include <iterator>

#include "server/services/rendering/render_thread_state.hpp"

namespace vitrine::server {
namespace {

constexpr const char* quarantine_message = "Rendering this model lost two render devices; a new version or a "
                                           "restart of the server enables it again.";

constexpr std::chrono::seconds idle_time{1};

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
    if (task.pending) task.pending->piece.frame_requests.clear();
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

// Runs one task at once, or gives the images of several to the device. Throws what the device throws.
void RenderThread::State::start(std::vector<DeviceTask>& tasks)
{
    if (tasks.front().pending) return submit_frames(tasks);
    const auto started = Clock::now();
    tasks.front().work(*device);
    metrics.render_seconds.Observe(std::chrono::duration<double>(Clock::now() - started).count());
    finish(tasks.front(), nullptr);
}

void RenderThread::State::run_tasks(std::vector<DeviceTask> tasks)
{
    const bool alone = tasks.front().render_separately || tasks.front().losses > 0;
    if (alone) collect_all(); // a failure then identifies its cause
    std::erase_if(tasks, [&](DeviceTask& task) { return !is_admitted(task); });
    if (tasks.empty()) return;
    device_metrics.tasks.Increment(static_cast<double>(tasks.size()));
    try {
        start(tasks);
    } catch (const render::DeviceLost& loss) {
        return handle_losses(std::move(tasks), loss);
    } catch (...) {
        return handle_failure(std::move(tasks), std::current_exception());
    }
    if (alone) collect_all();
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

// Whether the next work may be started now. With the lock held.
bool RenderThread::State::may_start(Clock::time_point now) const
{
    const auto* task = waiting.next(now);
    return task != nullptr && (!task->may_be_submitted() || may_submit(*task));
}

// Returns the next work; empty when the thread must end. Collects finished batches meanwhile: the device has
// work for two batches if enough images wait.
std::vector<DeviceTask> RenderThread::State::next()
{
    std::unique_lock lock(mutex);
    Clock::time_point now;
    for (;;) {
        now = Clock::now();
        const bool can_start = may_start(now);
        // Images are submitted first, so that the device has work; other work would delay the finished ones.
        const bool submits_first =
            can_start && waiting.next(now)->may_be_submitted() && in_flight.size() == 1;
        if (oldest_is_done && !submits_first) {
            lock.unlock();
            collect_oldest();
            count_time();
            lock.lock();
        } else if (can_start || (stopping && in_flight.empty())) {
            break;
        } else if (!in_flight.empty()) {
            changed.wait(lock, [&] { return oldest_is_done || may_start(Clock::now()); });
        } else {
            wait_idle(lock);
        }
    }
    auto due = waiting.take(batch_size.next(next_budget()), now);
    device_metrics.queue.Set(static_cast<double>(waiting.size()));
    return due;
}

void RenderThread::State::run()
{
    ensure_device(); // before the first request
    measure_memory();
    counted_until = Clock::now();
    prometheus::Counter* const counters[] = {&metrics.renders_interactive, &metrics.renders_image,
                                             &metrics.renders_batch};
    for (auto due = next(); !due.empty(); due = next()) {
        const auto priority = due.front().request.priority;
        counters[static_cast<std::size_t>(priority)]->Increment(static_cast<double>(due.size()));
        if (priority == RenderPriority::interactive) last_interactive = Clock::now();
        run_tasks(std::move(due));
        count_time();
        measure_memory();
    }
    stop_watching();
    device.reset();
}

RenderThread::RenderThread(std::size_t index, MakeRenderDevice make_device, const RenderLimits& limits,
                           Metrics& metrics, Scheduler& scheduler)
    : state_(std::make_unique<State>(index, std::move(make_device), limits, metrics, scheduler))
{
}

void RenderThread::start()
{
    state_->watcher = std::thread([state = state_.get()] { state->watch(); });
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
        if (!state_->waiting.push(task, State::Clock::now())) {
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
        state_->waiting.push_unbounded(task, State::Clock::now());
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
    {
        std::lock_guard lock(state_->mutex);
        state_->watcher_stops = true;
    }
    state_->watch_changed.notify_one();
    if (state_->watcher.joinable()) state_->watcher.join();
}

} // namespace vitrine::server
