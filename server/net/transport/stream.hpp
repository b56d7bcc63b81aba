#pragma once
// The transport of a connection behind one type: TCP or a Unix socket, plain or with TLS. Meets the
// requirements of Asio and Beast for asynchronous streams. Without TLS, reads and writes go to the socket as
// they are; with it, they go through a TlsEngine. Used on its executor.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/websocket/teardown.hpp>

#include "server/net/transport/asio.hpp"
#include "server/net/transport/peer.hpp"
#include "server/net/transport/tls_engine.hpp"

namespace vitrine::server {

class Stream {
public:
    using Socket = asio::generic::stream_protocol::socket; // those of TCP and of Unix sockets convert to it
    using executor_type = Socket::executor_type;

    // `socket` is connected. `tls`: null for a plain connection.
    explicit Stream(Socket socket, std::shared_ptr<const TlsContext> tls = nullptr);

    executor_type get_executor() { return socket_.get_executor(); }
    int native_handle() { return socket_.native_handle(); }
    bool is_open() const { return socket_.is_open(); }
    bool has_tls() const { return tls_ != nullptr; }
    const std::shared_ptr<const Peer>& peer() const { return peer_; }
    // Null before the handshake and without TLS.
    const std::shared_ptr<const TlsFacts>& tls_facts() const { return tls_facts_; }

    // Performs the handshake of TLS. Returns what is wrong; empty: nothing.
    asio::awaitable<std::string> handshake();
    // Whether the handshake has failed because the peer speaks HTTP without TLS.
    bool got_plain_http() const { return tls_ && tls_->was_plain_http(); }

    // Pending operations end with operation_aborted.
    void cancel();
    void close();
    // Sends the end of the stream; the peer may go on sending.
    void end_output();
    // Also for system calls on the descriptor. Returns false if the socket is closed.
    bool make_non_blocking();
    // Returns the number of bytes that can be read without waiting; with TLS, of those that are decrypted.
    std::size_t available();

    // Sends what the socket has room for, without TLS with one system call; never waits. Returns the number
    // of bytes; 0 also if the peer is gone, which the next write reports. With TLS, the last of them may be
    // unsent.
    static constexpr std::size_t max_parts = 4;
    std::size_t send_now(std::span<const std::string_view> parts);
    // Whether encrypted bytes wait for room in the socket: the next write, also one of no bytes, sends them.
    bool has_unsent() const { return tls_ && !tls_->output().empty(); }

    // Past TLS, to and from the socket: after a failed handshake or end_output().
    void send_raw(std::string_view bytes);
    template <class Buffers, class Token>
    auto async_read_raw(const Buffers& buffers, Token&& token)
    {
        return socket_.async_read_some(buffers, std::forward<Token>(token));
    }
    template <class Buffers, class Token>
    auto async_read_some(const Buffers& buffers, Token&& token)
    {
        if (!tls_) return socket_.async_read_some(buffers, std::forward<Token>(token));
        return asio::async_compose<Token, void(boost::system::error_code, std::size_t)>(
            ReadOperation{*this, first_of(buffers)}, token, socket_);
    }
    template <class Buffers, class Token>
    auto async_write_some(const Buffers& buffers, Token&& token)
    {
        if (!tls_) return socket_.async_write_some(buffers, std::forward<Token>(token));
        return asio::async_compose<Token, void(boost::system::error_code, std::size_t)>(
            WriteOperation<Buffers>{*this, buffers}, token, socket_);
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
        stream.send_close_notify();
        boost::beast::websocket::async_teardown(role, stream.socket_, std::forward<Handler>(handler));
    }

private:
    using ErrorCode = boost::system::error_code;

    // Reads and writes with TLS. Each step does what it can without waiting and says would_block if the
    // socket is not ready; a result of the first step is delivered later, as Asio requires.
    struct ReadOperation {
        Stream& stream;
        asio::mutable_buffer into;
        std::size_t count = 0;
        ErrorCode result{};
        bool is_started = false;
        bool has_result = false;

        template <class Self>
        void operator()(Self& self, ErrorCode error = {})
        {
            if (has_result) return self.complete(result, count);
            const bool is_first = !std::exchange(is_started, true);
            if (!error) count = stream.read_encrypted(into, error);
            if (error == asio::error::would_block)
                return stream.socket_.async_wait(Socket::wait_read, std::move(self));
            if (!is_first) return self.complete(error, count);
            result = error;
            has_result = true;
            asio::post(stream.get_executor(), std::move(self));
        }
    };
    template <class Buffers>
    struct WriteOperation {
        Stream& stream;
        Buffers buffers;
        std::size_t count = 0;
        ErrorCode result{};
        bool is_started = false;
        bool is_encrypted = false;
        bool has_result = false;

        template <class Self>
        void operator()(Self& self, ErrorCode error = {})
        {
            if (has_result) return self.complete(result, count);
            const bool is_first = !std::exchange(is_started, true);
            if (!error) stream.send_output(error); // of earlier writes
            if (!error && !std::exchange(is_encrypted, true)) {
                const auto space = record_space();
                const auto size = asio::buffer_copy(asio::buffer(space.data(), space.size()), buffers);
                count = stream.write_encrypted({space.data(), size}, error);
            }
            if (error == asio::error::would_block)
                return stream.socket_.async_wait(Socket::wait_write, std::move(self));
            if (!is_first) return self.complete(error, count);
            result = error;
            has_result = true;
            asio::post(stream.get_executor(), std::move(self));
        }
    };

    template <class Buffers>
    static asio::mutable_buffer first_of(const Buffers& buffers)
    {
        for (auto at = asio::buffer_sequence_begin(buffers); at != asio::buffer_sequence_end(buffers); ++at)
            if (asio::mutable_buffer(*at).size() > 0) return *at;
        return {};
    }
    // Room for the plain bytes of one record, of this thread.
    static std::span<char> record_space();
    // `error` would_block also if the peer has sent much and nothing plain: to go on when others had a turn.
    std::size_t read_encrypted(asio::mutable_buffer into, ErrorCode& error);
    // Encrypts one record and sends it. `error` would_block: it is unsent.
    std::size_t write_encrypted(std::string_view plain, ErrorCode& error);
    std::size_t send_encrypted(std::span<const std::string_view> parts);
    void send_output(ErrorCode& error);
    // Gives the engine bytes of the socket.
    void receive(ErrorCode& error);
    void send_close_notify();

    Socket socket_;
    std::shared_ptr<const Peer> peer_;
    std::unique_ptr<TlsEngine> tls_; // null without TLS
    std::shared_ptr<const TlsFacts> tls_facts_;
    std::size_t idle_input_ = 0; // encrypted bytes received since the last plain one
};

} // namespace vitrine::server
