#pragma once
// Publishes events to subscribers: one bounded ring, no queue per subscriber. A slow or returning subscriber
// whose position has left the ring gets `reset` and must read the lists again. Any thread; nothing blocks.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/services/catalog/records.hpp"
#include "server/util/error.hpp"

namespace vitrine::server {

using SharedEvent = std::shared_ptr<const Event>;

class EventBus {
    struct State;
    struct Subscriber;

public:
    struct Batch {
        bool reset = false;        // events were lost; the batch starts after the gap
        std::uint64_t last_id = 0; // with reset: the event id to send to the client
        std::vector<SharedEvent> events;
    };

    // Position of one subscriber in the ring; its destruction unsubscribes. `on_ready` may still run, or be
    // called once more, after that: capture a weak_ptr, or post to a strand that does.
    class Subscription {
    public:
        Subscription(std::shared_ptr<State> state, std::shared_ptr<Subscriber> subscriber);
        ~Subscription();
        Subscription(const Subscription&) = delete;
        Subscription& operator=(const Subscription&) = delete;
        // Returns the events since the last call, at most `limit`. After an empty batch the next event calls
        // on_ready.
        Batch take(std::size_t limit = 64);

    private:
        std::shared_ptr<State> state_;
        std::shared_ptr<Subscriber> subscriber_;
    };

    explicit EventBus(std::size_t ring = 4096, std::size_t subscribers = 1024);

    // Precondition: the id is greater than those before it. One thread at a time.
    void publish(Event event);
    std::uint64_t last_id() const; // 0: nothing was published
    // `after`: Last-Event-ID; empty: events from now on. `on_ready` is called on the publisher's thread and
    // must not block; it is called once, and again only after take() has returned an empty batch. Call take()
    // once after subscribing. Errors: busy (too many subscribers).
    Result<std::unique_ptr<Subscription>> subscribe(std::optional<std::uint64_t> after,
                                                    std::function<void()> on_ready);
    std::size_t subscribers() const;

private:
    std::shared_ptr<State> state_;
};

} // namespace vitrine::server
