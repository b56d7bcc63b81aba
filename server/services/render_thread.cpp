#include "server/services/render_thread.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
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
    State(std::size_t place_, MakeRenderDevice make, const RenderLimits& limits_, Metrics& metrics_,
          RenderPeers& peers_)
        : place(place_), make_device(std::move(make)), peers(peers_),
          limits{limits_.interactive, limits_.picture, limits_.batch}, losses_allowed(limits_.losses),
          between_tries(limits_.between_tries), metrics(metrics_), of_device(metrics_.device(place_))
    {
    }

    void run();
    std::optional<DeviceTask> next();
    void handle(DeviceTask task);
    void lost_with(DeviceTask task, const std::exception_ptr& error);
    void finish(DeviceTask& task, std::exception_ptr error);
    bool may_try() const;
    bool ensure_device();
    void announce_device();
    void measure_memory();
    void lose_device(const std::exception& lost);
    std::size_t waiting_locked() const;

    // The render thread's own.
    const std::size_t place;
    MakeRenderDevice make_device;
    std::unique_ptr<RenderDevice> device;
    std::string device_failure;
    Clock::time_point device_tried{}, memory_measured{};
    RenderPeers& peers;

    const std::array<std::size_t, 3> limits;
    const std::size_t losses_allowed;
    const std::chrono::milliseconds between_tries;
    Metrics& metrics;
    DeviceMetrics of_device;
    std::atomic<bool> draws = true;
    mutable std::mutex mutex; // guards what follows
    std::condition_variable changed;
    std::array<std::deque<DeviceTask>, 3> queues; // by priority
    bool stopping = false;
    DeviceHealth health;
    std::thread thread;
};

std::size_t RenderThread::State::waiting_locked() const
{
    return queues[0].size() + queues[1].size() + queues[2].size();
}

bool RenderThread::State::may_try() const
{
    if (losses_allowed > 0 && health.losses >= losses_allowed) return false; // written by this thread alone
    return device_failure.empty() || Clock::now() - device_tried >= between_tries;
}

// Makes the device when there is none.
bool RenderThread::State::ensure_device()
{
    if (device) return true;
    if (!may_try()) return false;
    device_tried = Clock::now();
    const auto known_failure = std::exchange(device_failure, {});
    try {
        device = make_device();
    } catch (const render::DeviceLost& lost) { // while it was warmed up: it too may have left things behind
        device_failure = lost.what();
        lose_device(lost);
    } catch (const std::exception& error) {
        device_failure = error.what();
        if (device_failure != known_failure)
            spdlog::error("msg=\"no render device\" device={} failure={:?}", place, device_failure);
    }
    announce_device();
    return device != nullptr;
}

void RenderThread::State::announce_device()
{
    draws = device != nullptr;
    of_device.draws.Set(device ? 1.0 : 0.0);
    {
        std::lock_guard lock(mutex);
        health.tried = true;
        health.info = device ? std::optional(device->info()) : std::nullopt;
    }
    peers.device_changed();
}

// Of the losses allowed this may be the last: then no other device is made.
void RenderThread::State::lose_device(const std::exception& lost)
{
    device.reset();
    draws = false;
    of_device.draws.Set(0.0);
    of_device.lost.Increment();
    const auto [losses, last] = [&] {
        std::lock_guard lock(mutex);
        health.gave_up = ++health.losses == losses_allowed;
        return std::pair(health.losses, health.gave_up);
    }();
    spdlog::error("msg=\"render device lost\" device={} losses={} failure={:?}", place, losses,
                  std::string_view(lost.what()));
    if (!last) return;
    device_failure = "the graphics device was lost too often";
    spdlog::critical("msg=\"the graphics device was lost too often and is given up\" device={} losses={}",
                     place, losses);
    announce_device();
}

// The answer to a task, whatever it is.
void RenderThread::State::finish(DeviceTask& task, std::exception_ptr error)
{
    task.work = nullptr; // what it holds must not outlive the answer
    task.done(std::move(error));
}

void RenderThread::State::handle(DeviceTask task)
{
    const bool refuse_now = [&] {
        std::lock_guard lock(mutex);
        return stopping;
    }();
    if (refuse_now)
        return finish(task, std::make_exception_ptr(render::RenderError("the server is stopping")));
    if (peers.is_quarantined(task.order.model))
        return finish(task, std::make_exception_ptr(ModelQuarantined()));
    if (!device && peers.pass_on(task, place)) return;
    if (!ensure_device())
        return finish(task,
                      std::make_exception_ptr(render::RenderError("no device draws: " + device_failure)));
    of_device.work.Increment();
    try {
        task.work(*device);
    } catch (const render::DeviceLost& lost) {
        const auto error = std::current_exception();
        lose_device(lost);
        return lost_with(std::move(task), error);
    } catch (...) {
        return finish(task, std::current_exception());
    }
    finish(task, nullptr);
}

