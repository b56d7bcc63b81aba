#include "server/services/events/event_relay.hpp"

#include <optional>
#include <utility>

#include <spdlog/spdlog.h>

#include "loaders/base/parse_whole.hpp"

namespace vitrine::server {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t batch = 256;         // events of one query
constexpr std::size_t first_events = 4096; // that are known after a start
constexpr auto poll_interval = 5s;         // without a signal: one may be lost with its connection
constexpr auto pause_after_error = 500ms;
constexpr auto removal_interval = 10min;
constexpr std::size_t max_received = 1024; // events; further ones are read

// What the signal of a database that no other process uses has: id, type and data. Empty: it has no event.
std::optional<Event> parse_event(std::string_view text)
{
    const auto type = text.find(' ');
    const auto data = text.find(' ', type + 1);
    if (data == text.npos) return std::nullopt;
    const auto id = parse_whole<decltype(Event::id)>(text.substr(0, type));
    if (!id) return std::nullopt;
    Event event;
    event.id = *id;
    event.type = text.substr(type + 1, data - type - 1);
    event.data = text.substr(data + 1);
    return event;
}

} // namespace

EventRelay::EventRelay(Catalog& catalog, EventBus& bus, EventRetention retention)
    : catalog_(catalog), bus_(bus), retention_(retention)
{
    subscription_ =
        catalog_.signals().subscribe("events", [this](std::string_view text) { on_signal(text); });
    for (auto& event : catalog_.newest_events(first_events))
        bus_.publish(std::move(event));
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

EventRelay::~EventRelay()
{
    subscription_.reset();
}

void EventRelay::on_signal(std::string_view text)
{
    auto event = parse_event(text);
    {
        const std::lock_guard lock(mutex_);
        if (event && received_.size() < max_received)
            received_.push_back(std::move(*event));
        else
            reads_ = true;
    }
    woken_.notify_one();
}

void EventRelay::pass(std::vector<Event> events)
{
    const auto last = bus_.last_id();
    for (auto& event : events) {
        if (event.id <= last) continue; // was read too
        bus_.publish(std::move(event));
        ++passed_;
    }
}

void EventRelay::pass_stored(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        auto events = catalog_.events_after(bus_.last_id(), batch);
        const auto count = events.size();
        pass(std::move(events));
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

void EventRelay::wait(const std::stop_token& stop, bool failed)
{
    std::unique_lock lock(mutex_);
    if (failed)
        woken_.wait_for(lock, stop, pause_after_error, [] { return false; });
    else if (!woken_.wait_for(lock, stop, poll_interval, [&] { return reads_ || !received_.empty(); }))
        reads_ = true;
}

void EventRelay::run(const std::stop_token& stop)
{
    bool failed = true; // reads first
    for (bool reported = false; !stop.stop_requested(); wait(stop, failed)) {
        std::unique_lock lock(mutex_);
        const bool reads = std::exchange(reads_, false) || failed;
        auto received = std::exchange(received_, {});
        lock.unlock();
        try {
            if (reads) pass_stored(stop);
            pass(std::move(received));
            remove_old();
            failed = reported = false;
        } catch (const StorageError& error) {
            failed = true;
            if (!std::exchange(reported, true))
                spdlog::error("msg=\"events cannot be read; trying again\" error={:?}",
                              std::string_view(error.what()));
        }
    }
}

} // namespace vitrine::server
