// Server-sent events for changes of assets and jobs.

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include "loaders/base/parse_whole.hpp"
#include "server/handlers/common.hpp"
#include "server/handlers/handlers.hpp"
#include "server/net/async.hpp"
#include "server/routing/query_reader.hpp"
#include "server/services/events/event_filter.hpp"
#include "server/services/events/event_types.hpp"
#include "server/services/events/visible_events.hpp"

namespace vitrine::server {
namespace {

struct EventNotifier {
    explicit EventNotifier(const asio::any_io_executor& executor) : strand(executor), signal(executor) {}
    asio::any_io_executor strand;
    Signal signal; // used on the strand
};

// Which events are about collections: about one itself, or about an asset that is in one now.
class CollectionFilter {
public:
    CollectionFilter(Context& context, std::vector<std::string> ids) : context_(context), ids_(std::move(ids))
    {
    }

    // Before wants(): reads where the assets of these events are.
    asio::awaitable<void> prepare(const EventBus::Batch& batch)
    {
        members_.clear();
        if (ids_.empty() || batch.events.empty()) co_return;
        members_ =
            co_await run_on_pool(context_.catalog_pool, [this, &batch] { return find_members(batch); });
    }

    bool wants(const Event& event) const
    {
        const auto is_about = [&](const std::string& id) {
            return event.data.starts_with(fmt::format("{{\"collection\":{{\"id\":\"{}\"", id));
        };
        return ids_.empty() || std::ranges::any_of(ids_, is_about) || members_.contains(asset_of(event));
    }

private:
    using AssetIds = std::set<std::string, std::less<>>;

    AssetIds find_members(const EventBus::Batch& batch) const
    {
        AssetIds assets, members;
        for (const auto& event : batch.events)
            assets.emplace(asset_of(*event));
        for (const auto& asset : assets)
            if (!asset.empty() && is_member(asset)) members.insert(asset);
        return members;
    }

    bool is_member(const std::string& asset) const
    {
        const auto is_wanted = [&](const Collection& collection) {
            return std::ranges::find(ids_, collection.id) != ids_.end();
        };
        CollectionQuery query{.asset = asset, .limit = 1000};
        for (;;) {
            const auto page = context_.services.collections.list(query);
            if (!page) return false;
            if (std::ranges::any_of(page->items, is_wanted)) return true;
            if (page->next.empty()) return false;
            query.cursor = page->next;
        }
    }

    Context& context_;
    const std::vector<std::string> ids_;
    AssetIds members_; // of the events of prepare() that have an asset
};

// Of who reads by grants.
class VisibleEvents {
public:
    VisibleEvents(Context& context, SharedVisibility visible)
        : context_(context), visible_(std::move(visible))
    {
    }

    // `skipped_id`: becomes the id of the last event, if there is one.
    asio::awaitable<void> restrict(EventBus::Batch& batch, std::uint64_t& skipped_id) const
    {
        if (!visible_ || batch.events.empty()) co_return;
        skipped_id = batch.events.back()->id;
        batch.events = co_await run_on_pool(context_.catalog_pool, [this, &batch] {
            return visible_events(batch.events, visible_, context_.services.catalog.connections());
        });
    }

private:
    Context& context_;
    const SharedVisibility visible_;
};

class EventFeed final : public EventStreamBody {
public:
    EventFeed(std::shared_ptr<EventNotifier> notifier, std::unique_ptr<EventBus::Subscription> subscription,
              EventFilter filter, CollectionFilter collections, VisibleEvents visible,
              std::chrono::milliseconds heartbeat)
        : notifier_(std::move(notifier)), subscription_(std::move(subscription)), filter_(std::move(filter)),
          collections_(std::move(collections)), visible_(std::move(visible)), heartbeat_(heartbeat)
    {
    }

    asio::awaitable<std::string> next() override
    {
        if (!std::exchange(greeted_, true)) co_return std::string("retry: 2000\n: vitrine\n\n");
        auto deadline = std::chrono::steady_clock::now() + heartbeat_;
        while (!stopped_) {
            auto batch = subscription_->take();
            const bool is_end = batch.events.empty();
            co_await visible_.restrict(batch, skipped_id_);
            co_await collections_.prepare(batch);
            auto text = format(batch);
            if (!text.empty()) co_return text;
            if (std::chrono::steady_clock::now() >= deadline) co_return heartbeat_text();
            if (is_end) co_await notifier_->signal.wait(deadline);
        }
        co_return std::string();
    }

