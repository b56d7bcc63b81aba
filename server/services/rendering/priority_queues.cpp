#include "server/services/rendering/priority_queues.hpp"

#include <algorithm>
#include <bit>

namespace vitrine::server {
namespace {

// Array layers have the size of the largest image of a submission.
std::uint32_t size_class(const DeviceTask& task)
{
    const auto& view = task.pending->piece.frame_requests.front().view;
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

// Counted from the last time that the queue had its turn, so that full queues cannot exclude more urgent
// work.
bool PriorityQueues::is_overdue(std::size_t queue, std::chrono::milliseconds longest, TimePoint now) const
{
    return !queues_[queue].empty() && now - std::max(queues_[queue].front().queued, taken_[queue]) >= longest;
}

std::optional<std::size_t> PriorityQueues::next_queue(TimePoint now) const
{
    constexpr std::size_t image = 1, batch = 2;
    if (is_overdue(batch, max_batch_wait, now)) return batch;
    if (is_overdue(image, max_image_wait, now)) return image;
    const auto queue = std::ranges::find_if(queues_, [](const auto& tasks) { return !tasks.empty(); });
    if (queue == queues_.end()) return std::nullopt;
    return static_cast<std::size_t>(queue - queues_.begin());
}

const DeviceTask* PriorityQueues::next(TimePoint now) const
{
    const auto next = next_queue(now);
    return next ? &queues_[*next].front() : nullptr;
}

std::vector<DeviceTask> PriorityQueues::take(std::size_t max_frames, TimePoint now)
{
    const auto next = next_queue(now);
    std::vector<DeviceTask> batch;
    if (!next) return batch;
    auto& queue = queues_[*next];
    taken_[*next] = now;
    batch.push_back(std::move(queue.front()));
    queue.pop_front();
    if (!batch.front().may_be_joined()) return batch;
    const auto batch_class = size_class(batch.front());
    for (auto task = queue.begin(); task != queue.end() && batch.size() < max_frames;) {
        if (task->may_be_joined() && size_class(*task) == batch_class) {
            batch.push_back(std::move(*task));
            task = queue.erase(task);
        } else {
            ++task;
        }
    }
    return batch;
}

std::string trace_of(const std::vector<DeviceTask>& tasks)
{
    const auto& first = tasks.front().request.trace;
    const auto is_other = [&](const DeviceTask& task) { return task.request.trace != first; };
    return std::ranges::any_of(tasks, is_other) ? std::string() : first;
}

} // namespace vitrine::server
