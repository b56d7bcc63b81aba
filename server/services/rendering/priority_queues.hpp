#pragma once
// Queues of render requests by priority. Not thread-safe; the owning render thread guards it.

#include <array>
#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "server/services/rendering/render_request.hpp"

namespace vitrine::server {

class PriorityQueues {
public:
    using TimePoint = std::chrono::steady_clock::time_point;

    explicit PriorityQueues(const RenderLimits& limits)
        : limits_{limits.max_queued_interactive, limits.max_queued_image, limits.max_queued_batch}
    {
    }

    // Returns false, leaving `task` unchanged, when the queue is full.
    bool push(DeviceTask& task, TimePoint now);
    // Ignores the limit; a task that lost a device is put first.
    void push_unbounded(DeviceTask& task, TimePoint now);
    // Returns the next work: one task, or up to `max_frames` stills of similar size that may be drawn
    // together, in order. Empty: the queues are empty.
    std::vector<DeviceTask> take(std::size_t max_frames, TimePoint now);
    // Returns the first task of what take() would return; null: the queues are empty. Valid until the queues
    // change.
    const DeviceTask* next(TimePoint now) const;
    std::size_t size() const { return queues_[0].size() + queues_[1].size() + queues_[2].size(); }

private:
    std::deque<DeviceTask>& queue(RenderPriority priority)
    {
        return queues_[static_cast<std::size_t>(priority)];
    }
    bool is_overdue(std::size_t queue, std::chrono::milliseconds longest, TimePoint now) const;
    // Index of the queue of the next work; empty: all are empty.
    std::optional<std::size_t> next_queue(TimePoint now) const;

    const std::array<std::size_t, 3> limits_;
    std::array<std::deque<DeviceTask>, 3> queues_;
    std::array<TimePoint, 3> taken_{}; // last take() of each queue
};

// The trace of all of them; empty: several. A failure is then attributed by drawing each alone. Precondition:
// not empty.
std::string trace_of(const std::vector<DeviceTask>& tasks);

} // namespace vitrine::server
