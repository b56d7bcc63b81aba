#include "server/services/workers/render_worker.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <spdlog/spdlog.h>

#include "loaders/base/stop.hpp"
#include "server/services/workers/row_text.hpp"

namespace vitrine::server {

RenderWorker::RenderWorker(RenderQueue& queue, Signals& signals, std::string id, unsigned slots,
                           Answer answer, CanDraw can_draw, const RenderWorkerTimes& times)
    : queue_(queue), id_(std::move(id)), slots_(slots), answer_(std::move(answer)),
      can_draw_(std::move(can_draw)), times_(times),
      subscription_(signals.subscribe(render_queued_topic, [this](std::string_view) { on_signal(); }))
{
}

void RenderWorker::on_signal()
{
    {
        const std::lock_guard lock(mutex_);
        signaled_ = true;
    }
    changed_.notify_all();
}

void RenderWorker::start()
{
    for (std::uint32_t i = 0; i < slots_; ++i)
        threads_.emplace_back([this] { work(); });
    lease_thread_ = std::jthread([this] { keep_leases(); });
}

std::uint32_t RenderWorker::running() const
{
    const std::lock_guard lock(mutex_);
    return static_cast<std::uint32_t>(runs_.size());
}

// Returns false when the worker stops.
bool RenderWorker::wait(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds time,
                        const bool& signaled)
{
    changed_.wait_for(lock, time, [&] { return stopping_ || signaled; });
    return !stopping_;
}

// Without a device other workers draw, but for one request now and then: some devices are only tried when
// there is work.
bool RenderWorker::may_claim(std::unique_lock<std::mutex>& lock)
{
    lock.unlock();
    const bool can_draw = can_draw_();
    lock.lock();
    const auto instant = std::chrono::steady_clock::now();
    if (!can_draw && instant < next_device_try_) return false;
    next_device_try_ = instant + times_.try_device;
    return true;
}

std::optional<RenderClaim> RenderWorker::try_claim(bool alone, std::uint32_t max_priority)
{
    try {
        auto claim = queue_.claim(id_, alone, max_priority);
        claim_failed_ = false;
        return claim;
    } catch (const std::exception& error) {
        if (!std::exchange(claim_failed_, true))
            spdlog::error("msg=\"images cannot be claimed\" error={:?}", std::string_view(error.what()));
        return std::nullopt;
    }
}

// Whether a request waits to be drawn alone, after those that are drawn now.
bool RenderWorker::reserves(std::unique_lock<std::mutex>& lock)
{
    const auto instant = std::chrono::steady_clock::now();
    if (runs_.empty() || (!is_reserving_ && instant < next_reserve_)) return is_reserving_ = false;
    next_reserve_ = instant + times_.reserve;
    lock.unlock();
    bool found = false;
    try {
        found = queue_.reserve(id_);
    } catch (const std::exception&) { // reported by try_claim()
    }
    lock.lock();
    return is_reserving_ = found;
}

// Half of the slots are left to urgent requests, if there are several.
std::uint32_t RenderWorker::max_priority() const
{
    const auto others = std::ranges::count_if(runs_, [](const Run& run) { return run.claim.priority > 0; });
    return others < (slots_ + 1) / 2 ? std::numeric_limits<std::uint32_t>::max() : 0;
}

// Returns the next request, in runs_; null: the worker stops. One thread looks, the others wait for their
// turn.
RenderWorker::Run* RenderWorker::claim_next()
{
    const std::lock_guard turn(turn_);
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return stopping_ || !renders_alone_; });
        if (stopping_) return nullptr;
        const bool was_signaled = std::exchange(signaled_, false);
        if (!may_claim(lock)) {
            if (!wait(lock, times_.poll, stopping_)) return nullptr;
            continue;
        }
        if (reserves(lock)) {
            changed_.wait_for(lock, times_.poll, [&] { return stopping_ || runs_.empty(); });
            continue;
        }
        const bool alone = runs_.empty();
        const auto priority = max_priority();
        lock.unlock();
        auto claim = try_claim(alone, priority);
        lock.lock();
        if (claim) {
            renders_alone_ = claim->is_alone;
            auto& run = runs_.emplace_back(Run{.claim = std::move(*claim), .stop = {}});
            if (stopping_) run.stop.request_stop();
            return &run;
        }
        if (!wait(lock, was_signaled ? times_.look_again : times_.poll, signaled_)) return nullptr;
    }
}

