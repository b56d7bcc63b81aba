// Deliveries from the event to the end.

#include "server/services/webhooks/delivery_queue.hpp"

#include <set>
#include <thread>

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include "server/tracing/trace_scope.hpp"
#include "tests/unit/server/services/webhooks/webhooks_fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;
using Kind = DeliveryOutcome::Kind;

} // namespace

TEST_F(CatalogWebhooks, DeliverTheEventsAfterTheirCreation)
{
    add("before");
    const auto all = make().webhook.id;
    const auto created = make({"asset.created"}).webhook.id;
    const auto jobs = make({"job"}).webhook.id;
    const auto asset = add("after");
    add_all();
    EXPECT_THAT(types_of(created), ElementsAre("asset.created"));
    EXPECT_THAT(types_of(all).size(), types_of(created).size() + types_of(jobs).size());
    add_all();
    EXPECT_THAT(types_of(created), SizeIs(1)) << "once";

    const auto claim = queue.claim("me").value();
    const auto body = boost::json::parse(claim.body);
    EXPECT_EQ(body.at("type").as_string(), "asset.created");
    EXPECT_EQ(body.at_pointer("/data/asset/id").as_string(), asset.id);
    EXPECT_THAT(std::string(body.at("timestamp").as_string()), StartsWith("20"));
    EXPECT_EQ(claim.url, "https://hooks.example/");
    EXPECT_EQ(claim.attempt, 1u);
}

TEST_F(CatalogWebhooks, KeepTheTraceOfWhatHasCausedTheEvent)
{
    make({"asset.created"});
    const std::string trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    {
        const TraceScope scope(trace);
        add("traced");
    }
    add("other");
    add_all();
    EXPECT_EQ(queue.claim("me").value().trace, trace);
    EXPECT_EQ(queue.claim("me").value().trace, "");
}

