#include "server/services/events/event_relay.hpp"

#include <utility>

#include <spdlog/spdlog.h>

namespace vitrine::server {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t batch = 256;         // events of one query
constexpr std::size_t first_events = 4096; // that are known after a start
constexpr auto longest_pause = 5s;         // without a signal: one may be lost with its connection
constexpr auto pause_after_error = 500ms;
constexpr auto removal_interval = 10min;

} // namespace

EventRelay::EventRelay(Catalog& catalog, EventBus& bus, EventRetention retention)
    : catalog_(catalog), bus_(bus), retention_(retention)
{
    subscription_ = catalog_.signals().subscribe("events", [this](std::string_view) {
        {
            const std::lock_guard lock(mutex_);
            has_new_ = true;
        }
        woken_.notify_one();
    });
    for (auto& event : catalog_.newest_events(first_events))
        bus_.publish(std::move(event));
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

EventRelay::~EventRelay()
{
    subscription_.reset();
}

void EventRelay::pass_events(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        auto events = catalog_.events_after(bus_.last_id(), batch);
        const auto count = events.size();
        for (auto& event : events)
            bus_.publish(std::move(event));
        passed_ += count;
        if (count < batch) return;
    }
}

// Several processes may do so at the same time.
void EventRelay::remove_old()
{
    const auto instant = std::chrono::steady_clock::now();
    if (instant < next_removal_ && passed_ < retention_.count / 4) return;
    next_removal_ = instant + removal_interval;
    passed_ = 0;
    catalog_.remove_old_events(retention_.count, retention_.age);
}

void EventRelay::run(const std::stop_token& stop)
{
    bool failed = false;
    while (!stop.stop_requested()) {
        try {
            pass_events(stop);
            remove_old();
            failed = false;
        } catch (const StorageError& error) {
            if (!std::exchange(failed, true))
                spdlog::error("msg=\"events cannot be read; trying again\" error={:?}",
                              std::string_view(error.what()));
        }
        std::unique_lock lock(mutex_);
        if (failed)
            woken_.wait_for(lock, stop, pause_after_error, [] { return false; });
        else
            woken_.wait_for(lock, stop, longest_pause, [&] { return has_new_; });
        has_new_ = false;
    }
}

} // namespace vitrine::server
