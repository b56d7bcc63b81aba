#pragma once
// One stream of a link without I/O: messages to frames and back, within the credit that the receiver grants.
// Used on the executor of the link.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/link/link_frames.hpp"
#include "server/net/stream_body.hpp"

namespace vitrine::server {

class StreamSender {
public:
    explicit StreamSender(std::uint32_t stream) : stream_(stream) {}

    // A text or binary message.
    void push(WebSocketMessage message);
    std::size_t queued_bytes() const { return queued_bytes_; } // not yet taken
    bool is_empty() const { return messages_.empty(); }
    // Returns the next piece, encoded; empty if there is none, or no credit for it.
    std::optional<std::string> next();
    // Returns false if the peer grants more than the window.
    bool add_credit(std::uint32_t bytes);

private:
    const std::uint32_t stream_;
    std::deque<WebSocketMessage> messages_;
    std::size_t sent_bytes_ = 0; // of the first message
    std::size_t queued_bytes_ = 0;
    std::uint32_t credit_ = stream_window_bytes;
};

// A message and what its pieces have cost.
struct StreamMessage {
    WebSocketMessage message;
    std::uint64_t cost = 0;
};

class StreamReceiver {
public:
    StreamReceiver(std::uint32_t stream, std::size_t max_message_bytes)
        : stream_(stream), max_message_bytes_(max_message_bytes)
    {
    }

    // Returns the message that the piece completes. The error says how the peer breaks the rules.
    std::expected<std::optional<StreamMessage>, std::string> receive(const StreamData& data);
    // The message is not held any more.
    void consumed(std::uint64_t cost);
    // Returns the credit that the peer should get, worth a frame. Not for messages that are held; for pieces
    // of one that is not complete only while none is held, so that at most a message and the window are in
    // memory.
    std::optional<StreamCredit> take_credit();

private:
    const std::uint32_t stream_;
    const std::size_t max_message_bytes_;
    std::vector<std::byte> partial_;
    bool has_partial_ = false;
    bool is_binary_ = false;
    std::uint64_t partial_cost_ = 0; // without what was granted again
    std::uint64_t held_ = 0;         // cost of the messages that are held
    std::uint64_t returnable_ = 0;
    std::uint64_t credit_ = stream_window_bytes; // of the peer
};

} // namespace vitrine::server
