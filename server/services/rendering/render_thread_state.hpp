#pragma once
// The state of a RenderThread. Private to render_thread.cpp (tasks and images in flight),
// render_thread_device.cpp (the device and its losses) and render_thread_watcher.cpp (the second thread).

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
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
        : index(index_), make_device(std::move(make)), scheduler(scheduler_), max_losses(limits_.max_losses),
          retry_interval(limits_.retry_interval), batch_budget{interactive_budget}, metrics(metrics_),
          device_metrics(metrics_.device(index_)), waiting(limits_)
    {
        batch_budget.time = limits_.batch_time;
    }

    using Clock = std::chrono::steady_clock;
    // Images that the device draws while the thread does other work: of stills, or a piece of a sequence.
    struct Batch {
        std::vector<DeviceTask> tasks;
        std::shared_ptr<render::FrameTicket> ticket;
        Clock::time_point submitted;
        std::optional<std::chrono::nanoseconds> expected_time;
    };

    void run(); // on the thread
    // Handling of tasks.
    std::vector<DeviceTask> next();
    bool may_start(Clock::time_point now) const;
    void wait_idle(std::unique_lock<std::mutex>& lock);
    void run_tasks(std::vector<DeviceTask> tasks);
    void start(std::vector<DeviceTask>& tasks);
    bool is_admitted(DeviceTask& task);
    void handle_failure(std::vector<DeviceTask> tasks, std::exception_ptr error);
    void handle_losses(std::vector<DeviceTask> tasks, const render::DeviceLost& loss);
    void handle_loss(DeviceTask task, const std::exception_ptr& error);
    void finish(DeviceTask& task, std::exception_ptr error);
    // Images in flight.
    bool is_live() const;
    bool may_submit(const DeviceTask& next) const;
    BatchBudget next_budget() const;
    void submit_frames(std::vector<DeviceTask>& tasks);
    void draw_piece_singly(DeviceTask& task);
    void collect_oldest();
    void collect_all();
    // Answers the tasks that the device has finished in spite of its loss; returns the others.
    std::vector<DeviceTask> collect_finished();
    void answer(Batch& batch);
    void count_in_flight(const Batch& finished, Clock::time_point end);
    void watch_oldest();
    void watch(); // on the second thread: reports when the watched batch is finished
    std::optional<Clock::time_point> stop_watching();
    // Life of the device.
    bool may_retry_device() const;
    bool ensure_device();
    void announce_device();
    void measure_memory();
    void count_time();
    void lose_device(const std::exception& lost);

    // The members below are used only by the render thread.
    const std::size_t index;
    MakeRenderDevice make_device;
    std::stop_source making; // a stop ends make_device() at its next check_stop(); any thread
    std::unique_ptr<RenderDevice> device;
    std::string device_failure;
    std::chrono::steady_clock::time_point device_tried{}, memory_measured{};
    std::chrono::nanoseconds work_counted{}; // of `device`, in the metric
    AdaptiveBatchSize batch_size;
    std::deque<Batch> in_flight; // oldest first
    Clock::time_point last_interactive{}, counted_until{};
    Clock::time_point in_flight_until{}; // in the metric
    Scheduler& scheduler;

    const std::size_t max_losses;
    const std::chrono::milliseconds retry_interval;
    BatchBudget batch_budget;
    Metrics& metrics;
    DeviceMetrics device_metrics;

    std::atomic<bool> accepts_work = true; // RenderThread::accepts_work(), read by any thread
    mutable std::mutex mutex;              // guards the members below
    std::condition_variable changed;
    PriorityQueues waiting;
    bool stopping = false;
    DeviceHealth health;
    std::shared_ptr<render::FrameTicket> watched; // of the oldest batch in flight, while it is waited for
    bool oldest_is_done = false;                  // the oldest batch in flight can be collected
    Clock::time_point oldest_done{};              // when this was noticed
    bool watcher_stops = false;
    std::condition_variable watch_changed;
    std::thread thread, watcher;
};

} // namespace vitrine::server
