#pragma once
// The transport of a connection: a TCP connection or a Unix socket behind one type. Meets the requirements
// of Asio and Beast for asynchronous streams; reads and writes go to the socket as they are. Used on its
// executor.

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/beast/websocket/teardown.hpp>

#include "server/net/transport/asio.hpp"
#include "server/net/transport/peer.hpp"

namespace vitrine::server {

class Stream {
public:
    using Socket = asio::generic::stream_protocol::socket; // those of TCP and of Unix sockets convert to it
    using executor_type = Socket::executor_type;

    // `socket` is connected.
    explicit Stream(Socket socket)
        : socket_(std::move(socket)), peer_(std::make_shared<Peer>(peer_of(socket_.native_handle())))
    {
    }

    executor_type get_executor() { return socket_.get_executor(); }
    int native_handle() { return socket_.native_handle(); }
    bool is_open() const { return socket_.is_open(); }
    const std::shared_ptr<const Peer>& peer() const { return peer_; }

    // Pending operations end with operation_aborted.
    void cancel();
    void close();
    // Sends the end of the stream; the peer may go on sending.
    void end_output();
    // Also for system calls on the descriptor. Returns false if the socket is closed.
    bool make_non_blocking();
    // Returns the number of bytes that can be read without waiting.
    std::size_t available();

    // Sends what the socket has room for with one system call; never waits. Returns the number of bytes;
    // 0 also if the peer is gone, which the next write reports.
    static constexpr std::size_t max_parts = 4;
    std::size_t send_now(std::span<const std::string_view> parts);

    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token)
    {
        return socket_.async_read_some(buffers, std::forward<Token>(token));
    }
    template <class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token)
    {
        return socket_.async_write_some(buffers, std::forward<Token>(token));
    }
    // Waits until the socket has room.
    template <class Token>
    auto async_wait_write(Token&& token)
    {
        return socket_.async_wait(Socket::wait_write, std::forward<Token>(token));
    }

    // What Beast calls on a stream: when a time limit of a WebSocket has passed, and at its end, where what
    // the peer still sends is read and dropped.
    friend void beast_close_socket(Stream& stream) { stream.close(); }
    template <class Handler>
    friend void async_teardown(boost::beast::role_type role, Stream& stream, Handler&& handler)
    {
        boost::beast::websocket::async_teardown(role, stream.socket_, std::forward<Handler>(handler));
    }

private:
    Socket socket_;
    std::shared_ptr<const Peer> peer_;
};

} // namespace vitrine::server
