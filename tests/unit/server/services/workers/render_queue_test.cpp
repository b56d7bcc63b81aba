// The queue of images, on both databases: what processes that wait and workers do with its rows.

#include "server/services/workers/render_queue.hpp"

#include <atomic>
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "server/services/database/database_connections.hpp"
#include "tests/unit/server/services/workers/render_queue_fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CatalogDraws : public RenderQueueTest {
protected:
    static RemoteRender order_for(const std::string& worker, const std::string& id)
    {
        auto preferring = remote_render(id);
        preferring.preferred = worker;
        return preferring;
    }
    static std::string claimed(RenderQueue& requests, const std::string& worker)
    {
        const auto claim = requests.claim(worker, true);
        return claim ? claim->id : "";
    }
};

// All bytes, in a text.
std::string every_byte()
{
    std::string bytes;
    for (int i = 0; i < 256; ++i)
        bytes += static_cast<char>(i);
    return bytes;
}

TEST_F(CatalogDraws, AnAnswerHasEveryByte)
{
    auto requests = queue();
    ASSERT_TRUE(requests.ask(remote_render("a")));
    EXPECT_EQ(requests.length(), 1u);
    EXPECT_FALSE(requests.find_outcome("a"));
    const auto claim = requests.claim("w", true).value();
    EXPECT_EQ(claim.request, "draw a");
    EXPECT_FALSE(claim.is_alone);
    EXPECT_EQ(requests.length(), 0u);
    for (const auto& body : {every_byte(), every_byte() + "x", every_byte() + "xy", std::string()}) {
        auto again = queue();
        const auto id = "body" + std::to_string(body.size());
        ASSERT_TRUE(again.ask(remote_render(id)));
        const auto own = again.claim("w", true).value();
        EXPECT_TRUE(again.finish(own, {.content_type = "image/png", .body = body}));
        const auto outcome = again.find_outcome(id).value();
        EXPECT_EQ(outcome.status, 200);
        EXPECT_EQ(outcome.content_type, "image/png");
        EXPECT_EQ(outcome.body, body);
    }
}

TEST_F(CatalogDraws, EqualOrdersAreOneRequest)
{
    auto requests = queue();
    ASSERT_TRUE(requests.ask(remote_render("a")));
    ASSERT_TRUE(requests.ask(remote_render("a")));
    const auto claim = requests.claim("w", true).value();
    ASSERT_TRUE(requests.ask(remote_render("a"))) << "joins the one that is drawn";
    EXPECT_FALSE(requests.claim("w", true));
    ASSERT_TRUE(requests.finish(claim, {.body = "drawn"}));
    ASSERT_TRUE(requests.ask(remote_render("a"))) << "the answer is there already";
    EXPECT_FALSE(requests.claim("w", true));
    EXPECT_EQ(requests.find_outcome("a")->body, "drawn");
}

TEST_F(CatalogDraws, AFailureIsDrawnAgainWhenItIsAskedAgain)
{
    auto requests = queue();
    ASSERT_TRUE(requests.ask(remote_render("a")));
    ASSERT_TRUE(requests.finish(requests.claim("w", true).value(), {.status = 503, .body = "{}"}));
    EXPECT_EQ(requests.find_outcome("a")->status, 503);
    ASSERT_TRUE(requests.ask(remote_render("a")));
    EXPECT_FALSE(requests.find_outcome("a"));
    EXPECT_TRUE(requests.claim("w", true));
}

TEST_F(CatalogDraws, UrgentOnesComeFirstThenTheOldest)
{
    auto requests = queue();
    auto slow = remote_render("slow");
    slow.priority = 1;
    ASSERT_TRUE(requests.ask(slow));
    ASSERT_TRUE(requests.ask(remote_render("a")));
    ASSERT_TRUE(requests.ask(remote_render("b")));
    EXPECT_EQ(claimed(requests, "w"), "a");
    EXPECT_EQ(claimed(requests, "w"), "b");
    EXPECT_EQ(claimed(requests, "w"), "slow");
    EXPECT_EQ(claimed(requests, "w"), "");
}

TEST_F(CatalogDraws, OtherWorkersLeaveItToThePreferredOneForAMoment)
{
    auto requests = queue();
    ASSERT_TRUE(requests.ask(order_for("w1", "a")));
    EXPECT_EQ(claimed(requests, "w2"), "");
    EXPECT_EQ(claimed(requests, "w1"), "a");
    auto later = queue({.grace = 0ms});
    ASSERT_TRUE(later.ask(order_for("w1", "b")));
    EXPECT_EQ(claimed(later, "w2"), "b");
}

TEST_F(CatalogDraws, ALostClaimWritesNothing)
{
    auto requests = queue({.lease = -1ms, .grace = 1h});
    ASSERT_TRUE(requests.ask(remote_render("a")));
    const auto first = requests.claim("w1", true).value();
    requests.tidy();
    const auto second = requests.claim("w2", true).value();
    EXPECT_TRUE(second.is_alone);
    EXPECT_NE(second.claim, first.claim);
    EXPECT_FALSE(requests.finish(first, {.body = "late"}));
    EXPECT_TRUE(requests.finish(second, {.body = "drawn"}));
    EXPECT_EQ(requests.find_outcome("a")->body, "drawn");
}

TEST_F(CatalogDraws, ARequestThatEndedAWorkerIsDrawnAlone)
{
    auto requests = queue({.lease = -1ms, .grace = 1h});
    ASSERT_TRUE(requests.ask(remote_render("a")));
    ASSERT_TRUE(requests.claim("w1", true));
    requests.tidy();
    EXPECT_FALSE(requests.claim("w2", false));
    EXPECT_TRUE(requests.claim("w2", true));
}

