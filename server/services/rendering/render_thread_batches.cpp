// Stills in flight: submitted to the device, and collected when a second thread has seen them finished.
#include <algorithm>
#include <iterator>

#include "server/services/rendering/render_thread_state.hpp"

namespace vitrine::server {
namespace {

// The device works on one batch, the next one waits for it, and a third is recorded or collected.
constexpr std::size_t max_in_flight = 3;
// Time after a live frame in which another one is expected.
constexpr std::chrono::seconds live_timeout{1};

} // namespace

// While a live view is drawn, all batches in flight together delay it by at most the time of one batch.
bool RenderThread::State::may_submit() const
{
    if (in_flight.empty()) return true;
    if (in_flight.size() >= max_in_flight) return false;
    if (last_interactive + live_timeout < Clock::now()) return true;
    auto total = batch_size.time_of(1);
    for (const auto& batch : in_flight)
        total = total && batch.expected_time ? std::optional(*total + *batch.expected_time) : std::nullopt;
    return total && *total <= batch_budget.time;
}

BatchBudget RenderThread::State::next_budget() const
{
    auto budget = batch_budget;
    if (last_interactive + live_timeout >= Clock::now()) budget.time /= 2;
    return budget;
}

void RenderThread::State::submit_frames(std::vector<DeviceTask>& tasks)
{
    std::vector<render::FrameRequest> frame_requests;
    for (const auto& task : tasks)
        frame_requests.push_back(task.pending_frame->frame_request);
    const auto submitted = Clock::now();
    auto ticket = device->submit(frame_requests);
    const auto expected_time = batch_size.time_of(tasks.size());
    in_flight.push_back({std::move(tasks), std::move(ticket), submitted, expected_time});
    watch_oldest();
}

// Finishes the tasks of a batch with its frames. Throws what the device throws.
void RenderThread::State::answer(Batch& batch)
{
    auto frames = batch.ticket->collect();
    batch_size.measured(frames.size(), batch.ticket->work_time());
    metrics.render_seconds.Observe(std::chrono::duration<double>(Clock::now() - batch.submitted).count());
    for (std::size_t i = 0; i < frames.size(); ++i) {
        batch.tasks[i].pending_frame->frame = std::move(frames[i]);
        finish(batch.tasks[i], nullptr);
    }
}

// Precondition: a batch is in flight. Waits for it.
void RenderThread::State::collect_oldest()
{
    stop_watching();
    auto batch = std::move(in_flight.front());
    in_flight.pop_front();
    watch_oldest();
    try {
        answer(batch);
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

void RenderThread::State::watch_oldest()
{
    if (in_flight.empty()) return;
    {
        std::lock_guard lock(mutex);
        if (watched || oldest_is_done) return;
        watched = in_flight.front().ticket;
    }
    watch_changed.notify_one();
}

// Afterwards no other thread uses a ticket or the device.
void RenderThread::State::stop_watching()
{
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return !watched; });
    oldest_is_done = false;
}

void RenderThread::State::watch()
{
    std::unique_lock lock(mutex);
    for (;;) {
        watch_changed.wait(lock, [&] { return watched || watcher_stops; });
        if (!watched) return;
        auto& ticket = *watched;
        lock.unlock();
        ticket.wait();
        lock.lock();
        watched = nullptr;
        oldest_is_done = true;
        changed.notify_one();
    }
}

} // namespace vitrine::server
