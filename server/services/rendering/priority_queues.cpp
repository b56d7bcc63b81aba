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

bool PriorityQueues::push(DeviceTask& task, TimePoint now)
{
    auto& tasks = queue(task.request.priority);
    if (tasks.size() >= limits_[static_cast<std::size_t>(task.request.priority)]) return false;
    task.queued = now;
    tasks.push_back(std::move(task));
    return true;
}

void PriorityQueues::push_unbounded(DeviceTask& task, TimePoint now)
{
    auto& tasks = queue(task.request.priority);
    task.queued = now;
    if (task.losses > 0)
        tasks.push_front(std::move(task));
    else
        tasks.push_back(std::move(task));
}

std::optional<std::size_t> PriorityQueues::next_queue(TimePoint now) const
{
    const auto& [interactive, images, batches] = queues_;
    if (!interactive.empty()) return 0;
    const bool is_overdue = !batches.empty() && now - batches.front().queued >= longest_batch_wait;
    if (!images.empty() && !is_overdue) return 1;
    return batches.empty() ? std::nullopt : std::optional<std::size_t>(2);
}

bool PriorityQueues::next_is_joinable(TimePoint now) const
{
    const auto next = next_queue(now);
    return next && may_be_joined(queues_[*next].front());
}

std::vector<DeviceTask> PriorityQueues::take(std::size_t max_frames, TimePoint now)
{
    const auto next = next_queue(now);
    std::vector<DeviceTask> batch;
    if (!next) return batch;
    auto& queue = queues_[*next];
    batch.push_back(std::move(queue.front()));
    queue.pop_front();
    if (!may_be_joined(batch.front())) return batch;
    const auto batch_class = size_class(batch.front());
    for (auto task = queue.begin(); task != queue.end() && batch.size() < max_frames;) {
        if (may_be_joined(*task) && size_class(*task) == batch_class) {
            batch.push_back(std::move(*task));
            task = queue.erase(task);
        } else {
            ++task;
        }
    }
    return batch;
}

} // namespace vitrine::server
