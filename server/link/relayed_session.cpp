#include "server/link/relayed_session.hpp"

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include <boost/asio/post.hpp>

#include "api/preview_messages.hpp"
#include "server/net/async.hpp"

namespace vitrine::server {
namespace {

// RFC 6455's registry: "service restart". The viewer connects again, and gets another worker.
const WebSocketClose worker_gone{1012, "the worker is gone; connect again"};

// Between the executor of the link and the strand of the viewer's connection. Messages of the worker wait in
// it until the viewer has read the earlier ones; the worker's credit limits their number.
class Relay final : public LinkedViewer, public std::enable_shared_from_this<Relay> {
public:
    Relay(asio::any_io_executor executor, std::shared_ptr<LinkClient> link,
          std::move_only_function<void(RelayedPreview)> done)
        : executor_(std::move(executor)), link_(std::move(link)), done_(std::move(done))
    {
    }

    // On the executor of the link.
    void open(StreamOpen open)
    {
        const auto stream = link_->open(std::move(open), shared_from_this());
        stream_ = stream;
    }
    void accepted() override;
    void rejected(const api::Problem& problem) override { finish(problem); }
    void receive(StreamMessage message) override { put(std::move(message)); }
    void closed(const WebSocketClose& close) override { put({close, 0}); }
    void lost() override
    {
        if (done_) return finish(WorkerUnreachable{});
        put({worker_gone, 0});
    }

    // On the strand of the viewer.
    void start(const asio::any_io_executor& strand)
    {
        const std::scoped_lock lock(mutex_);
        strand_ = strand;
        wake_ = std::make_shared<Signal>(strand);
    }
    void send(std::string text)
    {
        const auto bytes = text.size();
        if (unsent_ += bytes; unsent_ > max_unsent_bytes) {
            end({1008, "too many messages"});
            return leave();
        }
        asio::post(executor_, [self = shared_from_this(), text = std::move(text), bytes]() mutable {
            self->unsent_ -= bytes;
            self->link_->send(self->stream_, std::move(text));
        });
    }
    asio::awaitable<WebSocketMessage> next()
    {
        const auto self = shared_from_this();
        const auto wake = wake_;
        if (const auto cost = std::exchange(sending_, 0)) return_credit(cost);
        for (;;) {
            if (auto message = take()) co_return std::move(*message);
            co_await wake->wait(std::chrono::steady_clock::time_point::max());
        }
    }
    // Nothing but this close is sent any more.
    void end(WebSocketClose close)
    {
        std::unique_lock lock(mutex_);
        if (!closing_) closing_ = std::move(close);
        inbox_.clear();
        lock.unlock();
        if (wake_) wake_->notify();
    }
    // The relay may outlive the context of the strand.
    void forget_strand()
    {
        const std::scoped_lock lock(mutex_);
        wake_ = nullptr;
        strand_ = {};
    }
    void leave()
    {
        asio::post(executor_, [self = shared_from_this()] { self->link_->leave(self->stream_); });
    }

private:
    static constexpr std::size_t max_unsent_bytes = 1u << 20; // on their way to the executor of the link

    void finish(RelayedPreview result)
    {
        if (done_) std::exchange(done_, nullptr)(std::move(result));
    }
    void put(StreamMessage message)
    {
        const std::scoped_lock lock(mutex_);
        if (closing_) return;
        if (auto* const close = std::get_if<WebSocketClose>(&message.message)) {
            closing_ = std::move(*close);
            inbox_.clear();
        } else {
            inbox_.push_back(std::move(message));
        }
        if (wake_) asio::post(strand_, [wake = wake_] { wake->notify(); });
    }
    std::optional<WebSocketMessage> take()
    {
        const std::scoped_lock lock(mutex_);
        if (closing_) return *closing_;
        if (inbox_.empty()) return std::nullopt;
        auto first = std::move(inbox_.front());
        inbox_.pop_front();
        sending_ = first.cost;
        return std::move(first.message);
    }
    void return_credit(std::uint64_t cost)
    {
        asio::post(executor_,
                   [self = shared_from_this(), cost] { self->link_->consumed(self->stream_, cost); });
    }

    const asio::any_io_executor executor_;
    const std::shared_ptr<LinkClient> link_;
    std::move_only_function<void(RelayedPreview)> done_; // null after its call
    std::uint32_t stream_ = 0;                           // on the executor of the link
    std::atomic<std::size_t> unsent_ = 0;                // bytes
    std::uint64_t sending_ = 0;                          // cost of the message that the viewer is sent
    std::mutex mutex_;                                   // guards the members below
    std::deque<StreamMessage> inbox_;
    std::optional<WebSocketClose> closing_;
    asio::any_io_executor strand_;
    std::shared_ptr<Signal> wake_; // null before start() and after forget_strand()
};

class RelayedSession final : public WebSocketSession {
public:
    explicit RelayedSession(std::shared_ptr<Relay> relay) : relay_(std::move(relay)) {}
    // Also of a session that was never started.
    ~RelayedSession() override
    {
        relay_->forget_strand();
        relay_->leave();
    }
    RelayedSession(const RelayedSession&) = delete;
    RelayedSession& operator=(const RelayedSession&) = delete;

    std::string_view protocol() const override { return api::preview_protocol; }
    void start(asio::any_io_executor strand) override { relay_->start(strand); }
    void receive(std::string_view text) override { relay_->send(std::string(text)); }
    void receive_binary(std::string_view) override
    {
        relay_->end({1008, "binary messages are not part of the protocol"});
    }
    asio::awaitable<WebSocketMessage> next() override { return relay_->next(); }
    void stop() override { relay_->end({1001, "the server is stopping"}); }
    void disconnect() override
    {
        relay_->end({1001, ""});
        relay_->leave();
    }

private:
    std::shared_ptr<Relay> relay_;
};

void Relay::accepted()
{
    finish(std::make_unique<RelayedSession>(shared_from_this()));
}

} // namespace

void open_relayed(const asio::any_io_executor& executor, const std::shared_ptr<LinkClient>& link,
                  StreamOpen open, std::move_only_function<void(RelayedPreview)> done)
{
    std::make_shared<Relay>(executor, link, std::move(done))->open(std::move(open));
}

} // namespace vitrine::server
