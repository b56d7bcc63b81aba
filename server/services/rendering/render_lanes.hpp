#pragma once
// What waits for a device, in lanes by priority. Pure: the thread that owns it guards it.

#include <array>
#include <cstddef>
#include <deque>
#include <vector>

#include "server/services/rendering/render_order.hpp"

namespace vitrine::server {

class RenderLanes {
public:
    explicit RenderLanes(const RenderLimits& limits)
        : limits_{limits.interactive, limits.picture, limits.batch}
    {
    }

    // False: the lane is full, and `task` is as it was.
    bool push(DeviceTask& task);
    // Beyond the limit, first where it lost a device.
    void push_anyway(DeviceTask& task);
    // What is due: one piece of work, or up to `most_stills` stills of about one size that may be drawn
    // together, in their order. Empty: nothing waits.
    std::vector<DeviceTask> take(std::size_t most_stills);
    std::size_t size() const { return lanes_[0].size() + lanes_[1].size() + lanes_[2].size(); }

private:
    std::deque<DeviceTask>& lane(const DeviceTask& task)
    {
        return lanes_[static_cast<std::size_t>(task.order.priority)];
    }

    const std::array<std::size_t, 3> limits_;
    std::array<std::deque<DeviceTask>, 3> lanes_;
};

} // namespace vitrine::server