    void stop() override
    {
        stopped_ = true;
        notifier_->signal.notify();
    }

private:
    std::string format(const EventBus::Batch& batch)
    {
        std::string text;
        if (batch.reset) text += fmt::format("id: {}\nevent: reset\ndata: {{}}\n\n", batch.last_id);
        for (const auto& event : batch.events) {
            skipped_id_ = event->id;
            if (!filter_.wants(*event) || !collections_.wants(*event)) continue;
            text += fmt::format("id: {}\nevent: {}\ndata: {}\n\n", event->id, event->type, event->data);
            skipped_id_ = 0;
        }
        return text;
    }

    // With the id of the last event that was left out: the client goes on behind it. An id without data is no
    // event.
    std::string heartbeat_text()
    {
        const auto id = std::exchange(skipped_id_, 0);
        return id == 0 ? ": heartbeat\n\n" : fmt::format(": heartbeat\nid: {}\n\n", id);
    }

    std::shared_ptr<EventNotifier> notifier_;
    std::unique_ptr<EventBus::Subscription> subscription_;
    const EventFilter filter_;
    CollectionFilter collections_;
    const VisibleEvents visible_;
    std::chrono::milliseconds heartbeat_;
    std::uint64_t skipped_id_ = 0; // of an event after the last one that was sent; 0: none
    bool greeted_ = false;
    bool stopped_ = false;
};

constexpr std::size_t max_filter_words = 32; // of each parameter

struct EventsQuery {
    EventFilter filter{};
    std::vector<std::string> collections{}; // ids; empty: all
    std::optional<std::string> last_id{};
};

std::expected<EventsQuery, api::Problem> read_events_query(const Request& request)
{
    QueryReader reader(request); // EventSource cannot set header fields: the query replaces Last-Event-ID on
                                 // the first connection
    EventsQuery query{.filter = {.types = reader.texts("type"), .assets = reader.texts("asset")},
                      .collections = reader.texts("collection"),
                      .last_id = reader.text("lastEventId")};
    if (!std::ranges::all_of(query.filter.types, is_event_filter))
        reader.reject("type", fmt::format("must be asset.*, collection.*, {}", fmt::join(event_types, ", ")));
    if (query.filter.types.size() > max_filter_words) reader.reject("type", "is given too often");
    if (query.filter.assets.size() > max_filter_words) reader.reject("asset", "is given too often");
    if (query.collections.size() > max_filter_words) reader.reject("collection", "is given too often");
    if (auto rejection = reader.finish()) return std::unexpected(*rejection);
    return query;
}

std::expected<std::optional<std::uint64_t>, api::Problem>
last_event_id(const Request& request, const std::optional<std::string>& text)
{
    auto field = request.headers.find("Last-Event-ID");
    auto chosen = field ? std::string(*field) : text.value_or("");
    if (chosen.empty()) return std::nullopt;
    auto id = parse_whole<std::uint64_t>(chosen);
    if (!id) return problem(400, "bad_event_id", "Last-Event-ID must be an id that this server sent.");
    return id;
}

std::optional<api::Problem> find_missing(const std::vector<std::string>& collections, Context& context)
{
    for (const auto& id : collections)
        if (const auto found = context.services.collections.find(id); !found)
            return to_problem(found.error());
    return std::nullopt;
}

} // namespace

asio::awaitable<HandlerResult> get_events(Request& request, BodySource&, Context& context)
{
    auto query = read_events_query(request);
    if (!query) co_return std::unexpected(query.error());
    auto after = last_event_id(request, query->last_id);
    if (!after) co_return std::unexpected(after.error());
    const auto visible = visibility_of(request.principal, Access::read);
    if (!query->collections.empty()) {
        const auto find = [&] {
            const VisibilityScope seen(visible);
            return find_missing(query->collections, context);
        };
        if (auto missing = co_await run_on_pool(context.catalog_pool, find))
            co_return std::unexpected(*std::move(missing));
    }
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
    response.body = std::make_unique<EventFeed>(notifier, std::move(*subscription), std::move(query->filter),
                                                CollectionFilter(context, std::move(query->collections)),
                                                VisibleEvents(context, visible), context.limits.heartbeat);
    co_return response;
}

} // namespace vitrine::server
