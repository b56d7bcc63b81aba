#include "server/net/socket_deadline.hpp"

#include <utility>

#include <boost/asio/steady_timer.hpp>

#include "server/net/asio.hpp"

namespace vitrine::server {

using Clock = std::chrono::steady_clock;

struct SocketDeadline::State : std::enable_shared_from_this<State> {
    explicit State(asio::ip::tcp::socket& owner) : timer(owner.get_executor()), socket(&owner) {}

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
        if (socket == nullptr || until == Clock::time_point::max()) return;
        if (Clock::now() < until) return start(until); // it was moved to a later time
        until = Clock::time_point::max();
        expired = true;
        boost::system::error_code ignored;
        socket->cancel(ignored);
    }

    asio::steady_timer timer;
    asio::ip::tcp::socket* socket; // null: the owner is gone
    Clock::time_point until = Clock::time_point::max();
    Clock::time_point running_until = Clock::time_point::max(); // of the timer
    bool expired = false;
};

SocketDeadline::SocketDeadline(asio::ip::tcp::socket& socket) : state_(std::make_shared<State>(socket)) {}

SocketDeadline::~SocketDeadline()
{
    detach();
}

void SocketDeadline::detach()
{
    if (std::exchange(state_->socket, nullptr) != nullptr) state_->timer.cancel();
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
