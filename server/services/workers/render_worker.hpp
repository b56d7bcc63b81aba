#pragma once
// Draws what other processes ask for: claims requests of the RenderQueue, the most urgent first, and writes
// the answers. At most half of the slots draw requests that are not urgent. What nobody waits for any more is
// stopped. A request whose worker has ended before is drawn alone, so that its second end shows which model
// is the cause; if it has waited for long, one worker claims nothing else until its others have ended.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "server/services/database/signals.hpp"
#include "server/services/workers/render_queue.hpp"

namespace vitrine::server {

struct RenderWorkerTimes {
    std::chrono::milliseconds poll{1'000}; // of the queue, in case that a signal is lost
    // After a signal for which nothing was found: the request may be another worker's for a moment.
    std::chrono::milliseconds look_again{200};
    std::chrono::milliseconds renew{2'000};         // of leases, and tidying
    std::chrono::milliseconds hand_over_again{500}; // of an answer, after a failure of the database
    // After leases could not be renewed in time: those of others may be late for the same reason.
    std::chrono::milliseconds tidy_again{10'000};
    std::chrono::milliseconds try_device{10'000}; // claims one request without a device, which may be back
    std::chrono::milliseconds reserve{500};       // looks for requests that wait to be drawn alone
};

class RenderWorker {
public:
    // Answers a request on a thread of the worker, several at the same time. Throws Stopped when the work of
    // the thread is stopped; any other exception is the problem `internal`.
    using Answer = std::function<RemoteRenderResult(const std::string& request)>;

    using CanDraw = std::function<bool()>; // whether a device is there; any thread

    // `id`: of the worker in the WorkerDirectory; `slots`: requests at the same time. The others outlive it.
    RenderWorker(RenderQueue& queue, Signals& signals, std::string id, unsigned slots, Answer answer,
                 CanDraw can_draw, const RenderWorkerTimes& times = {});
    ~RenderWorker() { stop(); }
    RenderWorker(const RenderWorker&) = delete;
    RenderWorker& operator=(const RenderWorker&) = delete;

    void start();
    void interrupt(); // claims nothing more and stops what is drawn; does not wait
    void stop();      // interrupt(), waits, and queues again what was not answered

    std::uint32_t running() const;
    std::uint32_t slots() const { return slots_; }

private:
    struct Run {
        RenderClaim claim;
        std::stop_source stop;
    };

    void work();
    void keep_leases();
    void stop_unwanted();
    Run* claim_next();
    void draw(const Run& run);
    RemoteRenderResult answer(const Run& run) const;
    bool hand_over(const RenderClaim& claim, const RemoteRenderResult& outcome);
    bool give_back(const RenderClaim& claim);
    bool wait_to_repeat();
    void on_signal();
    bool may_claim(std::unique_lock<std::mutex>& lock);
    bool reserves(std::unique_lock<std::mutex>& lock);
    std::uint32_t max_priority() const;
    std::optional<RenderClaim> try_claim(bool alone, std::uint32_t max_priority);
    bool wait(std::unique_lock<std::mutex>& lock, std::chrono::milliseconds time, const bool& signaled);

    RenderQueue& queue_;
    const std::string id_;
    const std::uint32_t slots_;
    const Answer answer_;
    const CanDraw can_draw_;
    const RenderWorkerTimes times_;
    std::mutex turn_;          // of the one thread that looks for work
    mutable std::mutex mutex_; // guards the members below
    std::condition_variable changed_;
    std::list<Run> runs_;
    bool renders_alone_ = false;
    bool is_reserving_ = false; // claims nothing until runs_ is empty
    bool signaled_ = false;
    bool stopping_ = false;
    bool released_ = false;     // nothing is drawn any more
    bool claim_failed_ = false; // the last one; reported once
    std::chrono::steady_clock::time_point next_device_try_{}, next_reserve_{};
    std::vector<std::jthread> threads_;
    std::jthread lease_thread_;
    std::unique_ptr<Signals::Subscription> subscription_; // last
};

} // namespace vitrine::server
