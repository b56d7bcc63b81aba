#pragma once
// The time limit of whatever a connection waits for. Setting it is a store: a timer is started only when the
// new limit is earlier than the one that is running, at most once per limit and not once per read or write.
// Used on the executor of its stream.

#include <chrono>
#include <memory>

#include "server/net/transport/stream.hpp"

namespace vitrine::server {

class SocketDeadline {
public:
    explicit SocketDeadline(Stream& stream); // keeps a reference
    ~SocketDeadline();
    SocketDeadline(const SocketDeadline&) = delete;
    SocketDeadline& operator=(const SocketDeadline&) = delete;

    // After `time`, the pending operations of the stream are cancelled, again and again until set() or
    // clear().
    void set(std::chrono::steady_clock::duration time);
    void clear();
    // Ends the timer; nothing of this object is used after it, so that another thread may destroy it.
    void detach();
    // Returns whether operations were cancelled since the last set().
    bool expired() const;

private:
    struct State;
    std::shared_ptr<State> state_; // shared with the timer's handler
};

} // namespace vitrine::server
