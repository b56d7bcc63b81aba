#include "server/util/work_pool.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace vitrine::server {

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

WorkPool::WorkPool(unsigned threads, std::size_t limit) : state_(std::make_unique<State>(limit))
{
    for (unsigned i = 0; i < threads; ++i)
        state_->threads.emplace_back([state = state_.get()] { state->work(); });
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
