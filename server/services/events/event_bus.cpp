#include "server/services/events/event_bus.hpp"

#include <algorithm>
#include <deque>
#include <mutex>
#include <unordered_set>

#include "server/util/clock.hpp"

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
    // The first id is greater than any id of an earlier process.
    std::uint64_t last_id = static_cast<std::uint64_t>(now());
    std::deque<SharedEvent> ring;
    std::unordered_set<std::shared_ptr<Subscriber>> subscribers;

    State(std::size_t ring_limit_, std::size_t subscriber_limit_)
        : ring_limit(ring_limit_), subscriber_limit(subscriber_limit_)
    {
    }

    // The id before the oldest event in the ring.
    std::uint64_t floor() const { return ring.empty() ? last_id : ring.front()->id - 1; }
};

EventBus::EventBus(std::size_t ring, std::size_t subscribers)
    : state_(std::make_shared<State>(std::max<std::size_t>(ring, 1), subscribers))
{
}

std::uint64_t EventBus::publish(std::string_view type, std::string data)
{
    std::vector<std::shared_ptr<Subscriber>> ready;
    std::uint64_t id = 0;
    {
        std::lock_guard lock(state_->mutex);
        id = ++state_->last_id;
        state_->ring.push_back(std::make_shared<const Event>(id, std::string(type), std::move(data)));
        if (state_->ring.size() > state_->ring_limit) state_->ring.pop_front();
        for (const auto& subscriber : state_->subscribers)
            if (std::exchange(subscriber->armed, false)) ready.push_back(subscriber);
    }
    for (const auto& subscriber : ready) // outside the lock: take() may be called immediately
        subscriber->on_ready();
    return id;
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
    // A greater id is of another server, or of a clock that was set back.
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
    if (self.last_taken < state_->floor()) { // events were lost: continue after the newest event
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

void announce(EventBus& events, std::string_view type, const api::Asset& asset)
{
    events.publish(type, api::event_data(type, asset));
}

void announce(EventBus& events, const api::Job& job)
{
    events.publish("job", api::event_data(job));
}

} // namespace vitrine::server
