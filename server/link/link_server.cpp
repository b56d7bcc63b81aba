#include "server/link/link_server.hpp"

#include <exception>
#include <map>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "server/link/link_secret.hpp"
#include "server/link/link_writer.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_client_message_bytes = 64 * 1024; // as those of the WebSockets of viewers

// A live preview of the peer.
struct ServedStream {
    explicit ServedStream(std::uint32_t stream, const asio::any_io_executor& executor)
        : number(stream), receiver(stream, max_client_message_bytes), sent(executor)
    {
    }
    std::uint32_t number;
    StreamReceiver receiver;
    Signal sent;                               // the sender has changed, or the stream has ended
    std::unique_ptr<WebSocketSession> session; // null until it is open
    bool has_ended = false;
};
using ServedStreamPtr = std::shared_ptr<ServedStream>;

// Shared with the coroutines of the streams.
class LinkServer : public std::enable_shared_from_this<LinkServer> {
public:
    explicit LinkServer(LinkServerOptions options) : options_(std::move(options)) {}

    void start(const asio::any_io_executor& executor)
    {
        executor_ = executor;
        writer_.start(executor);
        challenge_ = make_challenge();
        writer_.send(LinkChallenge{challenge_});
        timer_.emplace(executor, options_.proof_time);
        timer_->async_wait([weak = weak_from_this()](boost::system::error_code cancelled) {
            const auto self = weak.lock();
            if (!cancelled && self) self->fail("it has not proved in time that it knows the secret");
        });
    }

    void receive(std::string_view bytes)
    {
        if (writer_.is_closed()) return;
        const auto frame = decode_link_frame(bytes);
        if (!frame) return fail(frame.error());
        std::visit([this](const auto& one) { on(one); }, *frame);
    }

    asio::awaitable<WebSocketMessage> next()
    {
        const auto self = shared_from_this();
        auto message = co_await writer_.next();
        for (auto& [number, stream] : streams_) // the message may have been the last piece of one of them
            if (const auto* sender = writer_.find(number); sender != nullptr && sender->is_empty())
                stream->sent.notify();
        co_return message;
    }

    // The peer's previews end with the link.
    void close(std::uint16_t code, std::string reason)
    {
        writer_.close(code, std::move(reason));
        if (timer_) timer_->cancel();
        for (auto& [number, stream] : std::exchange(streams_, {}))
            end(*stream);
    }

    void fail(std::string_view why)
    {
        if (writer_.is_closed()) return;
        spdlog::warn("msg=\"link closed\" peer={} error={:?}", options_.peer, why);
        close(1008, std::string(why));
    }

private:
    static void end(ServedStream& stream)
    {
        stream.has_ended = true;
        if (stream.session) stream.session->disconnect();
        stream.sent.notify();
    }

    void send(const LinkFrame& frame)
    {
        if (!writer_.is_closed() && !writer_.send(frame)) fail("it does not read");
    }

    template <class Frame>
    void on(const Frame&)
    {
        fail("a frame that a worker does not get");
    }

    void on(const LinkProof& proof)
    {
        const auto expected = link_mac(options_.secret, LinkEnd::api, challenge_, proof.nonce);
        if (std::exchange(has_proof_, true)) return fail("a second proof");
        if (!is_equal(expected, proof.mac))
            return fail("the proof is wrong: both processes need the same secret");
        is_trusted_ = true;
        timer_->cancel();
        send(LinkWelcome{link_mac(options_.secret, LinkEnd::worker, challenge_, proof.nonce)});
    }

    void on(const StreamOpen& open)
    {
        if (!is_trusted_) return fail("a stream before the proof");
        if (open.stream <= last_stream_) return fail("a number of a stream that was used before");
        last_stream_ = open.stream;
        if (streams_.size() == options_.max_streams)
            return send(StreamRejected{.stream = open.stream,
                                       .status = 503,
                                       .retry_after_s = 5,
                                       .code = "too_many_viewers",
                                       .detail = "Too many live previews are open; try again later."});
        auto stream = std::make_shared<ServedStream>(open.stream, executor_);
        streams_.emplace(open.stream, stream);
        asio::co_spawn(executor_, run(shared_from_this(), std::move(stream), open), asio::detached);
    }

    // Of a stream that is open; frames of one that we have just closed are ignored.
    ServedStream* find(std::uint32_t number)
    {
        if (number > last_stream_) fail("a frame of a stream that was not opened");
        const auto found = streams_.find(number);
        if (found == streams_.end()) return nullptr;
        if (found->second->session) return found->second.get();
        fail("a frame of a stream that was not accepted");
        return nullptr;
    }

