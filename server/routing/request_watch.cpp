#include "server/routing/request_watch.hpp"

#include <fmt/format.h>
#include <prometheus/counter.h>

#include "loaders/base/stop.hpp"
#include "server/net/connection.hpp"
#include "server/routing/problems.hpp"

namespace vitrine::server {
namespace {

constexpr std::chrono::milliseconds watch_interval{100};
// After the end of a peer's stream. Nearly all have closed their socket then.
constexpr std::chrono::milliseconds end_patience{200};

prometheus::Family<prometheus::Counter>& stopped_requests(prometheus::Registry& registry)
{
    return prometheus::BuildCounter()
        .Name("vitrine_requests_stopped_total")
        .Help("Requests whose work was ended, by reason")
        .Register(registry);
}

} // namespace

RequestWatch::RequestWatch(std::chrono::milliseconds limit, prometheus::Registry& registry)
    : limit_(limit), timed_out_(stopped_requests(registry).Add({{"reason", "time"}})),
      abandoned_(stopped_requests(registry).Add({{"reason", "client"}})),
      thread_([this](const std::stop_token& stop) { run(stop); })
{
}

void RequestWatch::run(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [&] { return !works_.empty(); }) && !stop.stop_requested()) {
        const auto now = Clock::now();
        for (auto* work : works_)
            work->check(now);
        changed_.wait_for(lock, stop, watch_interval, [] { return false; });
    }
}

RequestWatch::Work::Work(RequestWatch& watch, std::shared_ptr<const PeerSocket> peer)
    : watch_(watch), peer_(std::move(peer)), end_(Clock::now() + watch.limit_)
{
    {
        const std::lock_guard lock(watch_.mutex_);
        place_ = watch_.works_.insert(watch_.works_.end(), this);
    }
    watch_.changed_.notify_one();
}

RequestWatch::Work::~Work()
{
    const std::lock_guard lock(watch_.mutex_);
    watch_.works_.erase(place_);
}

// With the mutex held.
void RequestWatch::Work::check(Clock::time_point now)
{
    if (stop_.stop_requested()) return;
    if (peer_ && peer_->has_ended()) {
        if (ended_ == Clock::time_point()) ended_ = now;
        has_left_ = now - ended_ >= end_patience || peer_->is_gone();
    }
    if (!has_left_ && now < end_) return;
    (has_left_ ? watch_.abandoned_ : watch_.timed_out_).Increment();
    stop_.request_stop();
}

HandlerResult RequestWatch::Work::answer(const std::function<HandlerResult()>& make)
{
    try {
        const StopScope scope(stop_.get_token());
        check_stop();
        return make();
    } catch (const Stopped&) {
    }
    {
        const std::lock_guard lock(watch_.mutex_);
        if (has_left_) throw PeerDisconnected("the peer does not wait any more");
    }
    return problem(
        ServiceError{Errc::unavailable, "time_limit_exceeded", "",
                     fmt::format("The request has taken longer than {} s, the limit for requests of "
                                 "its kind; ask for less.",
                                 std::chrono::duration<double>(watch_.limit_).count()),
                     30});
}

} // namespace vitrine::server
