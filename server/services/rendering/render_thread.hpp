#pragma once
// A thread that owns a device. Work comes through bounded queues, interactive before pictures before batch; a
// full queue refuses at once. A lost device is replaced by a fresh one; what it was drawing is repeated once,
// by another device where there is one, so that a broken device is not held against the models. While there
// is no device, what waits goes to the others.

#include <cstddef>
#include <memory>
#include <optional>

#include "server/services/rendering/render_request.hpp"
#include "server/util/error.hpp"
#include "server/util/metrics.hpp"

namespace vitrine::server {

// The other threads, and what is known of the models by all. Called on the render threads, from none of which
// it keeps a lock.
class Scheduler {
public:
    virtual bool alone() const = 0;
    // To another thread that has a device: `task` is moved from; false: there is none.
    virtual bool forward(DeviceTask& task, std::size_t from) = 0;
    virtual bool is_quarantined(const std::string& model) const = 0;
    virtual void quarantine(const std::string& model) = 0;
    // A thread's device was made, or was not, or was given up for good.
    virtual void device_changed() = 0;

protected:
    ~Scheduler() = default;
};

// For whoever watches the server.
struct DeviceHealth {
    std::optional<render::DeviceInfo>
        info;           // of its device, also while a fresh one is made; empty: there is none
    bool tried = false; // to make one
    bool draws = false;
    bool gave_up = false;     // RenderLimits::losses was reached: no other is made
    std::size_t losses = 0;   // since the start
    std::size_t waiting = 0;  // pieces of work
    render::MemoryUse memory; // within the last second of its work
};

class RenderThread {
public:
    // `place`: among its peers, which outlive it. Nothing is done before start().
    RenderThread(std::size_t place, MakeRenderDevice make_device, const RenderLimits& limits,
                 Metrics& metrics, Scheduler& peers);
    ~RenderThread(); // stop()
    RenderThread(const RenderThread&) = delete;
    RenderThread& operator=(const RenderThread&) = delete;

    void start();

    // Any thread. Errors: busy ("render_queue_full", or stopping), with Retry-After.
    Result<void> post(DeviceTask task);
    // The same beyond the limits, before what waits when it lost a device; false: it is stopping, and `task`
    // is as it was.
    bool take_over(DeviceTask& task);
    // Whether work may be given to it: it has a device, or is making its first.
    bool draws() const;
    DeviceHealth health() const;

    // Finishes what is drawn, refuses what waits. Does not wait for that.
    void stop_soon();
    void stop(); // and joins; not from the render thread

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace vitrine::server
