#pragma once
// Named signals between the threads of all processes that share a database: a transaction sends them when it
// commits (send_signal() in database_connection.hpp). Any thread.

#include <functional>
#include <list>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>

namespace vitrine::server {

class Signals {
    struct Entry {
        std::string topic;
        std::function<void(std::string_view text)> on_signal;
    };
    struct State {
        std::shared_mutex mutex;
        std::list<Entry> entries;
    };

public:
    // The text of the signal; empty: signals of the topic may have been missed, look at everything. Called on
    // the thread of the commit, or on the one that listens to other processes. Must neither block nor
    // subscribe.
    using OnSignal = std::function<void(std::string_view text)>;

    // Its destructor waits for a running call and ends the subscription.
    class Subscription {
    public:
        Subscription(std::shared_ptr<State> state, std::list<Entry>::iterator entry);
        ~Subscription();
        Subscription(const Subscription&) = delete;
        Subscription& operator=(const Subscription&) = delete;

    private:
        std::shared_ptr<State> state_;
        std::list<Entry>::iterator entry_;
    };

    [[nodiscard]] std::unique_ptr<Subscription> subscribe(std::string topic, OnSignal on_signal);
    void deliver(std::string_view topic, std::string_view text) const;
    void deliver_missed() const; // to all topics, without text

private:
    std::shared_ptr<State> state_ = std::make_shared<State>();
};

} // namespace vitrine::server
