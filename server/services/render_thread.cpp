#include "server/services/render_thread.hpp"

#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include <spdlog/spdlog.h>

namespace vitrine::server {

using Clock = std::chrono::steady_clock;

namespace {

constexpr const char* why_quarantined =
    "Drawing this model lost two graphics devices; it is drawn again as a new version or after a restart.";

} // namespace

ModelQuarantined::ModelQuarantined() : DeviceLost(why_quarantined) {}

struct RenderThread::State {
    struct Task {
        std::function<void(RenderDevice&)> work;
        std::move_only_function<void(std::exception_ptr)> done;
        RenderOrder order;
    };

    State(MakeRenderDevice make, const RenderLimits& limits_, Metrics& metrics_,
          std::function<void()> give_up_)
        : make_device(std::move(make)), give_up(std::move(give_up_)),
          limits{limits_.interactive, limits_.picture, limits_.batch}, losses_allowed(limits_.losses),
          metrics(metrics_)
    {
    }

    void run();
    std::optional<Task> next();
    std::exception_ptr attempt(const Task& task);
    bool ensure_device();
    void measure_memory();
    void lose_device(const std::exception& lost);
    void quarantine(const std::string& model);
    bool is_quarantined(const std::string& model) const;
    void count(const Task& task, Clock::time_point started);
    std::size_t waiting_locked() const;

    // The render thread's own.
    MakeRenderDevice make_device;
    std::unique_ptr<RenderDevice> device;
    std::string device_failure;
    Clock::time_point device_tried{}, memory_measured{};
    std::function<void()> give_up;

    const std::array<std::size_t, 3> limits;
    const std::size_t losses_allowed;
    Metrics& metrics;
    mutable std::mutex mutex; // guards what follows
    std::condition_variable changed;
    mutable std::condition_variable device_known;
    std::array<std::deque<Task>, 3> queues; // by priority
    bool stopping = false;
    bool device_tried_once = false;
    std::optional<render::DeviceInfo> info;
    std::set<std::string> quarantined;
    RenderHealth health;
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
    if (losses_allowed > 0 && health.losses >= losses_allowed) return false; // written by this thread alone
    if (!device_failure.empty() && Clock::now() - device_tried < std::chrono::seconds(5)) return false;
    device_tried = Clock::now();
    device_failure.clear();
    try {
        device = make_device();
    } catch (const render::DeviceLost& lost) { // while it was warmed up: it too may have left things behind
        device_failure = lost.what();
        lose_device(lost);
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

// Of the losses allowed this may be the last: then no other device is made.
void RenderThread::State::lose_device(const std::exception& lost)
{
    device.reset();
    metrics.devices_lost.Increment();
    const auto [losses, last] = [&] {
        std::lock_guard lock(mutex);
        const bool reached = ++health.losses == losses_allowed;
        if (reached) health.gave_up = true, info.reset();
        return std::pair(health.losses, reached);
    }();
    spdlog::error("msg=\"render device lost\" losses={} failure={:?}", losses, std::string_view(lost.what()));
    if (!last) return;
    device_failure = "the graphics device was lost too often";
    spdlog::critical("msg=\"nothing is drawn any more: the graphics device was lost too often\" losses={}",
                     losses);
    if (give_up) give_up();
}

void RenderThread::State::quarantine(const std::string& model)
{
    std::lock_guard lock(mutex);
    quarantined.insert(model);
    health.quarantined = quarantined.size();
    metrics.models_quarantined.Set(static_cast<double>(quarantined.size()));
    spdlog::error("msg=\"a model is not drawn any more: it lost two render devices\" model={}", model);
}

bool RenderThread::State::is_quarantined(const std::string& model) const
{
    std::lock_guard lock(mutex);
    return quarantined.contains(model);
}

std::exception_ptr RenderThread::State::attempt(const Task& task)
{
    const auto& model = task.order.model;
    if (is_quarantined(model)) return std::make_exception_ptr(ModelQuarantined());
    std::exception_ptr error;
    for (int tries = 0; tries < 2; ++tries) {
        if (!ensure_device())
            return std::make_exception_ptr(render::RenderError("no device draws: " + device_failure));
        try {
            task.work(*device);
            return nullptr;
        } catch (const render::DeviceLost& lost) {
            error = std::current_exception();
            lose_device(lost);
        } catch (...) {
            return std::current_exception();
        }
    }
    if (model.empty()) return error;
    quarantine(model);
    return std::make_exception_ptr(ModelQuarantined());
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
    counters[static_cast<std::size_t>(task.order.priority)]->Increment();
    metrics.render_seconds.Observe(std::chrono::duration<double>(Clock::now() - started).count());
}

// Asking the driver may cost more than a small picture: at most once a second.
void RenderThread::State::measure_memory()
{
    const auto now = Clock::now();
    if (!device || now - memory_measured < std::chrono::seconds(1)) return;
    memory_measured = now;
    const auto memory = device->memory();
    metrics.device_bytes.Set(static_cast<double>(memory.used));
    metrics.device_budget.Set(static_cast<double>(memory.budget));
    std::lock_guard lock(mutex);
    health.memory = memory;
}

void RenderThread::State::run()
{
    ensure_device(); // warm before the first request
    measure_memory();
    while (auto task = next()) {
        const auto started = Clock::now();
        const bool refuse_now = [&] {
            std::lock_guard lock(mutex);
            return stopping;
        }();
        auto error = refuse_now ? std::make_exception_ptr(render::RenderError("the server is stopping"))
                                : attempt(*task);
        task->work = nullptr; // what it holds must not outlive the answer
        count(*task, started);
        measure_memory();
        task->done(std::move(error));
    }
    device.reset();
}

RenderThread::RenderThread(MakeRenderDevice make_device, const RenderLimits& limits, Metrics& metrics,
                           std::function<void()> give_up)
    : state_(std::make_unique<State>(std::move(make_device), limits, metrics, std::move(give_up)))
{
    state_->thread = std::thread([state = state_.get()] { state->run(); });
}

RenderThread::~RenderThread()
{
    stop();
}

Result<void> RenderThread::post(RenderOrder order, std::function<void(RenderDevice&)> work,
                                std::move_only_function<void(std::exception_ptr)> done)
{
    const auto lane = static_cast<std::size_t>(order.priority);
    {
        std::lock_guard lock(state_->mutex);
        if (state_->stopping) return refuse(Errc::busy, "stopping", "the server is stopping", 5);
        if (state_->quarantined.contains(order.model))
            return refuse(Errc::unprocessable, "render_quarantined", why_quarantined);
        auto& queue = state_->queues[lane];
        if (queue.size() >= state_->limits[lane]) {
            state_->metrics.renders_refused.Increment();
            return refuse(Errc::busy, "render_queue_full", "too many pictures wait to be drawn", 1);
        }
        queue.push_back({std::move(work), std::move(done), std::move(order)});
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

bool RenderThread::quarantined(const std::string& model) const
{
    return state_->is_quarantined(model);
}

RenderHealth RenderThread::health() const
{
    std::lock_guard lock(state_->mutex);
    return state_->health;
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
