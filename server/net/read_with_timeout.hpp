#pragma once
// A read that must end in time and leaves the socket open where it does not, so that the peer can be told.
// The stream's own timer would close it.

#include <chrono>
#include <memory>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/tcp_stream.hpp>

namespace vitrine::server {

// `read` reads from the stream and comes back with its error; error::timeout when `time` was over before. On
// the stream's strand.
template <class Read>
boost::asio::awaitable<boost::beast::error_code> read_with_timeout(boost::beast::tcp_stream& stream,
                                                                   std::chrono::seconds time, Read read)
{
    struct TimedRead {
        bool over = false; // from here on the stream is out of the timer's reach
        bool timed_out = false;
    };
    auto round = std::make_shared<TimedRead>();
    boost::asio::steady_timer timer(stream.get_executor(), time);
    stream.expires_never();
    timer.async_wait([round, &stream](boost::beast::error_code cancelled) {
        if (cancelled || round->over) return;
        round->timed_out = true;
        stream.cancel();
    });
    auto error = co_await read();
    round->over = true;
    if (error && round->timed_out) co_return boost::beast::error::timeout;
    co_return error;
}

} // namespace vitrine::server
