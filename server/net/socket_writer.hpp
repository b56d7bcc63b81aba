#pragma once
// Writes bytes in pieces, each with a limit of body_time if the socket has no room for it. Returns false when
// the peer is gone or too slow.

#include <span>
#include <string_view>

#include <boost/asio/awaitable.hpp>

#include "server/net/http.hpp"
#include "server/net/limits.hpp"
#include "server/net/transport/socket_deadline.hpp"
#include "server/net/transport/stream.hpp"
#include "server/util/work_pool.hpp"

namespace vitrine::server {

// Keeps references to all four arguments; the only writer of its connection.
class SocketWriter {
public:
    SocketWriter(Stream& stream, SocketDeadline& deadline, const NetLimits& limits, WorkPool& work)
        : stream_(stream), deadline_(deadline), limits_(limits), work_(work)
    {
    }

    // As that of the stream.
    std::size_t send_now(std::span<const std::string_view> parts) { return stream_.send_now(parts); }
    bool has_unsent() const { return stream_.has_unsent(); }
    asio::awaitable<bool> write(std::string_view bytes);
    // Sends the head and the first piece of the body in one segment.
    asio::awaitable<bool> write(std::string_view head, std::string_view body);
    // Holds no bytes of the file while it waits for the peer. Returns false also if the file is shorter than
    // the slice. The process ignores SIGPIPE: sendfile(2) has no MSG_NOSIGNAL.
    asio::awaitable<bool> write(FileSlice slice);
    // Waits until the last response has arrived: closing with unread input makes the kernel reset the
    // connection, and the peer loses the response.
    asio::awaitable<void> linger();
    // Tells a peer that speaks HTTP without TLS that it must not, after the failed handshake.
    asio::awaitable<void> reject_plain_http();

private:
    asio::awaitable<bool> flush();
    std::size_t send_record(const FileSlice& piece);
    asio::awaitable<bool> write_encrypted(FileSlice piece);
    asio::awaitable<void> drain();
    asio::awaitable<bool> write_rest(std::string_view bytes);
    asio::awaitable<bool> write_piece(FileSlice piece);

    Stream& stream_;
    SocketDeadline& deadline_;
    const NetLimits& limits_;
    WorkPool& work_;
};

} // namespace vitrine::server
