// Server-sent events for changes of assets and jobs.

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include "loaders/base/parse_whole.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/handlers/query_reader.hpp"
#include "server/net/async.hpp"

namespace vitrine::server {
namespace {

struct EventNotifier {
    explicit EventNotifier(const asio::any_io_executor& executor) : strand(executor), signal(executor) {}
    asio::any_io_executor strand;
    Signal signal; // used on the strand
};

class EventFeed final : public EventStreamBody {
public:
    EventFeed(std::shared_ptr<EventNotifier> notifier, std::unique_ptr<EventBus::Subscription> subscription,
              std::chrono::milliseconds heartbeat)
        : notifier_(std::move(notifier)), subscription_(std::move(subscription)), heartbeat_(heartbeat)
    {
    }

    asio::awaitable<std::string> next() override
    {
        if (!std::exchange(greeted_, true)) co_return std::string("retry: 2000\n: vitrine\n\n");
        auto deadline = std::chrono::steady_clock::now() + heartbeat_;
        while (!stopped_) {
            auto text = format(subscription_->take());
            if (!text.empty()) co_return text;
            if (std::chrono::steady_clock::now() >= deadline) co_return std::string(": heartbeat\n\n");
            co_await notifier_->signal.wait(deadline);
        }
        co_return std::string();
    }

    void stop() override
    {
        stopped_ = true;
        notifier_->signal.notify();
    }

private:
    static std::string format(const EventBus::Batch& batch)
    {
        std::string text;
        if (batch.reset) text += fmt::format("id: {}\nevent: reset\ndata: {{}}\n\n", batch.last_id);
        for (const auto& event : batch.events) {
            text += fmt::format("id: {}\nevent: {}\ndata: {}\n\n", event->id, event->type, event->data);
        }
        return text;
    }

    std::shared_ptr<EventNotifier> notifier_;
    std::unique_ptr<EventBus::Subscription> subscription_;
    std::chrono::milliseconds heartbeat_;
    bool greeted_ = false;
    bool stopped_ = false;
};

std::expected<std::optional<std::uint64_t>, api::Problem> last_event_id(const Request& request)
{
    QueryReader reader(request); // EventSource cannot set header fields: the query replaces Last-Event-ID on
                                 // the first connection
    auto text = reader.text("lastEventId");
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    auto field = request.headers.find("Last-Event-ID");
    auto chosen = field ? std::string(*field) : text.value_or("");
    if (chosen.empty()) return std::nullopt;
    auto id = parse_whole<std::uint64_t>(chosen);
    if (!id) return problem(400, "bad_event_id", "Last-Event-ID must be an id that this server sent.");
    return id;
}

} // namespace

asio::awaitable<HandlerResult> get_events(Request& request, BodySource&, Context& context)
{
    auto after = last_event_id(request);
    if (!after) co_return std::unexpected(after.error());
    auto notifier = std::make_shared<EventNotifier>(co_await asio::this_coro::executor);
    std::weak_ptr<EventNotifier> weak = notifier;
    auto wake = [weak, strand = notifier->strand] {
        asio::post(strand, [weak] {
            if (auto locked = weak.lock()) locked->signal.notify();
        });
    };
    auto subscription = context.services.events.subscribe(*after, wake);
    if (!subscription) co_return problem(subscription.error());
    Response response{.status = 200};
    response.headers.add("Content-Type", "text/event-stream");
    response.headers.add("Cache-Control", "no-store");
    response.headers.add("X-Accel-Buffering", "no");
    response.body = std::make_unique<EventFeed>(notifier, std::move(*subscription), context.limits.heartbeat);
    co_return response;
}

} // namespace vitrine::server
