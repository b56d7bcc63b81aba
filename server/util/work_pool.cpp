#include "server/util/work_pool.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace vitrine::server {

// Linux has a priority for each thread.
void lower_priority(int niceness)
{
    if (niceness == 0) return;
    const auto thread = static_cast<id_t>(::gettid());
    ::setpriority(PRIO_PROCESS, thread, ::getpriority(PRIO_PROCESS, thread) + niceness);
}

struct WorkPool::State {
    explicit State(std::size_t limit_) : limit(limit_) {}

    void work()
    {
        while (auto task = next())
            task();
    }

    std::move_only_function<void()> next()
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return stopping || !tasks.empty(); });
        if (tasks.empty()) return nullptr;
        auto task = std::move(tasks.front());
        tasks.pop_front();
        return task;
    }

    const std::size_t limit;
    mutable std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::move_only_function<void()>> tasks;
    bool stopping = false;
    std::vector<std::jthread> threads;
};

WorkPool::WorkPool(unsigned threads, std::size_t limit, int niceness) : state_(std::make_unique<State>(limit))
{
    for (unsigned i = 0; i < threads; ++i)
        state_->threads.emplace_back([state = state_.get(), niceness] {
            lower_priority(niceness);
            state->work();
        });
}

WorkPool::~WorkPool()
{
    stop();
}

bool WorkPool::post(std::move_only_function<void()> task)
{
    {
        std::lock_guard lock(state_->mutex);
        if (state_->stopping || state_->tasks.size() >= state_->limit) return false;
        state_->tasks.push_back(std::move(task));
    }
    state_->changed.notify_one();
    return true;
}

void WorkPool::stop()
{
    {
        std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    state_->changed.notify_all();
    state_->threads.clear();
}

} // namespace vitrine::server
