#pragma once
// The end of a link in an API process: opens live previews at a worker. Used on the executor of the link.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/steady_timer.hpp>

#include "api/problem.hpp"
#include "server/link/link_frames.hpp"
#include "server/link/link_writer.hpp"
#include "server/net/stream_body.hpp"

namespace vitrine::server {

// A viewer at this process of a preview at the worker. Called on the executor of the link; one of closed(),
// rejected() and lost() is the last call.
class LinkedViewer {
public:
    virtual ~LinkedViewer() = default;
    virtual void accepted() = 0;
    virtual void rejected(const api::Problem& problem) = 0;
    // Until LinkClient::consumed(cost), the worker gets no credit for it.
    virtual void receive(StreamMessage message) = 0;
    virtual void closed(const WebSocketClose& close) = 0;
    virtual void lost() = 0; // the link has ended
};

class LinkClient final : public WebSocketSession, public std::enable_shared_from_this<LinkClient> {
public:
    struct Times {
        std::chrono::milliseconds ready{3'000}; // from begin() until the worker is trusted
        std::chrono::milliseconds idle{60'000}; // without a stream; then the link is closed
        std::chrono::milliseconds open{15'000}; // of a stream: it may load a large model
    };
    LinkClient(const asio::any_io_executor& executor, std::string secret, const Times& times);

    // Once, when the connection is being opened. If it fails, call close().
    void begin() { arm(times_.ready, "it has not begun the link in time"); }
    // Returns the number of the stream; `open.stream` is ignored. If the link has ended, lost() is called at
    // once; if the worker does not accept or reject the stream in time, later. The link ends too then, unless
    // it has streams that were accepted.
    std::uint32_t open(StreamOpen open, std::shared_ptr<LinkedViewer> viewer);
    // Only while the stream is accepted and not closed; otherwise without effect. The viewer is closed with
    // 1008 if it sends faster than the worker reads.
    void send(std::uint32_t stream, std::string text);
    void consumed(std::uint32_t stream, std::uint64_t cost);
    // The viewer has left; it is not called any more.
    void leave(std::uint32_t stream);
    void close(std::uint16_t code, std::string reason);

    bool has_ended() const { return writer_.is_closed(); }
    // Whether the worker or the network has ended the link, or it could not be opened.
    bool is_broken() const { return is_broken_ || !failure_.empty(); }
    bool was_ready() const { return is_ready_; }
    std::size_t streams() const { return viewers_.size(); }
    // What the worker has done wrong, in one sentence; empty: nothing.
    const std::string& failure() const { return failure_; }

    std::string_view protocol() const override { return link_protocol; }
    void start(asio::any_io_executor strand) override { writer_.start(strand); }
    void receive(std::string_view text) override;
    void receive_binary(std::string_view bytes) override;
    asio::awaitable<WebSocketMessage> next() override { return writer_.next(); }
    // Viewers are closed with 1001; lost() is called for streams that were not accepted.
    void stop() override;
    void disconnect() override
    {
        is_broken_ = is_broken_ || !has_ended();
        close(1001, "");
    }

private:
    struct LinkedStream {
        std::shared_ptr<LinkedViewer> viewer;
        StreamReceiver receiver;
        std::optional<asio::steady_timer> opening{}; // until it is accepted or rejected; empty: not sent yet
        bool is_accepted = false;
    };
    using StreamMap = std::map<std::uint32_t, LinkedStream>;

    template <class Frame>
    void on(const Frame&)
    {
        fail("it has sent a frame that an API process does not get");
    }
    void on(const LinkChallenge& challenge);
    void on(const LinkWelcome& welcome);
    void on(const StreamAccepted& accepted);
    void on(const StreamRejected& rejected);
    void on(const StreamData& data);
    void on(const StreamCredit& credit);
    void on(const StreamClose& close);
    StreamMap::iterator find(std::uint32_t stream, bool is_accepted);
    // Removes the stream and returns its viewer.
    std::shared_ptr<LinkedViewer> take(StreamMap::iterator found);
    void send_open(const StreamOpen& open);
    void end_opening(std::uint32_t stream); // its time is over
    void send_frame(const LinkFrame& frame);
    void fail(std::string why);
    // After `time`, the link ends; with `why` empty it is no failure. Replaces the time before.
    void arm(std::chrono::milliseconds time, std::string_view why);
    void disarm();

    const std::string secret_;
    const Times times_;
    LinkWriter writer_;
    asio::steady_timer timer_; // until ready, then of the idle link
    std::uint64_t armed_ = 0;  // changes with each arm() and disarm()
    std::optional<LinkDigest> challenge_;
    LinkDigest nonce_{};
    bool is_ready_ = false;
    bool is_broken_ = false;
    std::string failure_;
    std::uint32_t last_stream_ = 0;
    std::vector<StreamOpen> waiting_; // until ready
    StreamMap viewers_;
};

} // namespace vitrine::server
