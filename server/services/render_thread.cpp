#include "server/services/render_thread.hpp"

#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include <spdlog/spdlog.h>

namespace vitrine::server {

using Clock = std::chrono::steady_clock;

struct RenderThread::State {
    struct Task {
        std::function<void(RenderDevice&)> work;
        std::move_only_function<void(std::exception_ptr)> done;
        RenderPriority priority = RenderPriority::batch;
    };

    State(MakeRenderDevice make, const RenderLimits& limits_, Metrics& metrics_)
        : make_device(std::move(make)), limits{limits_.interactive, limits_.picture, limits_.batch},
          metrics(metrics_)
    {
    }

    void run();
    std::optional<Task> next();
    std::exception_ptr attempt(const std::function<void(RenderDevice&)>& work);
    bool ensure_device();
    void count(const Task& task, Clock::time_point started);
    std::size_t waiting_locked() const;

    // The render thread's own.
    MakeRenderDevice make_device;
    std::unique_ptr<RenderDevice> device;
    std::string device_failure;
    Clock::time_point device_tried{};

    const std::array<std::size_t, 3> limits;
    Metrics& metrics;
    mutable std::mutex mutex; // guards what follows
    std::condition_variable changed;
    mutable std::condition_variable device_known;
    std::array<std::deque<Task>, 3> queues; // by priority
    bool stopping = false;
    bool device_tried_once = false;
    std::optional<render::DeviceInfo> info;
    std::thread thread;
};

std::size_t RenderThread::State::waiting_locked() const
{
    return queues[0].size() + queues[1].size() + queues[2].size();
}

// Makes the device when there is none. After a failure again at the earliest a few seconds later, so that a
// machine without a driver does not spend its time on trying.
bool RenderThread::State::ensure_device()
{
    if (device) return true;
    if (!device_failure.empty() && Clock::now() - device_tried < std::chrono::seconds(5)) return false;
    device_tried = Clock::now();
    device_failure.clear();
    try {
        device = make_device();
    } catch (const std::exception& error) {
        device_failure = error.what();
        spdlog::error("msg=\"no render device\" failure={:?}", device_failure);
    }
    std::lock_guard lock(mutex);
    device_tried_once = true;
    info = device ? std::optional(device->info()) : std::nullopt;
    device_known.notify_all();
    return device != nullptr;
}

std::exception_ptr RenderThread::State::attempt(const std::function<void(RenderDevice&)>& work)
{
    std::exception_ptr error;
    for (int tries = 0; tries < 2; ++tries) {
        if (!ensure_device())
            return std::make_exception_ptr(render::RenderError("no device draws: " + device_failure));
        try {
            work(*device);
            return nullptr;
        } catch (const render::DeviceLost& lost) {
            spdlog::error("msg=\"render device lost\" failure={:?}", std::string_view(lost.what()));
            metrics.devices_lost.Increment();
            device.reset();
            error = std::current_exception();
        } catch (...) {
            return std::current_exception();
        }
    }
    return error;
}

std::optional<RenderThread::State::Task> RenderThread::State::next()
{
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return stopping || waiting_locked() > 0; });
    for (auto& queue : queues) {
        if (queue.empty()) continue;
        Task task = std::move(queue.front());
        queue.pop_front();
        metrics.render_queue.Set(static_cast<double>(waiting_locked()));
        return task;
    }
    return std::nullopt;
}

void RenderThread::State::count(const Task& task, Clock::time_point started)
{
    prometheus::Counter* const counters[] = {&metrics.renders_interactive, &metrics.renders_picture,
                                             &metrics.renders_batch};
    counters[static_cast<std::size_t>(task.priority)]->Increment();
    metrics.render_seconds.Observe(std::chrono::duration<double>(Clock::now() - started).count());
}

void RenderThread::State::run()
{
    ensure_device(); // warm before the first request
    while (auto task = next()) {
        const auto started = Clock::now();
        const bool refuse_now = [&] {
            std::lock_guard lock(mutex);
            return stopping;
        }();
        auto error = refuse_now ? std::make_exception_ptr(render::RenderError("the server is stopping"))
                                : attempt(task->work);
        task->work = nullptr; // what it holds must not outlive the answer
        count(*task, started);
        task->done(std::move(error));
    }
    device.reset();
}

RenderThread::RenderThread(MakeRenderDevice make_device, const RenderLimits& limits, Metrics& metrics)
    : state_(std::make_unique<State>(std::move(make_device), limits, metrics))
{
    state_->thread = std::thread([state = state_.get()] { state->run(); });
}

RenderThread::~RenderThread()
{
    stop();
}

Result<void> RenderThread::post(RenderPriority priority, std::function<void(RenderDevice&)> work,
                                std::move_only_function<void(std::exception_ptr)> done)
{
    const auto lane = static_cast<std::size_t>(priority);
    {
        std::lock_guard lock(state_->mutex);
        if (state_->stopping) return refuse(Errc::busy, "stopping", "the server is stopping", 5);
        auto& queue = state_->queues[lane];
        if (queue.size() >= state_->limits[lane]) {
            state_->metrics.renders_refused.Increment();
            return refuse(Errc::busy, "render_queue_full", "too many pictures wait to be drawn", 1);
        }
        queue.push_back({std::move(work), std::move(done), priority});
        state_->metrics.render_queue.Set(static_cast<double>(state_->waiting_locked()));
    }
    state_->changed.notify_one();
    return {};
}

std::optional<render::DeviceInfo> RenderThread::device() const
{
    std::unique_lock lock(state_->mutex);
    state_->device_known.wait(lock, [&] { return state_->device_tried_once; });
    return state_->info;
}

std::size_t RenderThread::waiting() const
{
    std::lock_guard lock(state_->mutex);
    return state_->waiting_locked();
}

void RenderThread::stop()
{
    {
        std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    state_->changed.notify_one();
    if (state_->thread.joinable()) state_->thread.join();
}

} // namespace vitrine::server
