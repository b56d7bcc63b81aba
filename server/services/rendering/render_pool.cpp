#include "server/services/rendering/render_pool.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <utility>

#include <spdlog/spdlog.h>

#include "server/services/rendering/device_affinity.hpp"
#include "server/services/storage/scene_changes.hpp"

namespace vitrine::server {
namespace {

using Clock = std::chrono::steady_clock;

// Time after a request for an image during which its client is assumed to wait for more.
constexpr std::chrono::seconds interactive_timeout{5};

struct RecentRequest {
    Clock::time_point last_time{};
    Clock::time_point last_time_of_other_model{}; // than `model`
    std::string content_hash;                     // of the last request
};

} // namespace

struct RenderPool::State final : Scheduler {
    State(Metrics& metrics_, std::function<void()> on_all_devices_disabled_)
        : metrics(metrics_), on_all_devices_disabled(std::move(on_all_devices_disabled_))
    {
    }

    bool has_single_device() const override { return threads.size() == 1; }
    bool forward(DeviceTask& task, std::size_t from) override;
    bool is_quarantined(const std::string& content_hash) const override;
    void quarantine(const std::string& content_hash) override;
    void device_changed() override;

    Result<void> post_to_device(DeviceTask task);
    template <class Value>
    Result<std::future<Value>> post_frames(RenderRequest request, PendingFrames frames,
                                           Value (*result)(PendingFrames&));
    void record_request(const RenderRequest& request);
    bool has_interactive_demand(const RenderRequest& request) const;
    RenderThread& thread_of(const std::string& content_hash) const;
    std::vector<std::size_t> accepting_threads() const;

    Metrics& metrics;
    std::function<void()> on_all_devices_disabled;
    // Complete before the first thread starts, and unchanged until the last has ended.
    std::vector<std::unique_ptr<RenderThread>> threads;
    mutable std::mutex mutex; // guards the members below
    mutable std::condition_variable device_known;
    std::array<RecentRequest, 3> recent_requests; // by RenderPriority
    std::set<std::string> quarantined;
    std::set<std::string> others_quarantined;
    bool is_disabled = false;

    std::mutex listener_mutex; // held while the listener runs; guards it
    std::function<void(const std::string& group)> quarantine_listener;
};

std::vector<std::size_t> RenderPool::State::accepting_threads() const
{
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < threads.size(); ++i)
        if (threads[i]->accepts_work()) indices.push_back(i);
    return indices;
}

// If no device is available, returns a thread that reports the reason.
RenderThread& RenderPool::State::thread_of(const std::string& content_hash) const
{
    const auto indices = accepting_threads();
    return *threads[indices.empty() ? 0 : select_device(content_hash, indices)];
}

Result<void> RenderPool::State::post_to_device(DeviceTask task)
{
    if (threads.empty())
        return make_error(Errc::unavailable, "no_device", "This server process has no device.", 5);
    if (is_quarantined(task.request.content_hash))
        return make_error(Errc::unprocessable, "render_quarantined", ModelQuarantined().what());
    record_request(task.request);
    auto& thread = thread_of(task.request.content_hash);
    return thread.post(std::move(task));
}

void RenderPool::State::record_request(const RenderRequest& request)
{
    std::lock_guard lock(mutex);
    auto& recent = recent_requests[static_cast<std::size_t>(request.priority)];
    if (recent.content_hash != request.content_hash)
        recent.last_time_of_other_model = std::exchange(recent.last_time, {});
    recent.last_time = Clock::now();
    recent.content_hash = request.content_hash;
}

bool RenderPool::State::has_interactive_demand(const RenderRequest& request) const
{
    std::lock_guard lock(mutex);
    const auto& live = recent_requests[static_cast<std::size_t>(RenderPriority::interactive)];
    const auto& images = recent_requests[static_cast<std::size_t>(RenderPriority::image)];
    const auto of_others =
        images.content_hash == request.content_hash ? images.last_time_of_other_model : images.last_time;
    return std::max(live.last_time, of_others) > Clock::now() - interactive_timeout;
}

bool RenderPool::State::forward(DeviceTask& task, std::size_t from)
{
    auto indices = accepting_threads();
    std::erase(indices, from);
    return !indices.empty() && threads[select_device(task.request.content_hash, indices)]->take_over(task);
}

bool RenderPool::State::is_quarantined(const std::string& content_hash) const
{
    const std::string group(quarantine_group(content_hash));
    std::lock_guard lock(mutex);
    return quarantined.contains(group) || others_quarantined.contains(group);
}

void RenderPool::State::quarantine(const std::string& content_hash)
{
    const std::string group(quarantine_group(content_hash));
    {
        std::lock_guard lock(mutex);
        quarantined.insert(group);
        metrics.models_quarantined.Set(static_cast<double>(quarantined.size()));
    }
    spdlog::error("msg=\"model quarantined after the loss of two render devices\" model={}", content_hash);
    std::lock_guard lock(listener_mutex);
    if (quarantine_listener) quarantine_listener(group);
}

void RenderPool::State::device_changed()
{
    const bool last = [&] {
        std::lock_guard lock(mutex);
        const bool all = std::ranges::all_of(threads, [](const auto& t) { return t->health().is_disabled; });
        return all && !std::exchange(is_disabled, true);
    }();
    device_known.notify_all();
    if (last && on_all_devices_disabled) on_all_devices_disabled();
}