TEST_F(CatalogWebhooks, FailuresAreRepeatedLaterAndThenDead)
{
    const auto id = make().webhook.id;
    const auto test = queue.add_test(id).value();
    EXPECT_EQ(queue.next_due(), 0ms);
    auto claim = queue.claim("me").value();
    EXPECT_EQ(only_delivery(id).state, DeliveryState::running);
    EXPECT_FALSE(queue.claim("other")) << "one process at a time";
    ASSERT_TRUE(
        queue.finish(claim, {.kind = Kind::failed, .status = 500, .problem_code = "status", .pause = 1h}));
    const auto waiting = only_delivery(id);
    EXPECT_EQ(waiting.state, DeliveryState::queued);
    EXPECT_EQ(waiting.attempts, 1u);
    EXPECT_EQ(waiting.status, 500);
    EXPECT_EQ(waiting.problem_code, "status");
    EXPECT_GT(waiting.next, waiting.attempted + 3'000'000'000);
    EXPECT_FALSE(queue.claim("me")) << "not yet";
    EXPECT_GT(queue.next_due().value(), 59min);
    EXPECT_FALSE(queue.finish(claim, {.kind = Kind::delivered})) << "the claim is over";

    execute("UPDATE webhook_deliveries SET run_after = 0");
    claim = queue.claim("me").value();
    EXPECT_EQ(claim.attempt, 2u);
    EXPECT_EQ(claim.id, test.id) << "receivers recognize the repetition";
    ASSERT_TRUE(queue.finish(claim, {.kind = Kind::dead, .problem_code = "timeout"}));
    const auto dead = only_delivery(id);
    EXPECT_EQ(dead.state, DeliveryState::dead);
    EXPECT_EQ(dead.next, 0);
    EXPECT_NE(dead.finished, 0);
    EXPECT_FALSE(queue.next_due());
}

TEST_F(CatalogWebhooks, DeadAndDeliveredOnesAreReplayed)
{
    const auto id = make().webhook.id;
    const auto delivery = queue.add_test(id)->id;
    EXPECT_EQ(queue.replay(id, delivery).error().code, "delivery_waiting");
    for (const auto kind : {Kind::dead, Kind::delivered}) {
        ASSERT_TRUE(queue.finish(queue.claim("me").value(), {.kind = kind, .status = 200}));
        const auto again = queue.replay(id, delivery).value();
        EXPECT_EQ(again.state, DeliveryState::queued);
        EXPECT_EQ(again.attempts, 0u);
        EXPECT_EQ(again.status, 0);
    }
    EXPECT_EQ(queue.replay(id, "msg_none").error().code, "no_delivery");
    EXPECT_EQ(queue.replay("webhook_none", delivery).error().code, "no_webhook");
    EXPECT_EQ(queue.replay(make().webhook.id, delivery).error().code, "no_delivery") << "of another webhook";
}

TEST_F(CatalogWebhooks, LostClaimsAreRecovered)
{
    const auto id = make().webhook.id;
    ASSERT_TRUE(queue.add_test(id));
    const auto lost = queue.claim("dead process").value();
    queue.recover([](const std::string&) { return false; });
    EXPECT_FALSE(queue.claim("me")) << "the lease holds";
    queue.recover([](const std::string& owner) { return owner == "dead process"; });
    const auto claim = queue.claim("me").value();
    EXPECT_EQ(claim.id, lost.id);
    EXPECT_FALSE(queue.finish(lost, {.kind = Kind::delivered})) << "fenced by the number of the claim";
    execute("UPDATE webhook_deliveries SET lease_until = 1");
    queue.recover([](const std::string&) { return false; });
    const auto third = queue.claim("me").value();
    EXPECT_EQ(third.attempt, 3u);
    queue.release(third);
    EXPECT_EQ(only_delivery(id).attempts, 2u) << "undone";
}

TEST_F(CatalogWebhooks, EventsAreKeptUntilTheyAreDeliveries)
{
    const auto id = make({"asset.created"}).webhook.id;
    add("one");
    add("two");
    catalog.remove_old_events(1, 24h);
    add_all();
    EXPECT_THAT(types_of(id), SizeIs(2));
    catalog.remove_old_events(1, 24h);
    EXPECT_THAT(catalog.newest_events(10), SizeIs(1));
    ASSERT_TRUE(webhooks.change(id, {.disabled = true}));
    add("three");
    add("four");
    catalog.remove_old_events(1, 24h);
    EXPECT_THAT(catalog.newest_events(10), SizeIs(1)) << "a disabled webhook keeps none";
}

TEST_F(CatalogWebhooks, DeliveriesArePaged)
{
    const auto id = make().webhook.id;
    std::set<std::string> ids;
    for (int i = 0; i < 5; ++i)
        ids.insert(queue.add_test(id)->id);
    const auto first = queue.list(id, {.limit = 3}).value();
    const auto rest = queue.list(id, {.before = first.back().id, .limit = 3}).value();
    ASSERT_THAT(first, SizeIs(3));
    ASSERT_THAT(rest, SizeIs(2));
    for (const auto* page : {&first, &rest})
        for (const auto& delivery : *page)
            ids.erase(delivery.id);
    EXPECT_THAT(ids, IsEmpty());
}

// Several threads as several processes: each event becomes one delivery, and each delivery has one holder.
TEST_F(CatalogWebhooks, SeveralProcessesShareTheWork)
{
    const auto id = make({"asset.created"}).webhook.id;
    constexpr int assets = 40;
    for (int i = 0; i < assets; ++i)
        add("model" + std::to_string(i));
    std::mutex mutex;
    std::multiset<std::string> claimed;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                add_all();
                while (const auto claim = queue.claim("thread")) {
                    queue.finish(*claim, {.kind = Kind::delivered});
                    const std::lock_guard lock(mutex);
                    claimed.insert(claim->id);
                }
            });
    }
    add_all();
    while (const auto claim = queue.claim("last")) {
        queue.finish(*claim, {.kind = Kind::delivered});
        claimed.insert(claim->id);
    }
    EXPECT_EQ(claimed.size(), std::size_t(assets));
    EXPECT_EQ(std::set(claimed.begin(), claimed.end()).size(), std::size_t(assets));
    EXPECT_THAT(types_of(id), SizeIs(assets));
}

} // namespace vitrine::server::testing
