// Images in flight: submitted to the device, and collected when a second thread has seen them finished.
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

// Afterwards no other thread uses a ticket or the device. Returns when the oldest batch in flight was
// finished; empty: it was not watched.
std::optional<RenderThread::State::Clock::time_point> RenderThread::State::stop_watching()
{
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return !watched; });
    if (!std::exchange(oldest_is_done, false)) return std::nullopt;
    return oldest_done;
}

// Batches in flight overlap: what they share counts once.
void RenderThread::State::count_in_flight(const Batch& finished, Clock::time_point end)
{
    const auto begin = std::max(finished.submitted, in_flight_until);
    in_flight_until = std::max(end, in_flight_until);
    const std::chrono::duration<double> time = std::max(in_flight_until - begin, Clock::duration(0));
    device_metrics.in_flight_seconds.Increment(time.count());
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
        oldest_done = Clock::now();
        changed.notify_one();
    }
}

} // namespace vitrine::server
