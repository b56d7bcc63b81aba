#pragma once
// A thread that owns a device. Takes work from bounded queues: interactive, then images, then batch; a full
// queue rejects immediately. A lost device is replaced; its work is repeated once, by another device if there
// is one, so that a broken device is not counted against the models. Without a device, queued work is
// forwarded to other threads.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "server/services/rendering/render_request.hpp"
#include "server/util/error.hpp"
#include "server/util/metrics.hpp"

namespace vitrine::server {

// Creates a device, on its render thread, where it is used from then on. Throws if there is none.
using MakeRenderDevice = std::function<std::unique_ptr<RenderDevice>()>;

// The other threads, and the state of models that all threads share. Called on render threads, without a lock
// of the caller held.
class Scheduler {
public:
    virtual bool has_single_device() const = 0;
    // Moves `task` to another thread that has a device; returns false if there is none.
    virtual bool forward(DeviceTask& task, std::size_t from) = 0;
    virtual bool is_quarantined(const std::string& content_hash) const = 0;
    virtual void quarantine(const std::string& content_hash) = 0;
    // A thread has created its device, failed to create it, or disabled it.
    virtual void device_changed() = 0;

protected:
    ~Scheduler() = default;
};

// Health of one device, for monitoring.
struct DeviceHealth {
    std::optional<render::DeviceInfo> info; // kept while the device is replaced; empty: no device
    bool creation_attempted = false;        // creation was attempted
    bool is_available = false;
    bool is_disabled = false; // RenderLimits::max_losses was reached: the device is not created again
    std::size_t losses = 0;   // since the start
    std::size_t waiting = 0;  // number of queued tasks
    render::MemoryUse memory; // at most one second old during work
};

class RenderThread {
public:
    // `index`: among the threads of the scheduler, which outlives it. Idle until start().
    RenderThread(std::size_t index, MakeRenderDevice make_device, const RenderLimits& limits,
                 Metrics& metrics, Scheduler& scheduler);
    ~RenderThread(); // stop()
    RenderThread(const RenderThread&) = delete;
    RenderThread& operator=(const RenderThread&) = delete;

    void start();

    // Any thread. Errors: busy ("render_queue_full", or stopping), with Retry-After.
    Result<void> post(DeviceTask task);
    // As post(), without the limits, and first in the queue if the task lost a device; returns false, leaving
    // `task` unchanged, when the thread is stopping.
    bool take_over(DeviceTask& task);
    // Returns whether it accepts work: it has a device, or is creating its first.
    bool accepts_work() const;
    DeviceHealth health() const;

    // Finishes running work, rejects queued work. Does not wait.
    void stop_soon();
    void stop(); // stops and joins; not from the render thread

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::server