TEST_F(CatalogDraws, AModelThatEndsTwoWorkersIsQuarantined)
{
    auto requests = queue({.lease = -1ms, .grace = 1h});
    ASSERT_TRUE(requests.ask(remote_render("a")));
    for (const auto* worker : {"w1", "w2"}) {
        ASSERT_TRUE(requests.claim(worker, true));
        requests.tidy();
    }
    const auto outcome = requests.find_outcome("a").value();
    EXPECT_EQ(outcome.status, 422);
    EXPECT_THAT(outcome.body, HasSubstr("render_quarantined"));
    EXPECT_THAT(requests.quarantined(), ElementsAre("model of a"));
    auto another = remote_render("b");
    another.model = "model of a";
    const auto asked = requests.ask(another);
    ASSERT_FALSE(asked);
    EXPECT_EQ(asked.error().code, "render_quarantined");
    auto expired = queue({.quarantine = -1h});
    expired.tidy();
    EXPECT_THAT(requests.quarantined(), IsEmpty());
    EXPECT_TRUE(requests.ask(another));
}

TEST_F(CatalogDraws, AQuarantineIsLiftedForOneModel)
{
    auto requests = queue();
    for (const auto* model : {"model of a", "model of b", "model of a"})
        requests.quarantine(model);
    requests.lift_quarantine({"model of a", "model that is not in quarantine"});
    EXPECT_THAT(requests.quarantined(), ElementsAre("model of b"));
    EXPECT_TRUE(requests.ask(remote_render("a")));
    EXPECT_FALSE(requests.ask(remote_render("b")));
}

TEST_F(CatalogDraws, AStopLosesNothingAndBlamesNoModel)
{
    auto requests = queue();
    ASSERT_TRUE(requests.ask(remote_render("a")));
    ASSERT_TRUE(requests.claim("w1", true));
    requests.release("w1");
    const auto claim = requests.claim("w2", false);
    ASSERT_TRUE(claim);
    EXPECT_FALSE(claim->is_alone);
}

TEST_F(CatalogDraws, RenewedLeasesAreKept)
{
    auto requests = queue({.lease = 1h, .grace = 1h});
    auto expiring = queue({.lease = -1ms, .grace = 1h});
    ASSERT_TRUE(requests.ask(remote_render("a")));
    ASSERT_TRUE(expiring.claim("w1", true));
    requests.renew("w1");
    requests.tidy();
    EXPECT_FALSE(requests.claim("w2", true));
}

TEST_F(CatalogDraws, WhatNobodyWaitsForIsNotDrawn)
{
    auto requests = queue({.wanted = -1ms, .grace = 1h});
    ASSERT_TRUE(requests.ask(remote_render("a")));
    EXPECT_EQ(requests.length(), 0u);
    EXPECT_FALSE(requests.claim("w", true));
    auto patient = queue();
    EXPECT_TRUE(patient.keep("a"));
    EXPECT_EQ(patient.length(), 1u);
    EXPECT_TRUE(requests.keep("a"));
    requests.tidy();
    EXPECT_FALSE(patient.keep("a"));
}

TEST_F(CatalogDraws, AnswersAreKeptForAMoment)
{
    auto requests = queue({.grace = 1h, .keep = 1h});
    ASSERT_TRUE(requests.ask(remote_render("a")));
    ASSERT_TRUE(requests.finish(requests.claim("w", true).value(), {.body = "drawn"}));
    requests.tidy();
    EXPECT_TRUE(requests.find_outcome("a"));
    queue({.keep = 0ms}).tidy();
    EXPECT_FALSE(requests.find_outcome("a"));
}

TEST_F(CatalogDraws, AFullQueueRejects)
{
    auto requests = queue({.max_queued = 2, .max_request_bytes = 100});
    ASSERT_TRUE(requests.ask(remote_render("a")));
    ASSERT_TRUE(requests.ask(remote_render("b")));
    const auto full = requests.ask(remote_render("c"));
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, "render_queue_full");
    EXPECT_GT(full.error().retry_after_s, 0u);
    EXPECT_TRUE(requests.ask(remote_render("b"))) << "joins";
    auto large = remote_render("a");
    large.request = std::string(101, 'x');
    EXPECT_EQ(requests.ask(large).error().kind, Errc::too_large);
}

TEST_F(CatalogDraws, AnAnswerOverTheLimitIsAProblem)
{
    auto requests = queue({.max_body_bytes = 10, .grace = 1h});
    ASSERT_TRUE(requests.ask(remote_render("a")));
    ASSERT_TRUE(requests.finish(requests.claim("w", true).value(), {.body = "eleven bytes"}));
    EXPECT_EQ(requests.find_outcome("a")->status, 503);
}

TEST_F(CatalogDraws, EachRequestIsClaimedOnce)
{
    constexpr int count = 40;
    auto requests = queue();
    for (int i = 0; i < count; ++i)
        ASSERT_TRUE(requests.ask(remote_render(std::to_string(i))));
    std::mutex mutex;
    std::multiset<std::string> ids;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&, worker = "w" + std::to_string(i)] {
                while (const auto claim = requests.claim(worker, false)) {
                    const std::lock_guard lock(mutex);
                    ids.insert(claim->id);
                }
            });
    }
    EXPECT_EQ(ids.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(std::set(ids.begin(), ids.end()).size(), static_cast<std::size_t>(count));
}

TEST_F(CatalogDraws, ARequestOutdatesNoAsset)
{
    const auto fish = add("fish").id;
    const auto known = catalog.generations().of_asset(fish);
    auto requests = queue();
    ASSERT_TRUE(requests.ask(remote_render("a")));
    requests.quarantine("model");
    requests.tidy();
    EXPECT_TRUE(known.is_current());
}

} // namespace
} // namespace vitrine::server::testing
