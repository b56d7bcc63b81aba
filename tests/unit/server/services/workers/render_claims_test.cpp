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

class CatalogDrawClaims : public RenderQueueTest {
protected:
    static DrawOrder order_of(const std::string& etag, const std::string& id)
    {
        auto tagged = order(id);
        tagged.etag = etag;
        return tagged;
    }
    // Queues a request whose worker has ended.
    void lose(const std::string& id, std::chrono::milliseconds alone)
    {
        auto draws = queue({.lease = 1ms, .grace = 1h, .alone = alone});
        ASSERT_TRUE(draws.ask(order(id)));
        ASSERT_TRUE(draws.claim("ended", true));
        std::this_thread::sleep_for(5ms);
        draws.tidy();
    }
};

TEST_F(CatalogDrawClaims, AnotherImageThanWasAskedForIsDrawnAgainByAnotherWorker)
{
    auto draws = queue();
    ASSERT_TRUE(draws.ask(order_of("\"new\"", "a")));
    ASSERT_TRUE(draws.finish(draws.claim("w1", true).value(), {.body = "old picture", .etag = "\"old\""}));
    EXPECT_EQ(draws.find_outcome("a")->etag, "\"old\"");
    ASSERT_TRUE(draws.ask(order_of("\"new\"", "a")));
    EXPECT_FALSE(draws.find_outcome("a"));
    EXPECT_FALSE(draws.claim("w1", true));
    ASSERT_TRUE(draws.finish(draws.claim("w2", true).value(), {.body = "picture", .etag = "\"new\""}));
    ASSERT_TRUE(draws.ask(order_of("\"new\"", "a")));
    EXPECT_EQ(draws.find_outcome("a")->body, "picture");
}

TEST_F(CatalogDrawClaims, TheOnlyWorkerDrawsItAgainAfterAMoment)
{
    auto draws = queue({.grace = 1h, .avoid = 0ms});
    ASSERT_TRUE(draws.ask(order_of("\"new\"", "a")));
    ASSERT_TRUE(draws.finish(draws.claim("w1", true).value(), {.etag = "\"old\""}));
    ASSERT_TRUE(draws.ask(order_of("\"new\"", "a")));
    EXPECT_TRUE(draws.claim("w1", true));
}

TEST_F(CatalogDrawClaims, AReservedRequestIsClaimedByItsWorkerOrAnIdleOne)
{
    auto draws = queue();
    EXPECT_FALSE(draws.reserve("w1")) << "there is none";
    lose("lost", 0ms);
    ASSERT_TRUE(draws.ask(order("first")));
    EXPECT_TRUE(draws.reserve("w1"));
    EXPECT_TRUE(draws.reserve("w1")) << "still";
    EXPECT_FALSE(draws.reserve("w2"));
    EXPECT_EQ(draws.claim("w1", false)->id, "first") << "it still draws others";
    EXPECT_FALSE(draws.claim("w2", false));
    EXPECT_EQ(draws.claim("w2", true)->id, "lost") << "it has no other work";
    EXPECT_FALSE(draws.reserve("w1")) << "another draws it";
    draws.release("w2");
    ASSERT_TRUE(draws.ask(order("second")));
    EXPECT_TRUE(draws.reserve("w1"));
    const auto claim = draws.claim("w1", true).value();
    EXPECT_EQ(claim.id, "lost") << "before all others";
    EXPECT_TRUE(claim.is_alone);
}

TEST_F(CatalogDrawClaims, ItIsReservedAfterAWhileAndUntilTheWorkerEnds)
{
    auto draws = queue();
    lose("lost", 1h);
    EXPECT_FALSE(draws.reserve("w1"));
    EXPECT_TRUE(draws.claim("w1", true)) << "a worker without work takes it at once";
    draws.release("w1");
    EXPECT_TRUE(draws.reserve("w2"));
    draws.release("w2");
    EXPECT_TRUE(queue({.lease = 1ms}).reserve("w3"));
    std::this_thread::sleep_for(5ms);
    EXPECT_TRUE(draws.claim("w4", true)) << "the lease of the reservation is over";
}

TEST_F(CatalogDrawClaims, RequestsThatAreNotUrgentMayBeLeftOut)
{
    auto draws = queue();
    auto slow = order("slow");
    slow.priority = 1;
    ASSERT_TRUE(draws.ask(slow));
    EXPECT_FALSE(draws.claim("w", true, 0));
    EXPECT_EQ(draws.claim("w", true)->priority, 1u);
}

TEST_F(CatalogDrawClaims, TheWorkerLearnsWhatNobodyWaitsFor)
{
    auto draws = queue({.wanted_after_leave = 0ms, .grace = 1h});
    ASSERT_TRUE(draws.ask(order("a")));
    ASSERT_TRUE(draws.ask(order("b")));
    const auto first = draws.claim("w", false).value(), second = draws.claim("w", false).value();
    EXPECT_THAT(draws.renew("w"), IsEmpty());
    draws.leave("a");
    EXPECT_THAT(draws.renew("w"), ElementsAre(Pair("a", first.claim)));
    EXPECT_THAT(draws.renew("other"), IsEmpty());
    draws.give_back(first);
    EXPECT_FALSE(draws.claim("w", true));
    EXPECT_FALSE(draws.finish(first, {.body = "late"}));
    EXPECT_TRUE(draws.keep("a"));
    const auto again = draws.claim("w", false).value();
    EXPECT_EQ(again.id, "a");
    EXPECT_NE(again.claim, first.claim);
    EXPECT_FALSE(again.is_alone);
    EXPECT_TRUE(draws.finish(second, {.body = "drawn"}));
}

TEST_F(CatalogDrawClaims, OneThatLeavesDoesNotMakeTheOthersWaitLonger)
{
    auto impatient = queue({.wanted = 1ms, .wanted_after_leave = 1h});
    ASSERT_TRUE(impatient.ask(order("a")));
    impatient.leave("a");
    std::this_thread::sleep_for(5ms);
    EXPECT_EQ(impatient.length(), 0u);
}

} // namespace
} // namespace vitrine::server::testing
