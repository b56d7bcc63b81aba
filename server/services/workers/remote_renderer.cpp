#include "server/services/workers/remote_renderer.hpp"

#include <algorithm>
#include <string_view>

#include <spdlog/spdlog.h>

#include "loaders/base/stop.hpp"

namespace vitrine::server {
namespace {

constexpr std::chrono::milliseconds stop_interval{50};

std::unexpected<ServiceError> no_worker_error()
{
    return make_error(Errc::unavailable, "no_worker",
                      "No worker runs that could draw this image; try again later.", 5);
}

bool has_room_for_draws(const api::Worker& worker)
{
    return worker.draw_slots > 0;
}

} // namespace

class RemoteRenderer::WaiterEntry {
public:
    WaiterEntry(RemoteRenderer& drawing, const std::string& id) : drawing_(drawing)
    {
        const std::lock_guard lock(drawing_.mutex_);
        if (drawing_.waiters_.size() >= drawing_.limits_.max_waiting) return;
        place_ = drawing_.waiters_.insert(drawing_.waiters_.end(), {.id = id});
        waiter = &*place_;
    }
    ~WaiterEntry()
    {
        const std::lock_guard lock(drawing_.mutex_);
        if (waiter != nullptr) drawing_.waiters_.erase(place_);
    }
    WaiterEntry(const WaiterEntry&) = delete;
    WaiterEntry& operator=(const WaiterEntry&) = delete;

    Waiter* waiter = nullptr; // null: too many wait

private:
    RemoteRenderer& drawing_;
    std::list<Waiter>::iterator place_;
};

RemoteRenderer::RemoteRenderer(RenderQueue& queue, WorkerDirectory& workers, Signals& signals,
                               const RemoteRendererLimits& limits)
    : queue_(queue), workers_(workers), limits_(limits),
      subscription_(signals.subscribe(render_done_topic, [this](std::string_view id) { on_signal(id); }))
{
}

void RemoteRenderer::on_signal(std::string_view id)
{
    {
        const std::lock_guard lock(mutex_);
        for (auto& waiter : waiters_)
            if (id.empty() || waiter.id == id) waiter.woken = true;
    }
    woken_.notify_all();
}

bool RemoteRenderer::has_worker()
{
    return std::ranges::any_of(workers_.live_workers(), has_room_for_draws);
}

// At most RemoteRendererLimits::poll.
void RemoteRenderer::wait_for_signal(Waiter& waiter)
{
    const auto end = Clock::now() + limits_.poll;
    std::unique_lock lock(mutex_);
    while (!waiter.woken && Clock::now() < end) {
        woken_.wait_for(lock, stop_interval, [&] { return waiter.woken; });
        check_stop();
    }
    waiter.woken = false;
}

Result<RemoteRenderResult> RemoteRenderer::wait(const RemoteRender& render, Waiter& waiter)
{
    const auto end = Clock::now() + limits_.deadline;
    auto kept = Clock::now(), seen_worker = Clock::now();
    for (;;) {
        if (auto outcome = queue_.find_outcome(render.id)) return std::move(*outcome);
        const auto now = Clock::now();
        if (now >= end)
            return make_error(Errc::unavailable, "not_drawn",
                              "No worker has drawn the image in time; try again later.", 5);
        if (has_worker())
            seen_worker = now;
        else if (now - seen_worker > limits_.no_worker)
            return no_worker_error();
        if (now - kept >= limits_.keep) {
            kept = now;
            if (!queue_.keep(render.id))
                if (auto asked = queue_.ask(render); !asked) return std::unexpected(asked.error());
        }
        wait_for_signal(waiter);
    }
}

// A client that has left lets the drawing end early.
Result<RemoteRenderResult> RemoteRenderer::wait_or_leave(const RemoteRender& render, Waiter& waiter)
{
    try {
        return wait(render, waiter);
    } catch (const Stopped&) {
        try {
            queue_.leave(render.id);
        } catch (const std::exception& error) { // it ends a few seconds later
            spdlog::debug("msg=\"image not left\" error={:?}", std::string_view(error.what()));
        }
        throw;
    }
}

Result<RemoteRenderResult> RemoteRenderer::draw(RemoteRender render, const std::string& content_hash)
{
    const WaiterEntry entry(*this, render.id);
    if (entry.waiter == nullptr)
        return make_error(Errc::busy, "render_queue_full",
                          "Too many images are being waited for; try again later.", 2);
    const auto live = workers_.live_workers();
    if (std::ranges::none_of(live, has_room_for_draws)) return no_worker_error();
    if (const auto* const worker = choose_worker(content_hash, live, WorkerUse::draw))
        render.preferred = worker->id;
    if (auto asked = queue_.ask(render); !asked) return std::unexpected(asked.error());
    auto outcome = wait_or_leave(render, *entry.waiter);
    if (outcome && outcome->status == 200 && outcome->etag != render.etag)
        return make_error(Errc::unavailable, drawn_otherwise,
                          "The worker has drawn another version of this image; try again later.", 2);
    return outcome;
}

} // namespace vitrine::server
