#pragma once
// Streamed bodies: request bodies, event streams and WebSocket messages. Handlers implement or use these
// without access to a socket. All calls come from the connection's strand.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

namespace vitrine::server {

namespace asio = boost::asio;

// The peer has disconnected or broken the framing: no response can be sent.
struct PeerDisconnected : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// The peer is connected but too slow: 408, then the connection is closed, because the start of the next
// request is unknown.
struct BodyTimeout : std::runtime_error {
    BodyTimeout() : std::runtime_error("the body did not arrive in time") {}
};

// The body of a request, in pieces.
class BodySource {
public:
    virtual ~BodySource() = default;
    // Returns the next piece, valid until the next call; empty at the end. Throws PeerDisconnected and
    // BodyTimeout.
    virtual asio::awaitable<std::span<const std::byte>> next() = 0;
};

// A response body of unknown length (SSE).
class StreamBody {
public:
    virtual ~StreamBody() = default;
    // Returns the next piece; empty at the end.
    virtual asio::awaitable<std::string> next() = 0;
    // The peer has disconnected or the server stops: a waiting next() returns the end soon.
    virtual void stop() = 0;
};

struct SocketText {
    std::string text;
};
struct SocketBinary {
    std::shared_ptr<const std::vector<std::byte>> head; // sent as one message: head, then payload
    std::shared_ptr<const std::vector<std::byte>> payload;
};
struct SocketClose {
    std::uint16_t code = 1000;
    std::string reason;
};
using SocketMessage = std::variant<SocketText, SocketBinary, SocketClose>;

// The server's end of a WebSocket connection.
class SocketSession {
public:
    virtual ~SocketSession() = default;
    virtual std::string_view protocol() const = 0;
    virtual void start(asio::any_io_executor strand) = 0;
    virtual void receive(std::string_view text) = 0;
    virtual void receive_binary() = 0;
    // Waits for the next message to send. Not called again after a SocketClose.
    virtual asio::awaitable<SocketMessage> next() = 0;
    // The server stops: next() returns SocketClose 1001.
    virtual void stop() = 0;
    // The peer has disconnected: next() returns any SocketClose immediately, and pending work is dropped.
    virtual void disconnect() = 0;
};

} // namespace vitrine::server
