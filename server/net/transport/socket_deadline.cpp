#include "server/net/transport/socket_deadline.hpp"

#include <utility>

#include <boost/asio/steady_timer.hpp>

namespace vitrine::server {

using Clock = std::chrono::steady_clock;

constexpr auto repeat_time = std::chrono::milliseconds(100);

struct SocketDeadline::State : std::enable_shared_from_this<State> {
    explicit State(Stream& owner) : timer(owner.get_executor()), stream(&owner) {}

    void start(Clock::time_point at)
    {
        running_until = at;
        timer.expires_at(at);
        timer.async_wait([self = shared_from_this()](boost::system::error_code cancelled) {
            if (!cancelled) self->elapsed();
        });
    }

    void elapsed()
    {
        running_until = Clock::time_point::max();
        if (stream == nullptr || until == Clock::time_point::max()) return;
        if (Clock::now() < until) return start(until); // it was moved to a later time
        expired = true;
        stream->cancel();
        // An operation whose completion was queued is not cancelled, and its owner may begin the next one.
        until = Clock::now() + repeat_time;
        start(until);
    }

    asio::steady_timer timer;
    Stream* stream; // null: the owner is gone
    Clock::time_point until = Clock::time_point::max();
    Clock::time_point running_until = Clock::time_point::max(); // of the timer
    bool expired = false;
};

SocketDeadline::SocketDeadline(Stream& stream) : state_(std::make_shared<State>(stream)) {}

SocketDeadline::~SocketDeadline()
{
    detach();
}

void SocketDeadline::detach()
{
    if (std::exchange(state_->stream, nullptr) != nullptr) state_->timer.cancel();
}

void SocketDeadline::set(Clock::duration time)
{
    state_->expired = false;
    state_->until = Clock::now() + time;
    if (state_->until < state_->running_until) state_->start(state_->until);
}

void SocketDeadline::clear()
{
    state_->until = Clock::time_point::max();
}

bool SocketDeadline::expired() const
{
    return state_->expired;
}

} // namespace vitrine::server
