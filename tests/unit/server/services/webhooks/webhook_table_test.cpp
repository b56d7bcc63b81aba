// Webhooks in the database, and what they deliver.

#include "server/services/webhooks/webhook_table.hpp"

#include <map>

#include "tests/unit/server/services/webhooks/webhooks_fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::SizeIs;
using ::testing::StartsWith;
using Kind = DeliveryOutcome::Kind;

} // namespace

TEST_F(CatalogWebhooks, AreListedWithoutTheirSecrets)
{
    const auto made = make({"asset.*", "job"});
    EXPECT_THAT(made.webhook.id, StartsWith("webhook_"));
    EXPECT_THAT(made.secret, StartsWith("whsec_"));
    const auto other = make();
    const auto all = webhooks.list();
    ASSERT_THAT(all, SizeIs(2));
    EXPECT_EQ(all[0].id, other.webhook.id) << "the newest first";
    EXPECT_THAT(all[1].events, ElementsAre("asset.*", "job"));
    EXPECT_EQ(all[1].created, made.webhook.created);
    EXPECT_EQ(webhooks.find("webhook_none").error().code, "no_webhook");
    ASSERT_TRUE(webhooks.remove(other.webhook.id));
    EXPECT_EQ(webhooks.remove(other.webhook.id).error().code, "no_webhook");
    EXPECT_THAT(webhooks.list(), SizeIs(1));
}

TEST_F(CatalogWebhooks, AreBounded)
{
    for (long long i = 0; i < max_webhooks; ++i)
        make();
    EXPECT_EQ(webhooks.create({.url = "https://hooks.example/"}).error().code, "too_many_webhooks");
}

TEST_F(CatalogWebhooks, DisabledOnesMissWhatHappens)
{
    const auto id = make({"asset.created"}).webhook.id;
    add("one");
    add_all();
    EXPECT_EQ(webhooks.change(id, {.disabled = true})->disabled, "request");
    add("two");
    add_all();
    EXPECT_FALSE(queue.claim("me")) << "what waits is kept";
    EXPECT_FALSE(queue.next_due());
    EXPECT_FALSE(queue.has_webhooks());
    EXPECT_EQ(queue.add_test(id).error().code, "webhook_disabled");
    EXPECT_EQ(webhooks.change(id, {.disabled = false})->disabled, "");
    add("three");
    add_all();
    EXPECT_THAT(types_of(id), SizeIs(2));
    EXPECT_TRUE(queue.claim("me"));
}

TEST_F(CatalogWebhooks, RotationKeepsTheFormerSecretForATime)
{
    const auto made = make();
    const auto rotated = webhooks.rotate(made.webhook.id, 1h).value();
    EXPECT_NE(rotated.secret, made.secret);
    EXPECT_GT(rotated.webhook.former_secret_until, rotated.webhook.updated);
    ASSERT_TRUE(queue.add_test(made.webhook.id));
    EXPECT_THAT(queue.claim("me")->secrets, ElementsAre(rotated.secret, made.secret));
    const auto last = webhooks.rotate(made.webhook.id, 0s).value();
    EXPECT_EQ(last.webhook.former_secret_until, 0);
    ASSERT_TRUE(queue.add_test(made.webhook.id));
    EXPECT_THAT(queue.claim("me")->secrets, ElementsAre(last.secret));
}

TEST_F(CatalogWebhooks, GoneDisables)
{
    const auto id = make().webhook.id;
    ASSERT_TRUE(queue.add_test(id));
    ASSERT_TRUE(queue.finish(queue.claim("me").value(), {.kind = Kind::gone, .status = 410}));
    EXPECT_EQ(webhooks.find(id)->disabled, "gone");
    EXPECT_EQ(only_delivery(id).state, DeliveryState::dead);
}

TEST_F(CatalogWebhooks, OneWebhookDoesNotTakeAllRequests)
{
    const auto slow = make().webhook.id;
    for (int i = 0; i < 5; ++i)
        ASSERT_TRUE(queue.add_test(slow));
    const auto other = make().webhook.id;
    ASSERT_TRUE(queue.add_test(other));
    std::map<std::string, int> claimed;
    while (const auto claim = queue.claim("me"))
        ++claimed[claim->webhook];
    EXPECT_EQ(claimed[slow], 2);
    EXPECT_EQ(claimed[other], 1);
}

TEST_F(CatalogWebhooks, QueuesAreBoundedByDeadLetters)
{
    const auto id = make({"asset.created"}).webhook.id;
    execute("INSERT INTO webhook_deliveries (id, webhook, event, type, body, state, created, run_after) "
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
            "SELECT 'msg_' || i, '" +
            id + "', 1, 'job', '{}', 'queued', 1, 1 FROM n");
    add("late");
    add_all();
    const auto dead = queue.list(id, {.state = DeliveryState::dead}).value();
    ASSERT_THAT(dead, SizeIs(1));
    EXPECT_EQ(dead[0].problem_code, "queue_full");
    EXPECT_EQ(queue.queued(), 10'000u);
}

TEST_F(CatalogWebhooks, OldDeliveriesAreRemoved)
{
    const auto id = make().webhook.id;
    for (int i = 0; i < 3; ++i)
        ASSERT_TRUE(queue.add_test(id));
    ASSERT_TRUE(queue.finish(queue.claim("me").value(), {.kind = Kind::delivered}));
    ASSERT_TRUE(queue.finish(queue.claim("me").value(), {.kind = Kind::dead}));
    queue.remove_old();
    EXPECT_THAT(types_of(id), SizeIs(3));
    execute("UPDATE webhook_deliveries SET finished = 1 WHERE finished > 0");
    queue.remove_old();
    EXPECT_EQ(only_delivery(id).state, DeliveryState::queued) << "what waits is not old";
    ASSERT_TRUE(webhooks.remove(id));
    EXPECT_EQ(queue.queued(), 0u);
    EXPECT_EQ(queue.list(id, {}).error().code, "no_webhook");
}

} // namespace vitrine::server::testing
