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

#include "server/net/transport/asio.hpp"

namespace vitrine::server {

// The peer has disconnected: no response can be sent.
struct PeerDisconnected : std::runtime_error {
    using std::runtime_error::runtime_error;
};
// The peer is connected but too slow: 408, then the connection is closed, because the start of the next
// request is unknown.
struct BodyTimeout : std::runtime_error {
    BodyTimeout() : std::runtime_error("the body did not arrive in time") {}
};
// The chunks of the body are not valid: 400, then the connection is closed, for the same reason.
struct BodyMalformed : std::runtime_error {
    BodyMalformed() : std::runtime_error("the body's chunks are not valid") {}
};

// The body of a request, in pieces.
class BodySource {
public:
    virtual ~BodySource() = default;
    // Returns the next piece, valid until the next call; empty at the end. Throws PeerDisconnected,
    // BodyTimeout and BodyMalformed.
    virtual asio::awaitable<std::span<const std::byte>> next() = 0;
    // Whether next() has the whole piece without waiting for the peer.
    virtual bool has_arrived() const { return false; }
    // After the end: a field of the trailer section, which has not been in the head; empty: there is none.
    virtual std::string_view trailer(std::string_view) const { return {}; }
};

// A response body of unknown length (SSE, archives).
class EventStreamBody {
public:
    virtual ~EventStreamBody() = default;
    // After the end: false if pieces are missing. The connection is closed then without the end of the body,
    // so that the peer knows.
    virtual bool is_complete() const { return true; }
    // Returns the next piece; empty at the end.
    virtual asio::awaitable<std::string> next() = 0;
    // The peer has disconnected or the server stops: a waiting next() returns the end soon.
    virtual void stop() = 0;
};

struct WebSocketText {
    std::string text;
};
struct WebSocketBinary {
    std::shared_ptr<const std::vector<std::byte>> head; // sent as one message: head, then payload
    std::shared_ptr<const std::vector<std::byte>> payload;
};
struct WebSocketClose {
    std::uint16_t code = 1000;
    std::string reason;
};
using WebSocketMessage = std::variant<WebSocketText, WebSocketBinary, WebSocketClose>;

// Our end of a WebSocket connection, or of one of the streams of a link (server/link): where the messages of
// the peer go, and from where its messages come. Its owner calls it on one strand only: start() once, then
// receive(), receive_binary() and next(). Only one next() waits at a time; receive() may be called meanwhile
// and must not block. The connection is closed when next() returns a WebSocketClose; after disconnect() or
// that close nothing is called any more.
class WebSocketSession {
public:
    virtual ~WebSocketSession() = default;
    virtual std::string_view protocol() const = 0;
    virtual void start(asio::any_io_executor strand) = 0;
    virtual void receive(std::string_view text) = 0;
    virtual void receive_binary(std::string_view bytes) = 0;
    // Waits for the next message to send. Not called again after a WebSocketClose.
    virtual asio::awaitable<WebSocketMessage> next() = 0;
    // The server stops: next() returns WebSocketClose 1001.
    virtual void stop() = 0;
    // The peer has disconnected: next() returns any WebSocketClose immediately, and pending work is dropped.
    virtual void disconnect() = 0;
};

} // namespace vitrine::server
