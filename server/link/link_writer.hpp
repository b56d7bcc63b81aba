#pragma once
// What one end of a link sends: frames about streams at once and in order, then pieces of messages, one of
// each stream in turn, so that no viewer waits for a large image of another. Used on the executor of the
// link.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "server/link/stream_flow.hpp"
#include "server/net/async.hpp"

namespace vitrine::server {

class LinkWriter {
public:
    void start(const asio::any_io_executor& executor) { wake_.emplace(executor); }

    // Returns false if the peer does not read: the link must be closed.
    bool send(const LinkFrame& frame);
    StreamSender& add(std::uint32_t stream);
    StreamSender* find(std::uint32_t stream); // null: there is none
    void remove(std::uint32_t stream);
    void wake(); // after a change of a sender
    // What is queued is dropped, and the link closed. Only the first call has an effect.
    void close(std::uint16_t code, std::string reason);
    bool is_closed() const { return closing_.has_value(); }

    // Waits for the next frame, or the close; one call at a time.
    asio::awaitable<WebSocketMessage> next();
    // As next() without waiting; empty: there is nothing to send.
    std::optional<std::string> take();

private:
    std::deque<std::string> frames_;
    std::map<std::uint32_t, StreamSender> senders_; // by stream
    std::uint32_t last_ = 0;                        // stream that has sent last
    std::optional<WebSocketClose> closing_;
    std::optional<Signal> wake_;
};

} // namespace vitrine::server
