// The second thread of a device: waits for the oldest batch in flight and reports it as finished.
#include <algorithm>
#include <utility>

#include "server/services/rendering/render_thread_state.hpp"

namespace vitrine::server {

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
