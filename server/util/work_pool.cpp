#include "server/util/work_pool.hpp"

#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include <semaphore.h>
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

// A semaphore wakes the threads: notifying a condition variable waits for threads that were woken before and
// have not run yet, which takes long if their priority is low. The mutex is held for a move of a task.
struct WorkPool::State {
    explicit State(std::size_t limit_) : limit(limit_) { ::sem_init(&available, 0, 0); }
    ~State() { ::sem_destroy(&available); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void work()
    {
        while (auto task = next())
            task();
    }

    std::move_only_function<void()> next()
    {
        while (::sem_wait(&available) != 0) { // a signal
        }
        const std::lock_guard lock(mutex);
        if (tasks.empty()) return nullptr; // stopping
        auto task = std::move(tasks.front());
        tasks.pop_front();
        return task;
    }

    const std::size_t limit;
    sem_t available{}; // once for each task, and once for each thread that is to end
    std::mutex mutex;
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
        const std::lock_guard lock(state_->mutex);
        if (state_->stopping || state_->tasks.size() >= state_->limit) return false;
        state_->tasks.push_back(std::move(task));
    }
    ::sem_post(&state_->available);
    return true;
}

void WorkPool::stop()
{
    {
        const std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    for (std::size_t i = 0; i < state_->threads.size(); ++i)
        ::sem_post(&state_->available);
    state_->threads.clear();
}

} // namespace vitrine::server
