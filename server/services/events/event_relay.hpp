#pragma once
// Publishes to the subscribers of this process what the catalog stores about events of all processes, and
// removes old ones from it. Starts with the newest ones, so that clients may go on after a restart, or at
// another server.

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "server/services/catalog/catalog.hpp"
#include "server/services/events/event_bus.hpp"

namespace vitrine::server {

// How many events the catalog keeps, and how long.
struct EventRetention {
    std::size_t count = 10'000;
    std::chrono::hours age{7 * 24};
};

class EventRelay {
public:
    // Starts a thread. Both outlive it. Throws StorageError.
    EventRelay(Catalog& catalog, EventBus& bus, EventRetention retention = {});
    ~EventRelay(); // joins
    EventRelay(const EventRelay&) = delete;
    EventRelay& operator=(const EventRelay&) = delete;

private:
    void on_signal(std::string_view text);
    void run(const std::stop_token& stop);
    void pass_stored(const std::stop_token& stop);
    void pass(std::vector<Event> events);
    void wait(const std::stop_token& stop, bool failed);
    void remove_old();

    Catalog& catalog_;
    EventBus& bus_;
    const EventRetention retention_;
    std::mutex mutex_; // guards the next three
    std::condition_variable_any woken_;
    bool reads_ = false;          // the catalog has events that are not in received_
    std::vector<Event> received_; // with signals, in the order of their ids
    std::chrono::steady_clock::time_point next_removal_{};
    std::size_t passed_ = 0; // since the last removal
    std::unique_ptr<Signals::Subscription> subscription_;
    std::jthread thread_; // last: ends before what it uses
};

} // namespace vitrine::server
