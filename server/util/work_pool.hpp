#pragma once
// Threads that may block: hashing, disk, catalog, blob decode, CPU encode. The waiting queue is bounded; what
// does not fit is refused at once, so that load shows at the edge (503) and not as memory.

#include <cstddef>
#include <functional>
#include <memory>

namespace vitrine::server {

class WorkPool {
public:
    WorkPool(unsigned threads, std::size_t limit);
    ~WorkPool(); // stop()
    WorkPool(const WorkPool&) = delete;
    WorkPool& operator=(const WorkPool&) = delete;

    // False when `limit` tasks wait already or the pool stops; the task is then destroyed unrun. A task must
    // not throw. Any thread.
    bool post(std::move_only_function<void()> task);
    std::size_t waiting() const;
    std::size_t limit() const;
    // Runs what is queued, then joins. Not from a task.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::server
