#include "server/services/workers/draw_worker.hpp"

#include <exception>
#include <optional>
#include <string_view>
#include <utility>

#include <spdlog/spdlog.h>

#include "loaders/base/stop.hpp"
#include "server/services/workers/row_text.hpp"

namespace vitrine::server {

DrawWorker::DrawWorker(RenderQueue& queue, Signals& signals, std::string id, unsigned slots, Answer answer,
                       CanDraw can_draw, const DrawWorkerTimes& times)
    : queue_(queue), id_(std::move(id)), slots_(slots), answer_(std::move(answer)),
      can_draw_(std::move(can_draw)), times_(times),
      subscription_(signals.subscribe(draws_topic, [this](std::string_view) { on_signal(); }))
{
}

void DrawWorker::on_signal()
{
    {
        const std::lock_guard lock(mutex_);
        signaled_ = true;
    }
    changed_.notify_all();
}

void DrawWorker::start()
{
    for (std::uint32_t i = 0; i < slots_; ++i)
        threads_.emplace_back([this] { work(); });
    lease_thread_ = std::jthread([this] { keep_leases(); });
}

std::uint32_t DrawWorker::running() const
{
    const std::lock_guard lock(mutex_);
    return running_;
}

// Returns false when the worker stops.
bool DrawWorker::wait(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds time,
                      const bool& signaled)
{
    changed_.wait_for(lock, time, [&] { return stopping_ || signaled; });
    return !stopping_;
}

// Without a device other workers draw, but for one request now and then: some devices are only tried when
// there is work.
bool DrawWorker::may_claim(std::unique_lock<std::mutex>& lock)
{
    lock.unlock();
    const bool can_draw = can_draw_();
    lock.lock();
    const auto instant = std::chrono::steady_clock::now();
    if (!can_draw && instant < next_device_try_) return false;
    next_device_try_ = instant + times_.try_device;
    return true;
}

std::optional<DrawClaim> DrawWorker::try_claim(bool alone)
{
    try {
        auto claim = queue_.claim(id_, alone);
        claim_failed_ = false;
        return claim;
    } catch (const std::exception& error) {
        if (!std::exchange(claim_failed_, true))
            spdlog::error("msg=\"images cannot be claimed\" error={:?}", std::string_view(error.what()));
        return std::nullopt;
    }
}

// Returns the next request; empty: the worker stops. One thread looks, the others wait for their turn.
std::optional<DrawClaim> DrawWorker::claim_next()
{
    const std::lock_guard turn(turn_);
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return stopping_ || !draws_alone_; });
        if (stopping_) return std::nullopt;
        const bool was_signaled = std::exchange(signaled_, false);
        if (!may_claim(lock)) {
            if (!wait(lock, times_.poll, stopping_)) return std::nullopt;
            continue;
        }
        const bool alone = running_ == 0;
        lock.unlock();
        const auto claim = try_claim(alone);
        lock.lock();
        if (claim) {
            ++running_;
            draws_alone_ = claim->is_alone;
            return claim;
        }
        if (!wait(lock, was_signaled ? times_.look_again : times_.poll, signaled_)) return std::nullopt;
    }
}

DrawOutcome DrawWorker::answer(const std::string& request) const
{
    const StopScope scope(stop_.get_token());
    try {
        return answer_(request);
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
bool DrawWorker::hand_over(const DrawClaim& claim, const DrawOutcome& outcome)
{
    try {
        if (!queue_.finish(claim, outcome))
            spdlog::warn("msg=\"image drawn too late: another worker has its request\" id={}", claim.id);
        return true;
    } catch (const std::exception& error) {
        spdlog::error("msg=\"image for another process not handed over; trying again\" error={:?}",
                      std::string_view(error.what()));
    }
    std::unique_lock lock(mutex_);
    return !wait(lock, times_.hand_over_again, stopping_);
}

void DrawWorker::draw(const DrawClaim& claim)
{
    try {
        const auto outcome = answer(claim.request);
        while (!hand_over(claim, outcome))
            ;
    } catch (const Stopped&) { // queued again by stop()
    }
}

void DrawWorker::work()
{
    while (const auto claim = claim_next()) {
        draw(*claim);
        {
            const std::lock_guard lock(mutex_);
            --running_;
            draws_alone_ = false;
        }
        changed_.notify_all();
    }
}

// Until nothing is drawn any more: a worker that stops in order loses no lease.
void DrawWorker::keep_leases()
{
    using Clock = std::chrono::steady_clock;
    bool failed = false;
    auto renewed = Clock::now(), may_tidy = renewed;
    std::unique_lock lock(mutex_);
    do {
        lock.unlock();
        try {
            queue_.renew(id_);
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

void DrawWorker::interrupt()
{
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    stop_.request_stop();
    changed_.notify_all();
}

void DrawWorker::stop()
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
