#pragma once
// Writes bytes in pieces, each with a limit of body_time. Returns false when the peer is gone or too slow.

#include <string_view>

#include <boost/asio/awaitable.hpp>
#include <boost/beast/core/tcp_stream.hpp>

#include "server/net/http.hpp"
#include "server/net/limits.hpp"
#include "server/util/work_pool.hpp"

namespace vitrine::server {

// Keeps references to all three arguments; the only writer of its connection.
class SocketWriter {
public:
    SocketWriter(boost::beast::tcp_stream& stream, const NetLimits& limits, WorkPool& work)
        : stream_(stream), limits_(limits), work_(work)
    {
    }

    asio::awaitable<bool> write(std::string_view bytes);
    // Sends the head and the first piece of the body in one segment.
    asio::awaitable<bool> write(std::string_view head, std::string_view body);
    asio::awaitable<bool> write(FileSlice slice);
    // Waits until the last response has arrived: closing with unread input makes the kernel reset the
    // connection, and the peer loses the response.
    asio::awaitable<void> linger();

private:
    boost::beast::tcp_stream& stream_;
    const NetLimits& limits_;
    WorkPool& work_;
};

} // namespace vitrine::server
