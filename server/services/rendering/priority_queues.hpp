#pragma once
// What waits for a device, in lanes by priority. Pure: the thread that owns it guards it.

#include <array>
#include <cstddef>
#include <deque>
#include <vector>

#include "server/services/rendering/render_request.hpp"

namespace vitrine::server {

class PriorityQueues {
public:
    explicit PriorityQueues(const RenderLimits& limits)
        : limits_{limits.interactive, limits.picture, limits.batch}
    {
    }

    // False: the queue is full, and `task` is as it was.
    bool push(DeviceTask& task);
    // Beyond the limit, first where it lost a device.
    void push_unbounded(DeviceTask& task);
    // What is due: one piece of work, or up to `max_frames` stills of about one size that may be drawn
    // together, in their request. Empty: nothing waits.
    std::vector<DeviceTask> take(std::size_t max_frames);
    std::size_t size() const { return queues_[0].size() + queues_[1].size() + queues_[2].size(); }

private:
    std::deque<DeviceTask>& queue(const DeviceTask& task)
    {
        return queues_[static_cast<std::size_t>(task.request.priority)];
    }

    const std::array<std::size_t, 3> limits_;
    std::array<std::deque<DeviceTask>, 3> queues_;
};

} // namespace vitrine::server