RemoteRenderResult RenderWorker::answer(const Run& run) const
{
    const StopScope scope(run.stop.get_token());
    try {
        return answer_(run.claim.request);
    } catch (const Stopped&) {
        throw;
    } catch (const std::exception& error) {
        spdlog::error("msg=\"image for another process not drawn\" error={:?}",
                      std::string_view(error.what()));
        return problem_outcome(500, "internal",
                               "An internal error occurred; the log of the worker has details.");
    }
}

// Returns false if the database does not answer: the call is repeated, since the answer may have taken long.
bool RenderWorker::hand_over(const RenderClaim& claim, const RemoteRenderResult& outcome)
{
    try {
        if (!queue_.finish(claim, outcome))
            spdlog::warn("msg=\"image drawn too late: another worker has its request\" id={}", claim.id);
        return true;
    } catch (const std::exception& error) {
        spdlog::error("msg=\"image for another process not handed over; trying again\" error={:?}",
                      std::string_view(error.what()));
    }
    return wait_to_repeat();
}

// As hand_over(), of a request that was stopped because nobody waits for it.
bool RenderWorker::give_back(const RenderClaim& claim)
{
    try {
        queue_.give_back(claim);
        return true;
    } catch (const std::exception& error) {
        spdlog::error("msg=\"image not returned to the queue; trying again\" error={:?}",
                      std::string_view(error.what()));
    }
    return wait_to_repeat();
}

// Returns true when the worker stops.
bool RenderWorker::wait_to_repeat()
{
    std::unique_lock lock(mutex_);
    return !wait(lock, times_.hand_over_again, stopping_);
}

void RenderWorker::draw(const Run& run)
{
    try {
        const auto outcome = answer(run);
        while (!hand_over(run.claim, outcome))
            ;
    } catch (const Stopped&) { // when the worker stops, stop() queues it again
        while (!give_back(run.claim))
            ;
    }
}

void RenderWorker::work()
{
    while (auto* const run = claim_next()) {
        draw(*run);
        {
            const std::lock_guard lock(mutex_);
            signaled_ = signaled_ || run->claim.priority > 0; // another one of these may be claimed
            runs_.remove_if([&](const Run& one) { return &one == run; });
            renders_alone_ = false;
        }
        changed_.notify_all();
    }
}

void RenderWorker::stop_unwanted()
{
    const auto unwanted = queue_.renew(id_);
    const std::lock_guard lock(mutex_);
    for (const auto& [id, number] : unwanted)
        for (auto& run : runs_)
            if (run.claim.id == id && run.claim.claim == number) run.stop.request_stop();
}

// Until nothing is drawn any more: a worker that stops in order loses no lease.
void RenderWorker::keep_leases()
{
    using Clock = std::chrono::steady_clock;
    bool failed = false;
    auto renewed = Clock::now(), may_tidy = renewed;
    std::unique_lock lock(mutex_);
    do {
        lock.unlock();
        try {
            stop_unwanted();
            const auto instant = Clock::now();
            if (failed || instant - renewed > 2 * times_.renew) may_tidy = instant + times_.tidy_again;
            renewed = instant;
            failed = false;
            if (instant >= may_tidy) queue_.tidy();
        } catch (const std::exception& error) {
            if (!std::exchange(failed, true))
                spdlog::error("msg=\"leases of images cannot be renewed\" error={:?}",
                              std::string_view(error.what()));
        }
        lock.lock();
    } while (!changed_.wait_for(lock, times_.renew, [&] { return released_; }));
}

void RenderWorker::interrupt()
{
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        for (auto& run : runs_)
            run.stop.request_stop();
    }
    changed_.notify_all();
}

void RenderWorker::stop()
{
    interrupt();
    if (threads_.empty()) return;
    threads_.clear();
    {
        const std::lock_guard lock(mutex_);
        released_ = true;
    }
    changed_.notify_all();
    lease_thread_.join();
    try {
        queue_.release(id_);
    } catch (const std::exception& error) {
        spdlog::warn("msg=\"images not returned to the queue; their leases will expire\" error={:?}",
                     std::string_view(error.what()));
    }
}

} // namespace vitrine::server
