// The queue of images, on both databases: claims of requests that are special.

#include <thread>

#include <gmock/gmock.h>

#include "tests/unit/server/services/workers/render_queue_fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class CatalogRenderClaims : public RenderQueueTest {
protected:
    static RemoteRender order_of(const std::string& etag, const std::string& id)
    {
        auto tagged = remote_render(id);
        tagged.etag = etag;
        return tagged;
    }
    // Queues a request whose worker has ended.
    void lose(const std::string& id, std::chrono::milliseconds alone)
    {
        auto requests = queue({.lease = -1ms, .grace = 1h, .alone = alone});
        ASSERT_TRUE(requests.ask(remote_render(id)));
        ASSERT_TRUE(requests.claim("ended", true));
        requests.tidy();
    }
};

TEST_F(CatalogRenderClaims, AnotherImageThanWasAskedForIsDrawnAgainByAnotherWorker)
{
    auto requests = queue();
    ASSERT_TRUE(requests.ask(order_of("\"new\"", "a")));
    ASSERT_TRUE(
        requests.finish(requests.claim("w1", true).value(), {.body = "old picture", .etag = "\"old\""}));
    EXPECT_EQ(requests.find_outcome("a")->etag, "\"old\"");
    ASSERT_TRUE(requests.ask(order_of("\"new\"", "a")));
    EXPECT_FALSE(requests.find_outcome("a"));
    EXPECT_FALSE(requests.claim("w1", true));
    ASSERT_TRUE(requests.finish(requests.claim("w2", true).value(), {.body = "picture", .etag = "\"new\""}));
    ASSERT_TRUE(requests.ask(order_of("\"new\"", "a")));
    EXPECT_EQ(requests.find_outcome("a")->body, "picture");
}

TEST_F(CatalogRenderClaims, TheOnlyWorkerDrawsItAgainAfterAMoment)
{
    auto requests = queue({.grace = 1h, .avoid = 0ms});
    ASSERT_TRUE(requests.ask(order_of("\"new\"", "a")));
    ASSERT_TRUE(requests.finish(requests.claim("w1", true).value(), {.etag = "\"old\""}));
    ASSERT_TRUE(requests.ask(order_of("\"new\"", "a")));
    EXPECT_TRUE(requests.claim("w1", true));
}

TEST_F(CatalogRenderClaims, AReservedRequestIsClaimedByItsWorkerOrAnIdleOne)
{
    auto requests = queue();
    EXPECT_FALSE(requests.reserve("w1")) << "there is none";
    lose("lost", 0ms);
    ASSERT_TRUE(requests.ask(remote_render("first")));
    EXPECT_TRUE(requests.reserve("w1"));
    EXPECT_TRUE(requests.reserve("w1")) << "still";
    EXPECT_FALSE(requests.reserve("w2"));
    EXPECT_EQ(requests.claim("w1", false)->id, "first") << "it still renders others";
    EXPECT_FALSE(requests.claim("w2", false));
    EXPECT_EQ(requests.claim("w2", true)->id, "lost") << "it has no other work";
    EXPECT_FALSE(requests.reserve("w1")) << "another worker renders it";
    requests.release("w2");
    ASSERT_TRUE(requests.ask(remote_render("second")));
    EXPECT_TRUE(requests.reserve("w1"));
    const auto claim = requests.claim("w1", true).value();
    EXPECT_EQ(claim.id, "lost") << "before all others";
    EXPECT_TRUE(claim.is_alone);
}

TEST_F(CatalogRenderClaims, ItIsReservedAfterAWhileAndUntilTheWorkerEnds)
{
    auto requests = queue();
    lose("lost", 1h);
    EXPECT_FALSE(requests.reserve("w1"));
    EXPECT_TRUE(requests.claim("w1", true)) << "a worker without work takes it at once";
    requests.release("w1");
    EXPECT_TRUE(requests.reserve("w2"));
    requests.release("w2");
    EXPECT_TRUE(queue({.lease = -1ms}).reserve("w3"));
    EXPECT_TRUE(requests.claim("w4", true)) << "the lease of the reservation is over";
}

TEST_F(CatalogRenderClaims, RequestsThatAreNotUrgentMayBeLeftOut)
{
    auto requests = queue();
    auto slow = remote_render("slow");
    slow.priority = 1;
    ASSERT_TRUE(requests.ask(slow));
    EXPECT_FALSE(requests.claim("w", true, 0));
    EXPECT_EQ(requests.claim("w", true)->priority, 1u);
}

TEST_F(CatalogRenderClaims, TheWorkerLearnsWhatNobodyWaitsFor)
{
    auto requests = queue({.wanted_after_leave = 0ms, .grace = 1h});
    ASSERT_TRUE(requests.ask(remote_render("a")));
    ASSERT_TRUE(requests.ask(remote_render("b")));
    const auto first = requests.claim("w", false).value(), second = requests.claim("w", false).value();
    EXPECT_THAT(requests.renew("w"), IsEmpty());
    requests.leave("a");
    EXPECT_THAT(requests.renew("w"), ElementsAre(Pair("a", first.claim)));
    EXPECT_THAT(requests.renew("other"), IsEmpty());
    requests.give_back(first);
    EXPECT_FALSE(requests.claim("w", true));
    EXPECT_FALSE(requests.finish(first, {.body = "late"}));
    EXPECT_TRUE(requests.keep("a"));
    const auto again = requests.claim("w", false).value();
    EXPECT_EQ(again.id, "a");
    EXPECT_NE(again.claim, first.claim);
    EXPECT_FALSE(again.is_alone);
    EXPECT_TRUE(requests.finish(second, {.body = "drawn"}));
}

TEST_F(CatalogRenderClaims, OneThatLeavesDoesNotMakeTheOthersWaitLonger)
{
    auto impatient = queue({.wanted = -1ms, .wanted_after_leave = 1h});
    ASSERT_TRUE(impatient.ask(remote_render("a")));
    impatient.leave("a");
    EXPECT_EQ(impatient.length(), 0u);
}

} // namespace
} // namespace vitrine::server::testing
