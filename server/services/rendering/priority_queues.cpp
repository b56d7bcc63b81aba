#include "server/services/rendering/priority_queues.hpp"

#include <algorithm>
#include <bit>

namespace vitrine::server {
namespace {

// Tasks that must run alone are not batched: a failure then identifies its cause.
bool may_be_joined(const DeviceTask& task)
{
    return task.pending_frame && !task.render_separately && task.losses == 0;
}

// Array layers have the size of the largest image of a submission.
std::uint32_t size_class(const DeviceTask& task)
{
    const auto& view = task.pending_frame->frame_request.view;
    return std::bit_ceil(std::max(view.width, view.height));
}

} // namespace

bool PriorityQueues::push(DeviceTask& task)
{
    auto& tasks = queue(task);
    if (tasks.size() >= limits_[static_cast<std::size_t>(task.request.priority)]) return false;
    tasks.push_back(std::move(task));
    return true;
}

void PriorityQueues::push_unbounded(DeviceTask& task)
{
    auto& tasks = queue(task);
    if (task.losses > 0)
        tasks.push_front(std::move(task));
    else
        tasks.push_back(std::move(task));
}

bool PriorityQueues::next_is_joinable() const
{
    const auto queue = std::ranges::find_if(queues_, [](const auto& tasks) { return !tasks.empty(); });
    return queue != queues_.end() && may_be_joined(queue->front());
}

std::vector<DeviceTask> PriorityQueues::take(std::size_t max_frames)
{
    const auto queue = std::ranges::find_if(queues_, [](const auto& tasks) { return !tasks.empty(); });
    std::vector<DeviceTask> batch;
    if (queue == queues_.end()) return batch;
    batch.push_back(std::move(queue->front()));
    queue->pop_front();
    if (!may_be_joined(batch.front())) return batch;
    const auto batch_class = size_class(batch.front());
    for (auto task = queue->begin(); task != queue->end() && batch.size() < max_frames;) {
        if (may_be_joined(*task) && size_class(*task) == batch_class) {
            batch.push_back(std::move(*task));
            task = queue->erase(task);
        } else {
            ++task;
        }
    }
    return batch;
}

} // namespace vitrine::server
