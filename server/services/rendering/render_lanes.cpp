#include "server/services/rendering/render_lanes.hpp"

#include <algorithm>
#include <bit>

namespace vitrine::server {
namespace {

// What drew alone may say whose fault it was.
bool may_be_joined(const DeviceTask& task)
{
    return task.still && !task.alone && task.losses == 0;
}

// Layers are as large as the largest picture of a submission.
std::uint32_t size_class(const DeviceTask& task)
{
    const auto& view = task.still->shot.view;
    return std::bit_ceil(std::max(view.width, view.height));
}

} // namespace

bool RenderLanes::push(DeviceTask& task)
{
    auto& tasks = lane(task);
    if (tasks.size() >= limits_[static_cast<std::size_t>(task.order.priority)]) return false;
    tasks.push_back(std::move(task));
    return true;
}

void RenderLanes::push_anyway(DeviceTask& task)
{
    auto& tasks = lane(task);
    if (task.losses > 0)
        tasks.push_front(std::move(task));
    else
        tasks.push_back(std::move(task));
}

std::vector<DeviceTask> RenderLanes::take(std::size_t most_stills)
{
    const auto lane = std::ranges::find_if(lanes_, [](const auto& tasks) { return !tasks.empty(); });
    std::vector<DeviceTask> taken;
    if (lane == lanes_.end()) return taken;
    taken.push_back(std::move(lane->front()));
    lane->pop_front();
    if (!may_be_joined(taken.front())) return taken;
    const auto wanted = size_class(taken.front());
    for (auto task = lane->begin(); task != lane->end() && taken.size() < most_stills;) {
        if (may_be_joined(*task) && size_class(*task) == wanted) {
            taken.push_back(std::move(*task));
            task = lane->erase(task);
        } else {
            ++task;
        }
    }
    return taken;
}

} // namespace vitrine::server
