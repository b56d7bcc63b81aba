#include "server/services/events/event_bus.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_set>

namespace vitrine::server {

struct EventBus::Subscriber {
    std::uint64_t last_taken = 0; // id of the last event taken
    bool reset = false;
    bool armed = false; // the next event calls on_ready
    std::function<void()> on_ready;
};

struct EventBus::State {
    const std::size_t ring_limit;
    const std::size_t subscriber_limit;
    mutable std::mutex mutex;
    std::uint64_t last_id = 0;
    std::uint64_t dropped_id = 0; // events up to this id are not in the ring
    std::deque<SharedEvent> ring;
    std::unordered_set<std::shared_ptr<Subscriber>> subscribers;

    State(std::size_t ring_limit_, std::size_t subscriber_limit_)
        : ring_limit(ring_limit_), subscriber_limit(subscriber_limit_)
    {
    }

    // Which events were before the first one is not known; its subscribers have missed none.
    void begin_before(std::uint64_t first_id)
    {
        dropped_id = first_id - 1;
        for (const auto& subscriber : subscribers)
            subscriber->last_taken = dropped_id;
    }
};

EventBus::EventBus(std::size_t ring, std::size_t subscribers)
    : state_(std::make_shared<State>(std::max<std::size_t>(ring, 1), subscribers))
{
}

void EventBus::publish(Event event)
{
    std::vector<std::shared_ptr<Subscriber>> ready;
    {
        std::lock_guard lock(state_->mutex);
        if (state_->last_id == 0) state_->begin_before(event.id);
        state_->last_id = event.id;
        state_->ring.push_back(std::make_shared<const Event>(std::move(event)));
        if (state_->ring.size() > state_->ring_limit) {
            state_->dropped_id = state_->ring.front()->id;
            state_->ring.pop_front();
        }
        for (const auto& subscriber : state_->subscribers)
            if (std::exchange(subscriber->armed, false)) ready.push_back(subscriber);
    }
    for (const auto& subscriber : ready) // outside the lock: take() may be called immediately
        subscriber->on_ready();
}

std::uint64_t EventBus::last_id() const
{
    std::lock_guard lock(state_->mutex);
    return state_->last_id;
}

Result<std::unique_ptr<EventBus::Subscription>> EventBus::subscribe(std::optional<std::uint64_t> after,
                                                                    std::function<void()> on_ready)
{
    auto subscriber = std::make_shared<Subscriber>();
    subscriber->on_ready = std::move(on_ready);
    std::lock_guard lock(state_->mutex);
    if (state_->subscribers.size() >= state_->subscriber_limit)
        return make_error(Errc::busy, "too_many_subscribers", "too many clients are subscribed to events", 5);
    subscriber->last_taken = after.value_or(state_->last_id);
    // A greater id is of another catalog, or of events that a restored backup does not have.
    if (subscriber->last_taken > state_->last_id) {
        subscriber->last_taken = state_->last_id;
        subscriber->reset = true;
    }
    state_->subscribers.insert(subscriber);
    return std::make_unique<Subscription>(state_, std::move(subscriber));
}

std::size_t EventBus::subscribers() const
{
    std::lock_guard lock(state_->mutex);
    return state_->subscribers.size();
}

EventBus::Subscription::Subscription(std::shared_ptr<State> state, std::shared_ptr<Subscriber> subscriber)
    : state_(std::move(state)), subscriber_(std::move(subscriber))
{
}

EventBus::Subscription::~Subscription()
{
    std::lock_guard lock(state_->mutex);
    state_->subscribers.erase(subscriber_);
}

EventBus::Batch EventBus::Subscription::take(std::size_t limit)
{
    Batch batch;
    std::lock_guard lock(state_->mutex);
    auto& self = *subscriber_;
    if (self.last_taken < state_->dropped_id) { // events were lost: continue after the newest event
        self.reset = true;
        self.last_taken = state_->last_id;
    }
    batch.reset = std::exchange(self.reset, false);
    batch.last_id = self.last_taken;
    const auto& ring = state_->ring;
    auto at = std::ranges::upper_bound(ring, self.last_taken, {}, [](const SharedEvent& e) { return e->id; });
    for (; at != ring.end() && batch.events.size() < limit; ++at)
        batch.events.push_back(*at);
    if (!batch.events.empty()) self.last_taken = batch.events.back()->id;
    self.armed = batch.events.empty();
    return batch;
}

} // namespace vitrine::server
