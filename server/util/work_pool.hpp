#pragma once
// Threads for blocking work: hashing, disk, catalog, blob decoding, CPU encoding. The queue is bounded and
// rejects further tasks immediately, so that overload is answered with 503 and does not consume memory.

#include <cstddef>
#include <functional>
#include <memory>

namespace vitrine::server {

// Adds `niceness` (0 to 19) to that of the calling thread and of processes that it starts: with more, threads
// yield the processor to others. Without the permission nothing changes.
void lower_priority(int niceness);

class WorkPool {
public:
    // `niceness`: see lower_priority().
    WorkPool(unsigned threads, std::size_t limit, int niceness = 0);
    ~WorkPool(); // stop()
    WorkPool(const WorkPool&) = delete;
    WorkPool& operator=(const WorkPool&) = delete;

    // Returns false when `limit` tasks are queued or the pool stops; the task is destroyed without running
    // then. A task must not throw. Any thread.
    bool post(std::move_only_function<void()> task);
    // Runs queued tasks, then joins. Not from a task.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::server
