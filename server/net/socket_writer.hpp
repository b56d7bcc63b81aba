#pragma once
// Bytes out: in pieces, each of which must leave within body_time. False: the peer is gone or too slow.

#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/beast/core/tcp_stream.hpp>

#include "server/net/http.hpp"
#include "server/net/limits.hpp"
#include "server/util/work_pool.hpp"

namespace vitrine::server {

// Refers to all three; one writer of one connection.
class SocketWriter {
public:
    SocketWriter(boost::beast::tcp_stream& stream, const NetLimits& limits, WorkPool& work)
        : stream_(stream), limits_(limits), work_(work)
    {
    }

    asio::awaitable<bool> write(std::string_view bytes);
    // Head and the first piece of the body leave in one segment.
    asio::awaitable<bool> write(std::string_view head, std::string_view body);
    asio::awaitable<bool> write(FileSlice slice);
    // Lets the last answer arrive: closing with unread input makes the kernel reset the connection and the
    // peer lose what we said.
    asio::awaitable<void> linger();

private:
    boost::beast::tcp_stream& stream_;
    const NetLimits& limits_;
    WorkPool& work_;
};

} // namespace vitrine::server