void RenderThread::State::lost_with(DeviceTask task, const std::exception_ptr& error)
{
    if (++task.losses < 2) return handle(std::move(task));
    if (task.order.model.empty()) return finish(task, error);
    peers.quarantine(task.order.model);
    finish(task, std::make_exception_ptr(ModelQuarantined()));
}

// Empty: the thread has ended. A lost device is replaced before work comes for it; where that failed and
// other devices draw, none comes, and it is tried again by the clock.
std::optional<DeviceTask> RenderThread::State::next()
{
    std::unique_lock lock(mutex);
    const auto something = [&] { return stopping || waiting_locked() > 0; };
    while (!something()) {
        if (device || health.gave_up || (peers.alone() && !device_failure.empty())) {
            changed.wait(lock, something);
        } else if (!may_try()) {
            changed.wait_until(lock, device_tried + between_tries, something);
        } else {
            lock.unlock();
            ensure_device();
            lock.lock();
        }
    }
    for (auto& queue : queues) {
        if (queue.empty()) continue;
        DeviceTask task = std::move(queue.front());
        queue.pop_front();
        of_device.queue.Set(static_cast<double>(waiting_locked()));
        return task;
    }
    return std::nullopt;
}

// Asking the driver may cost more than a small picture: at most once a second.
void RenderThread::State::measure_memory()
{
    const auto now = Clock::now();
    if (!device || now - memory_measured < std::chrono::seconds(1)) return;
    memory_measured = now;
    const auto memory = device->memory();
    of_device.bytes.Set(static_cast<double>(memory.used));
    of_device.budget.Set(static_cast<double>(memory.budget));
    std::lock_guard lock(mutex);
    health.memory = memory;
}

void RenderThread::State::run()
{
    ensure_device(); // warm before the first request
    measure_memory();
    while (auto task = next()) {
        const auto started = Clock::now();
        prometheus::Counter* const counters[] = {&metrics.renders_interactive, &metrics.renders_picture,
                                                 &metrics.renders_batch};
        counters[static_cast<std::size_t>(task->order.priority)]->Increment();
        handle(std::move(*task));
        metrics.render_seconds.Observe(std::chrono::duration<double>(Clock::now() - started).count());
        measure_memory();
    }
    device.reset();
}

RenderThread::RenderThread(std::size_t place, MakeRenderDevice make_device, const RenderLimits& limits,
                           Metrics& metrics, RenderPeers& peers)
    : state_(std::make_unique<State>(place, std::move(make_device), limits, metrics, peers))
{
}

void RenderThread::start()
{
    state_->thread = std::thread([state = state_.get()] { state->run(); });
}

RenderThread::~RenderThread()
{
    stop();
}

Result<void> RenderThread::post(DeviceTask task)
{
    const auto lane = static_cast<std::size_t>(task.order.priority);
    {
        std::lock_guard lock(state_->mutex);
        if (state_->stopping) return refuse(Errc::busy, "stopping", "the server is stopping", 5);
        auto& queue = state_->queues[lane];
        if (queue.size() >= state_->limits[lane]) {
            state_->metrics.renders_refused.Increment();
            return refuse(Errc::busy, "render_queue_full", "too many pictures wait to be drawn", 1);
        }
        queue.push_back(std::move(task));
        state_->of_device.queue.Set(static_cast<double>(state_->waiting_locked()));
    }
    state_->changed.notify_one();
    return {};
}

bool RenderThread::take_over(DeviceTask& task)
{
    {
        std::lock_guard lock(state_->mutex);
        if (state_->stopping) return false;
        auto& queue = state_->queues[static_cast<std::size_t>(task.order.priority)];
        if (task.losses > 0)
            queue.push_front(std::move(task));
        else
            queue.push_back(std::move(task));
        state_->of_device.queue.Set(static_cast<double>(state_->waiting_locked()));
    }
    state_->changed.notify_one();
    return true;
}

bool RenderThread::draws() const
{
    return state_->draws;
}

DeviceHealth RenderThread::health() const
{
    std::lock_guard lock(state_->mutex);
    auto health = state_->health;
    health.draws = state_->draws && health.info;
    health.waiting = state_->waiting_locked();
    return health;
}

void RenderThread::stop_soon()
{
    {
        std::lock_guard lock(state_->mutex);
        state_->stopping = true;
    }
    state_->changed.notify_one();
}

void RenderThread::stop()
{
    stop_soon();
    if (state_->thread.joinable()) state_->thread.join();
}

} // namespace vitrine::server
