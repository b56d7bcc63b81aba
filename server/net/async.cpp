#include "server/net/async.hpp"

#include <boost/asio/as_tuple.hpp>

namespace vitrine::server {

void Signal::notify()
{
    set_ = true;
    timer_.cancel();
}

asio::awaitable<void> Signal::wait(std::chrono::steady_clock::time_point until)
{
    if (!set_) {
        timer_.expires_at(until);
        auto ended = co_await timer_.async_wait(as_result);
        static_cast<void>(ended);
    }
    set_ = false;
}

} // namespace vitrine::server