    void on(const StreamData& data)
    {
        auto* const stream = find(data.stream);
        if (stream == nullptr) return;
        const auto message = stream->receiver.receive(data);
        if (!message) return fail(message.error());
        if (const auto& whole = *message) {
            const auto* const text = std::get_if<WebSocketText>(&whole->message);
            stream->receiver.consumed(whole->cost);
            if (text != nullptr)
                stream->session->receive(text->text);
            else
                stream->session->receive_binary({});
        }
        if (const auto credit = stream->receiver.take_credit()) send(*credit);
    }

    void on(const StreamCredit& credit)
    {
        if (find(credit.stream) == nullptr) return;
        auto* const sender = writer_.find(credit.stream);
        if (sender != nullptr && !sender->add_credit(credit.bytes))
            return fail("more credit than the window");
        writer_.wake();
    }

    void on(const StreamClose& close)
    {
        if (close.stream > last_stream_) return fail("the close of a stream that was not opened");
        remove(close.stream);
    }

    void remove(std::uint32_t number)
    {
        const auto found = streams_.find(number);
        if (found == streams_.end()) return;
        const auto stream = found->second;
        streams_.erase(found);
        writer_.remove(number);
        end(*stream);
    }

    // One stream, from its opening to its end.
    static asio::awaitable<void> run(std::shared_ptr<LinkServer> self, ServedStreamPtr stream,
                                     StreamOpen open)
    {
        const auto opened = co_await self->open_session(*stream, std::move(open));
        if (opened) {
            const auto close = co_await self->carry(*stream);
            if (!stream->has_ended) self->send(StreamClose{stream->number, close.code, close.reason});
            stream->session.reset();
        }
        self->remove(stream->number);
    }

    asio::awaitable<bool> open_session(ServedStream& stream, StreamOpen open)
    {
        OpenedPreview opened = std::unexpected(api::Problem{});
        try {
            opened = co_await options_.open(std::move(open));
        } catch (const std::exception& error) {
            spdlog::error("msg=\"preview not opened\" peer={} error={:?}", options_.peer,
                          std::string_view(error.what()));
            opened = std::unexpected(
                api::Problem{.code = "internal", .detail = "An internal error occurred in the worker."});
        }
        if (stream.has_ended) co_return false;
        if (!opened) {
            const auto& problem = opened.error();
            send(StreamRejected{.stream = stream.number,
                                .status = static_cast<std::uint16_t>(problem.status),
                                .retry_after_s = problem.retry_after_s,
                                .code = problem.code,
                                .detail = problem.detail});
            co_return false;
        }
        stream.session = std::move(*opened);
        stream.session->start(executor_);
        writer_.add(stream.number);
        send(StreamAccepted{stream.number});
        co_return true;
    }

    // Sends the messages of the session; the next one is taken when the last one was sent, so that a viewer
    // that reads slowly gets the newest image. Returns the close of the session.
    asio::awaitable<WebSocketClose> carry(ServedStream& stream)
    {
        while (!stream.has_ended) {
            WebSocketMessage message = WebSocketClose{1011, "the preview has failed"};
            try {
                message = co_await stream.session->next();
            } catch (const std::exception&) { // ends this stream only
            }
            if (const auto* close = std::get_if<WebSocketClose>(&message)) co_return *close;
            auto* sender = writer_.find(stream.number);
            if (sender == nullptr) break;
            sender->push(std::move(message));
            writer_.wake();
            while (!stream.has_ended && (sender = writer_.find(stream.number)) && !sender->is_empty())
                co_await stream.sent.wait(std::chrono::steady_clock::time_point::max());
        }
        co_return WebSocketClose{};
    }

    LinkServerOptions options_;
    asio::any_io_executor executor_;
    std::optional<asio::steady_timer> timer_;
    LinkWriter writer_;
    LinkDigest challenge_{};
    bool has_proof_ = false;
    bool is_trusted_ = false;
    std::uint32_t last_stream_ = 0;
    std::map<std::uint32_t, ServedStreamPtr> streams_;
};

class LinkServerSession final : public WebSocketSession {
public:
    explicit LinkServerSession(LinkServerOptions options)
        : server_(std::make_shared<LinkServer>(std::move(options)))
    {
    }
    std::string_view protocol() const override { return link_protocol; }
    void start(asio::any_io_executor strand) override { server_->start(strand); }
    void receive(std::string_view) override { server_->fail("a text message"); }
    void receive_binary(std::string_view bytes) override { server_->receive(bytes); }
    asio::awaitable<WebSocketMessage> next() override { return server_->next(); }
    void stop() override { server_->close(1001, "the worker is stopping"); }
    void disconnect() override { server_->close(1001, ""); }

private:
    std::shared_ptr<LinkServer> server_;
};

} // namespace

std::unique_ptr<WebSocketSession> make_link_server(LinkServerOptions options)
{
    return std::make_unique<LinkServerSession>(std::move(options));
}

} // namespace vitrine::server
