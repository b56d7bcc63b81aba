#include "server/link/link_pool.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/dispatch.hpp>
#include <prometheus/gauge.h>
#include <spdlog/spdlog.h>

#include "server/link/relayed_session.hpp"
#include "server/net/async.hpp"
#include "server/net/transport/connect.hpp"
#include "server/net/websocket.hpp"

namespace vitrine::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::minutes forget_time{5}; // after the last failure of a worker without a link

} // namespace

// On the executor of the links.
class LinkPool::State : public std::enable_shared_from_this<State> {
public:
    State(asio::any_io_executor link_executor, LinkPoolOptions pool_options, prometheus::Registry& registry)
        : executor(std::move(link_executor)), options(std::move(pool_options)),
          links_(prometheus::BuildGauge()
                     .Name("vitrine_links")
                     .Help("Connections to workers that show live previews of this process")
                     .Register(registry)
                     .Add({}))
    {
    }

    void open(const LinkTarget& target, StreamOpen open, std::move_only_function<void(RelayedPreview)> done)
    {
        const auto link = link_to(target);
        if (!link) return done(WorkerUnreachable{});
        open_relayed(executor, link, std::move(open), std::move(done));
    }

    void stop()
    {
        is_stopping_ = true;
        for (auto& [worker, entry] : workers_)
            if (const auto link = entry.link) link->stop();
    }

    const asio::any_io_executor executor;
    const LinkPoolOptions options;

private:
    struct LinkedWorker {
        std::shared_ptr<LinkClient> link; // null: there is none
        Clock::time_point retry{};        // no link is opened before
        std::chrono::milliseconds pause{0};
    };

    // Null while the worker is not to be tried.
    std::shared_ptr<LinkClient> link_to(const LinkTarget& target)
    {
        if (is_stopping_) return nullptr;
        const auto now = Clock::now();
        std::erase_if(workers_, [&](const auto& one) {
            return !one.second.link && one.second.retry + forget_time < now;
        });
        auto& entry = workers_[target.worker];
        if (entry.link && !entry.link->has_ended()) return entry.link;
        if (entry.link) forget_link(entry); // before run() has ended
        if (now < entry.retry) return nullptr;
        entry.link = std::make_shared<LinkClient>(executor, options.secret, options.times);
        entry.link->begin();
        asio::co_spawn(executor, run(shared_from_this(), target, entry.link), asio::detached);
        return entry.link;
    }

    static asio::awaitable<void> run(std::shared_ptr<State> self, LinkTarget target,
                                     std::shared_ptr<LinkClient> link)
    {
        self->links_.Increment();
        std::string end;
        try {
            end = co_await self->connect_and_run(target, link);
        } catch (const std::exception& error) {
            end = error.what();
        }
        self->links_.Decrement();
        link->disconnect();
        self->ended(target, link, link->failure().empty() ? end : link->failure());
    }

    // Returns why the link has ended.
    asio::awaitable<std::string> connect_and_run(const LinkTarget& target, std::shared_ptr<LinkClient> link)
    {
        auto stream = co_await connect_stream(target.address, options.authorities, options.connect_time);
        if (!stream) co_return stream.error();
        if (link->has_ended()) co_return "";
        // Each server accepts the name localhost: it is no browser's page that asks.
        WebSocketTarget websocket{.host = "localhost", .path = std::string(link_path)};
        websocket.handshake_time = options.connect_time;
        websocket.idle_time = options.alive_time;
        co_return co_await run_websocket_client(std::move(*stream), std::move(websocket), link);
    }

    void ended(const LinkTarget& target, const std::shared_ptr<LinkClient>& link, const std::string& why)
    {
        if (link->is_broken() && !is_stopping_)
            spdlog::warn("msg=\"link to a worker ended\" worker={} address={} error={:?}", target.worker,
                         target.address, why);
        if (auto& entry = workers_[target.worker]; entry.link == link) forget_link(entry);
    }

    void forget_link(LinkedWorker& entry) const
    {
        const auto link = std::exchange(entry.link, nullptr);
        if (!link->is_broken()) return;
        if (link->was_ready()) entry.pause = {};
        entry.pause = std::clamp(2 * entry.pause, options.first_pause, options.max_pause);
        entry.retry = Clock::now() + entry.pause;
    }

    std::map<std::string, LinkedWorker> workers_; // by id
    prometheus::Gauge& links_;
    bool is_stopping_ = false;
};

LinkPool::LinkPool(asio::any_io_executor executor, LinkPoolOptions options, prometheus::Registry& registry)
    : state_(std::make_shared<State>(std::move(executor), std::move(options), registry))
{
}

LinkPool::~LinkPool() = default;

std::vector<LinkTarget> LinkPool::find(const std::string& content_hash) const
{
    return state_->options.find(content_hash);
}

asio::awaitable<RelayedPreview> LinkPool::open(LinkTarget target, StreamOpen open)
{
    co_return co_await await_callback<RelayedPreview>([state = state_, target, open](auto complete) {
        asio::dispatch(state->executor, [state, target, open, complete = std::move(complete)]() mutable {
            state->open(target, std::move(open), std::move(complete));
        });
    });
}

void LinkPool::stop()
{
    asio::dispatch(state_->executor, [state = state_] { state->stop(); });
}

} // namespace vitrine::server
