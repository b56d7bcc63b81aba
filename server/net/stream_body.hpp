#pragma once
// Bodies that flow: what a request brings, what an event stream or a WebSocket says. Handlers implement or
// use these without seeing a socket. All calls come from the connection's strand.

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

// The peer went away or broke the framing: nobody is left to answer.
struct PeerDisconnected : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// The peer is there and too slow: 408, and the connection ends, for nobody knows what comes next.
struct BodyTimeout : std::runtime_error {
    BodyTimeout() : std::runtime_error("the body took too long to arrive") {}
};

// The body of a request, piece by piece.
class BodySource {
public:
    virtual ~BodySource() = default;
    // The next piece, valid until the next call; empty at the end. Throws PeerDisconnected and BodyTimeout.
    virtual asio::awaitable<std::span<const std::byte>> next() = 0;
};

// The body of an answer without a known end (SSE).
class StreamBody {
public:
    virtual ~StreamBody() = default;
    // The next piece; empty: the end.
    virtual asio::awaitable<std::string> next() = 0;
    // The peer left or the server stops: a waiting next() comes back soon with the end.
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

// The far side of a WebSocket.
class SocketSession {
public:
    virtual ~SocketSession() = default;
    virtual std::string_view protocol() const = 0;
    virtual void start(asio::any_io_executor strand) = 0;
    virtual void receive(std::string_view text) = 0;
    virtual void receive_binary() = 0;
    // What to send next; waits until there is something. After a SocketClose it is not called again.
    virtual asio::awaitable<SocketMessage> next() = 0;
    // The server stops: next() says SocketClose 1001.
    virtual void stop() = 0;
    // The peer is gone: next() says any SocketClose at once, work under way is let go.
    virtual void disconnect() = 0;
};

} // namespace vitrine::server
