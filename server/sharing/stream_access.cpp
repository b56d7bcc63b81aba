#include "server/sharing/stream_access.hpp"

#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>

#include "server/net/request_guard.hpp"

namespace vitrine::server {
namespace {

// Whether a principal may be nobody later, while it has a stream open.
bool can_end(const Principal& principal)
{
    using Kind = Principal::Kind;
    return principal.kind == Kind::user || principal.kind == Kind::link ||
           (principal.kind == Kind::token && !principal.id.empty());
}

// Outlives its owner while its timer waits.
class StreamAccessTimer final : public std::enable_shared_from_this<StreamAccessTimer> {
public:
    StreamAccessTimer(StreamAccess access, std::chrono::milliseconds interval)
        : access_(std::move(access)), interval_(interval)
    {
    }

    // `end` is called at most once, and not after stop().
    void start(const asio::any_io_executor& strand, std::function<void()> end)
    {
        end_ = std::move(end);
        timer_.emplace(strand);
        wait();
    }
    void stop()
    {
        end_ = nullptr;
        if (timer_) timer_->cancel();
    }
    bool is_started() const { return timer_.has_value(); }
    bool has_ended() const { return has_ended_; }

private:
    void wait()
    {
        timer_->expires_after(interval_);
        timer_->async_wait([self = shared_from_this()](const boost::system::error_code& error) {
            if (!error && self->end_) self->look();
        });
    }
    void look()
    {
        if (access_()) return wait();
        has_ended_ = true;
        std::exchange(end_, nullptr)();
    }

    const StreamAccess access_;
    const std::chrono::milliseconds interval_;
    std::function<void()> end_;
    std::optional<asio::steady_timer> timer_;
    bool has_ended_ = false;
};

class LimitedEvents final : public EventStreamBody {
public:
    LimitedEvents(std::unique_ptr<EventStreamBody> inner, std::shared_ptr<StreamAccessTimer> timer)
        : inner_(std::move(inner)), timer_(std::move(timer))
    {
    }
    ~LimitedEvents() override { timer_->stop(); }
    LimitedEvents(const LimitedEvents&) = delete;
    LimitedEvents& operator=(const LimitedEvents&) = delete;

    bool is_complete() const override { return inner_->is_complete(); }
    asio::awaitable<std::string> next() override
    {
        if (!timer_->is_started())
            timer_->start(co_await asio::this_coro::executor, [this] { inner_->stop(); });
        auto piece = co_await inner_->next();
        if (timer_->has_ended() || piece.empty()) {
            timer_->stop();
            piece.clear();
        }
        co_return piece;
    }
    void stop() override
    {
        timer_->stop();
        inner_->stop();
    }

private:
    std::unique_ptr<EventStreamBody> inner_;
    std::shared_ptr<StreamAccessTimer> timer_;
};

class LimitedWebSocket final : public WebSocketSession {
public:
    LimitedWebSocket(std::unique_ptr<WebSocketSession> inner, std::shared_ptr<StreamAccessTimer> timer)
        : inner_(std::move(inner)), timer_(std::move(timer))
    {
    }
    ~LimitedWebSocket() override { timer_->stop(); }
    LimitedWebSocket(const LimitedWebSocket&) = delete;
    LimitedWebSocket& operator=(const LimitedWebSocket&) = delete;

    std::string_view protocol() const override { return inner_->protocol(); }
    void start(asio::any_io_executor strand) override
    {
        timer_->start(strand, [this] { inner_->stop(); });
        inner_->start(std::move(strand));
    }
    void receive(std::string_view text) override { inner_->receive(text); }
    void receive_binary(std::string_view bytes) override { inner_->receive_binary(bytes); }
    asio::awaitable<WebSocketMessage> next() override
    {
        auto message = co_await inner_->next();
        if (!std::holds_alternative<WebSocketClose>(message)) co_return message;
        const bool has_ended = timer_->has_ended();
        timer_->stop();
        if (has_ended) co_return WebSocketClose{access_ended_close, "access has ended"};
        co_return message;
    }
    void stop() override
    {
        timer_->stop();
        inner_->stop();
    }
    void disconnect() override
    {
        timer_->stop();
        inner_->disconnect();
    }

private:
    std::unique_ptr<WebSocketSession> inner_;
    std::shared_ptr<StreamAccessTimer> timer_;
};

} // namespace

namespace {

bool has_same_grants(const Principal& a, const Principal& b)
{
    return a.role == b.role && grants_with(a, Role::viewer) == grants_with(b, Role::viewer);
}

} // namespace

StreamAccess stream_access_of(const Guard& guard, const Request& request, const RouteRules& route)
{
    if (!can_end(request.principal)) return {};
    Request shown{.method = request.method, .headers = request.headers};
    shown.peer = request.peer; // a proxy may be trusted
    shown.tls = request.tls;
    return [&guard, shown = std::move(shown), before = request.principal, route] {
        const auto sender = guard.identify(shown);
        const auto& principal = *sender;
        return principal.kind == before.kind && principal.id == before.id &&
               principal.session == before.session &&
               (may(principal.role, route.access) || may_share(principal, route.sharing) ||
                (may_by_grant(principal, route.access, route.granted) && has_same_grants(principal, before)));
    };
}

void limit_stream(Response& response, StreamAccess access, std::chrono::milliseconds interval)
{
    auto* const events = std::get_if<std::unique_ptr<EventStreamBody>>(&response.body);
    auto* const socket = std::get_if<std::unique_ptr<WebSocketSession>>(&response.body);
    if (!access || (events == nullptr && socket == nullptr)) return;
    auto timer = std::make_shared<StreamAccessTimer>(std::move(access), interval);
    if (events != nullptr)
        response.body = std::make_unique<LimitedEvents>(std::move(*events), std::move(timer));
    else
        response.body = std::make_unique<LimitedWebSocket>(std::move(*socket), std::move(timer));
}

} // namespace vitrine::server
