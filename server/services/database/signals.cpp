#include "server/services/database/signals.hpp"

#include <mutex>
#include <utility>

namespace vitrine::server {

Signals::Subscription::Subscription(std::shared_ptr<State> state, std::list<Entry>::iterator entry)
    : state_(std::move(state)), entry_(entry)
{
}

Signals::Subscription::~Subscription()
{
    const std::lock_guard lock(state_->mutex);
    state_->entries.erase(entry_);
}

std::unique_ptr<Signals::Subscription> Signals::subscribe(std::string topic, OnSignal on_signal)
{
    const std::lock_guard lock(state_->mutex);
    state_->entries.push_back({std::move(topic), std::move(on_signal)});
    return std::make_unique<Subscription>(state_, std::prev(state_->entries.end()));
}

void Signals::deliver(std::string_view topic, std::string_view text) const
{
    const std::shared_lock lock(state_->mutex);
    for (const auto& entry : state_->entries)
        if (entry.topic == topic) entry.on_signal(text);
}

void Signals::deliver_missed() const
{
    const std::shared_lock lock(state_->mutex);
    for (const auto& entry : state_->entries)
        entry.on_signal({});
}

} // namespace vitrine::server