RenderPool::RenderPool(std::vector<MakeRenderDevice> devices, const RenderLimits& limits, Metrics& metrics,
                       std::function<void()> on_all_devices_disabled)
    : state_(std::make_unique<State>(metrics, std::move(on_all_devices_disabled)))
{
    auto& threads = state_->threads;
    for (auto& make : devices)
        threads.push_back(
            std::make_unique<RenderThread>(threads.size(), std::move(make), limits, metrics, *state_));
    for (auto& thread : threads)
        thread->start();
}

RenderPool::~RenderPool()
{
    stop();
}

Result<void> RenderPool::post(RenderRequest request, std::function<void(RenderDevice&)> work,
                              std::move_only_function<void(std::exception_ptr)> done)
{
    return state_->post_to_device(
        {.request = std::move(request), .work = std::move(work), .pending = {}, .done = std::move(done)});
}

// `result`: of the finished images.
template <class Value>
Result<std::future<Value>> RenderPool::State::post_frames(RenderRequest request, PendingFrames frames,
                                                          Value (*result)(PendingFrames&))
{
    auto pending = std::make_shared<PendingFrames>(std::move(frames));
    std::promise<Value> promise;
    auto future = promise.get_future();
    auto done = [pending, result, promise = std::move(promise)](std::exception_ptr error) mutable {
        if (error) return promise.set_exception(std::move(error)); // releases the last reference to the error
        promise.set_value(result(*pending));
    };
    auto posted = post_to_device(
        {.request = std::move(request), .work = {}, .pending = std::move(pending), .done = std::move(done)});
    if (!posted) return std::unexpected(posted.error());
    return future;
}

Result<std::future<render::Frame>> RenderPool::request_frame(RenderRequest request,
                                                             render::FrameRequest frame_request)
{
    PendingFrames still;
    still.piece.frame_requests.push_back(std::move(frame_request));
    return state_->post_frames<render::Frame>(
        std::move(request), std::move(still),
        [](PendingFrames& pending) { return std::move(pending.frames.front()); });
}

Result<std::future<PendingFrames>> RenderPool::request_piece(RenderRequest request,
                                                             std::shared_ptr<FrameSource> source)
{
    return state_->post_frames<PendingFrames>(std::move(request),
                                              {.piece = {}, .source = std::move(source), .frames = {}},
                                              [](PendingFrames& pending) { return std::move(pending); });
}

std::optional<render::DeviceInfo> RenderPool::device(const std::string& content_hash) const
{
    const auto& threads = state_->threads;
    if (threads.empty()) return std::nullopt;
    const auto has_device = [](const auto& thread) { return thread->health().info.has_value(); };
    {
        std::unique_lock lock(state_->mutex);
        state_->device_known.wait(lock, [&] {
            return std::ranges::any_of(threads, has_device) ||
                   std::ranges::all_of(threads, [](const auto& t) { return t->health().creation_attempted; });
        });
    }
    if (auto info = state_->thread_of(content_hash).health().info) return info;
    const auto other = std::ranges::find_if(threads, has_device);
    return other != threads.end() ? (*other)->health().info : std::nullopt;
}

bool RenderPool::draws() const
{
    return !state_->threads.empty();
}

std::vector<std::string> RenderPool::quarantined_groups() const
{
    std::lock_guard lock(state_->mutex);
    return {state_->quarantined.begin(), state_->quarantined.end()};
}

void RenderPool::on_quarantined(std::function<void(const std::string& group)> listener)
{
    std::lock_guard lock(state_->listener_mutex);
    state_->quarantine_listener = std::move(listener);
}

void RenderPool::set_others_quarantined(std::vector<std::string> groups)
{
    std::set<std::string> others(std::make_move_iterator(groups.begin()),
                                 std::make_move_iterator(groups.end()));
    std::lock_guard lock(state_->mutex);
    state_->others_quarantined = std::move(others);
}

void RenderPool::lift_quarantine(const std::string& group)
{
    const auto holds = [&](const std::string& quarantined) { return has_member(quarantined, group); };
    std::lock_guard lock(state_->mutex);
    std::erase_if(state_->quarantined, holds);
    std::erase_if(state_->others_quarantined, holds);
    state_->metrics.models_quarantined.Set(static_cast<double>(state_->quarantined.size()));
}

bool RenderPool::quarantined(const std::string& content_hash) const
{
    return state_->is_quarantined(content_hash);
}

bool RenderPool::has_interactive_demand(const RenderRequest& request) const
{
    return state_->has_interactive_demand(request);
}

RenderHealth RenderPool::health() const
{
    RenderHealth all;
    for (const auto& thread : state_->threads) {
        auto device = thread->health();
        all.losses += device.losses;
        all.memory.used += device.memory.used;
        all.memory.budget += device.memory.budget;
        all.devices.push_back(std::move(device));
    }
    std::lock_guard lock(state_->mutex);
    all.quarantined = state_->quarantined.size();
    all.is_disabled = state_->is_disabled;
    return all;
}

void RenderPool::stop()
{
    for (const auto& thread : state_->threads)
        thread->stop_soon();
    for (const auto& thread : state_->threads)
        thread->stop();
}

} // namespace vitrine::server
