#pragma once
// Waits for images that workers draw, on a process without a device. Any thread that may block.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "server/services/database/signals.hpp"
#include "server/services/workers/render_queue.hpp"
#include "server/services/workers/worker_directory.hpp"

namespace vitrine::server {

// Code of the error that a worker has drawn something else.
inline constexpr const char* drawn_otherwise = "drawn_otherwise";

struct RemoteRendererLimits {
    std::chrono::milliseconds deadline{50'000}; // of one image
    std::chrono::milliseconds no_worker{8'000}; // waits without any live worker, before it gives up
    std::chrono::milliseconds poll{500};        // of the queue, in case that a signal is lost
    std::chrono::milliseconds keep{2'000};      // between RenderQueue::keep()
    std::size_t max_waiting = 512;              // requests of this process
};

class RemoteRenderer {
public:
    // All outlive the object.
    RemoteRenderer(RenderQueue& queue, WorkerDirectory& workers, Signals& signals,
                   const RemoteRendererLimits& limits = {});

    // Queues the image, preferably for the worker of the model, and returns the answer of the worker that has
    // drawn it, with the entity tag of the request if its status is 200. Errors: unavailable ("no_worker";
    // "not_drawn": the deadline is over; drawn_otherwise: the worker is of another version, or the asset has
    // changed), and those of RenderQueue::ask(). Throws Stopped when
    // the work of this thread is stopped, and StorageError.
    Result<RemoteRenderResult> draw(RemoteRender render, const std::string& content_hash);

private:
    using Clock = std::chrono::steady_clock;
    struct Waiter {
        std::string id;
        bool woken = false;
    };
    class WaiterEntry; // of a waiter, in waiters_

    bool has_worker();
    Result<RemoteRenderResult> wait(const RemoteRender& render, Waiter& waiter);
    Result<RemoteRenderResult> wait_or_leave(const RemoteRender& render, Waiter& waiter);
    void wait_for_signal(Waiter& waiter);
    void on_signal(std::string_view id);

    RenderQueue& queue_;
    WorkerDirectory& workers_;
    const RemoteRendererLimits limits_;
    std::mutex mutex_; // guards waiters_
    std::condition_variable woken_;
    std::list<Waiter> waiters_;
    std::unique_ptr<Signals::Subscription> subscription_; // last
};

} // namespace vitrine::server
