#include "server/services/rendering/render_thread.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "server/services/rendering/render_thread_state.hpp"

namespace vitrine::server {
namespace {

constexpr const char* quarantine_message =
    "Rendering this model lost two render devices. It is rendered again as a new version, after DELETE "
    "/v1/assets/{id}/quarantine, and after a restart of the server or, where servers share a catalog, a day.";

// The device works on one batch, the next one waits for it, and a third is recorded or collected.
constexpr std::size_t max_in_flight = 3;
// Time after a live frame in which another one is expected.
constexpr std::chrono::seconds live_timeout{1};

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

bool RenderThread::State::is_live() const
{
    return last_interactive + live_timeout >= Clock::now();
}

// Precondition: may_be_submitted(). While a live view is drawn, all batches in flight together delay it by at
// most the time of one batch. Otherwise only pieces of sequences are long, and together they delay a still by
// at most two of them.
bool RenderThread::State::may_submit(const DeviceTask& next) const
{
    if (in_flight.empty()) return true;
    if (in_flight.size() >= max_in_flight) return false;
    const auto& source = next.pending->source;
    if (source && source->is_measuring()) return false;
    const bool live = is_live();
    if (!live && !source) return true;
    auto total = !live    ? std::optional(std::chrono::nanoseconds(0))
                 : source ? source->time_of(1)
                          : batch_size.time_of(1);
    for (const auto& batch : in_flight)
        total = total && batch.expected_time ? std::optional(*total + *batch.expected_time) : std::nullopt;
    return total && *total <= (live ? batch_budget.time : background_budget.time);
}

BatchBudget RenderThread::State::next_budget() const
{
    auto budget = batch_budget;
    if (is_live()) budget.time /= 2;
    return budget;
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

void RenderThread::State::submit_frames(std::vector<DeviceTask>& tasks)
{
    const auto submitted = Clock::now();
    const auto source = tasks.front().pending->source;
    if (source) {
        auto& task = tasks.front();
        if (task.losses > 0) return draw_piece_singly(task);
        task.pending->piece = source->take(*device, next_budget());
        if (task.pending->piece.frame_requests.empty()) return finish(task, nullptr);
    }
    std::vector<render::FrameRequest> frame_requests;
    for (const auto& task : tasks) {
        const auto& images = task.pending->piece.frame_requests;
        frame_requests.insert(frame_requests.end(), images.begin(), images.end());
    }
    auto ticket = device->submit(frame_requests);
    const auto expected_time =
        source ? source->time_of(frame_requests.size()) : batch_size.time_of(frame_requests.size());
    in_flight.push_back({std::move(tasks), std::move(ticket), submitted, expected_time});
    watch_oldest();
}

// Runs one task at once, or gives the images of several to the device. Throws what the device throws, and
// Stopped if there is one and nobody waits for it any more.
void RenderThread::State::start(std::vector<DeviceTask>& tasks)
{
    const StopScope scope(tasks.size() == 1 ? tasks.front().request.stop : std::stop_token());
    if (tasks.front().pending) return submit_frames(tasks);
    const auto started = Clock::now();
    tasks.front().work(*device);
    metrics.render_seconds.Observe(std::chrono::duration<double>(Clock::now() - started).count());
    finish(tasks.front(), nullptr);
}

void RenderThread::State::run_tasks(std::vector<DeviceTask> tasks)
{
    const bool alone = tasks.front().render_separately || tasks.front().losses > 0;
    const TraceScope trace(trace_of(tasks));
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

// Finishes the tasks of a batch with its frames. Throws what the device throws.
void RenderThread::State::answer(Batch& batch)
{
    auto frames = batch.ticket->collect();
    const auto work_time = batch.ticket->work_time();
    if (const auto& source = batch.tasks.front().pending->source)
        source->measured(frames.size(), work_time);
    else
        batch_size.measured(frames.size(), work_time);
    metrics.render_seconds.Observe(std::chrono::duration<double>(Clock::now() - batch.submitted).count());
    auto next = std::make_move_iterator(frames.begin());
    for (auto& task : batch.tasks) {
        const auto end = next + static_cast<std::ptrdiff_t>(task.pending->piece.frame_requests.size());
        task.pending->frames.assign(next, end);
        next = end;
        finish(task, nullptr);
    }
}

// Precondition: a batch is in flight. Waits for it.
void RenderThread::State::collect_oldest()
{
    const auto noticed = stop_watching();
    auto batch = std::move(in_flight.front());
    in_flight.pop_front();
    const TraceScope trace(trace_of(batch.tasks));
    watch_oldest();
    try {
        answer(batch);
        count_in_flight(batch, noticed.value_or(Clock::now()));
    } catch (const render::DeviceLost& loss) {
        handle_losses(std::move(batch.tasks), loss);
    } catch (...) {
        handle_failure(std::move(batch.tasks), std::current_exception());
    }
}

void RenderThread::State::collect_all()
{
    while (!in_flight.empty())
        collect_oldest();
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
    state_->making.request_stop(); // its shaders may compile for seconds
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
