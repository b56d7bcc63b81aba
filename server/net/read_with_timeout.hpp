#pragma once
// A read with a timeout that keeps the socket open, so that an error response can still be sent. The stream's
// own timer would close it.

#include <chrono>
#include <memory>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/tcp_stream.hpp>

namespace vitrine::server {

// `read` reads from the stream and returns its error; error::timeout if `time` has elapsed before. Runs on
// the stream's strand.
template <class Read>
boost::asio::awaitable<boost::beast::error_code> read_with_timeout(boost::beast::tcp_stream& stream,
                                                                   std::chrono::seconds time, Read read)
{
    struct TimedRead {
        bool over = false; // then the timer must not touch the stream any more
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
