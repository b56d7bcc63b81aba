#pragma once
// The state of a RenderThread. Private to render_thread.cpp (tasks) and render_thread_device.cpp (device).

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "server/services/rendering/adaptive_batch_size.hpp"
#include "server/services/rendering/priority_queues.hpp"
#include "server/services/rendering/render_thread.hpp"

namespace vitrine::server {

struct RenderThread::State {
    State(std::size_t index_, MakeRenderDevice make, const RenderLimits& limits_, Metrics& metrics_,
          Scheduler& scheduler_)
        : index(index_), make_device(std::move(make)), scheduler(scheduler_), losses_allowed(limits_.losses),
          retry_interval(limits_.retry_interval), batch_budget{interactive_budget}, metrics(metrics_),
          of_device(metrics_.device(index_)), waiting(limits_)
    {
        batch_budget.time = limits_.batch_time;
    }

    void run(); // on the thread
    // Handling of tasks.
    std::vector<DeviceTask> next();
    void run_tasks(std::vector<DeviceTask> tasks);
    bool admit(DeviceTask& task);
    void render_frames(std::span<const DeviceTask> frame_tasks);
    void failed(std::vector<DeviceTask> tasks, std::exception_ptr error);
    void lost_with(DeviceTask task, const std::exception_ptr& error);
    void finish(DeviceTask& task, std::exception_ptr error);
    // Life of the device.
    bool may_try() const;
    bool ensure_device();
    void announce_device();
    void measure_memory();
    void lose_device(const std::exception& lost);

    // The members below are used only by the render thread.
    const std::size_t index;
    MakeRenderDevice make_device;
    std::unique_ptr<RenderDevice> device;
    std::string device_failure;
    std::chrono::steady_clock::time_point device_tried{}, memory_measured{};
    AdaptiveBatchSize batch_size;
    Scheduler& scheduler;

    const std::size_t losses_allowed;
    const std::chrono::milliseconds retry_interval;
    BatchBudget batch_budget;
    Metrics& metrics;
    DeviceMetrics of_device;

    std::atomic<bool> is_available = true; // read by any thread; true while the first device is created
    mutable std::mutex mutex; // guards the members below
    std::condition_variable changed;
    PriorityQueues waiting;
    bool stopping = false;
    DeviceHealth health;
    std::thread thread;
};

} // namespace vitrine::server
