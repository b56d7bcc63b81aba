// Counts of requests that several processes share.

#include "server/routing/rates/rate_limiter.hpp"

#include <gtest/gtest.h>

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

constexpr RateLimit ten_in_a_minute{10, 60s};
const RateLimiter::Time beginning{std::chrono::hours(1000)};

// Two processes and what they share: the time of one sender, on the same clock.
class SharedRateLimiterTest : public ::testing::Test {
protected:
    std::optional<std::chrono::nanoseconds> add(std::string_view id, std::chrono::nanoseconds spent,
                                                std::chrono::nanoseconds age)
    {
        ++writes;
        last_id = id;
        if (is_away) return std::nullopt;
        full = std::max(full, now - age) + spent;
        return full - now;
    }
    bool allows(RateLimiter& limiter, RateLimit limit)
    {
        auto status = limiter.count("a", RateClass::reads, limit, now);
        if (status.must_share) {
            limiter.share("a", RateClass::reads, limit, now);
            status = limiter.count("a", RateClass::reads, limit, now, false);
        }
        left = status.remaining;
        return !status.is_rejected();
    }
    int allowed(RateLimiter& limiter, RateLimit limit)
    {
        int requests = 0;
        while (allows(limiter, limit))
            ++requests;
        return requests;
    }
    int allowed_in_turn(RateLimit limit)
    {
        int requests = 0;
        for (bool in_a = true, in_b = true; in_a || in_b;) {
            in_a = allows(a, limit);
            in_b = allows(b, limit);
            requests += int{in_a} + int{in_b};
        }
        return requests;
    }

    RateLimiter::AddToShared shared = [this](auto... added) { return add(added...); };
    RateLimiter a{shared}, b{shared};
    RateLimiter::Time now = beginning, full{};
    std::string last_id;
    int writes = 0;
    std::uint32_t left = 0;
    bool is_away = false;
};

constexpr RateLimit many_a_minute{600, 60s};

TEST_F(SharedRateLimiterTest, ProcessesShareTheLimit)
{
    EXPECT_EQ(allowed(a, many_a_minute), 600);
    EXPECT_EQ(last_id, "reads a");
    EXPECT_LE(allowed(b, many_a_minute), 37) << "what a process counts before it asks";
    EXPECT_EQ(RateLimiter::unshared_limit(many_a_minute), 37u);
    EXPECT_LE(writes, 600 / 37 + 2);
}

TEST_F(SharedRateLimiterTest, RequestsInTurnAreSharedToo)
{
    const auto requests = allowed_in_turn(many_a_minute);
    EXPECT_GE(requests, 600 - 37);
    EXPECT_LE(requests, 600 + 37);
    now += 30s;
    const auto later = allowed_in_turn(many_a_minute);
    EXPECT_GE(later, 300 - 2 * 37);
    EXPECT_LE(later, 300 + 37);
}

TEST_F(SharedRateLimiterTest, SmallLimitsAreExactButForOne)
{
    EXPECT_LE(allowed_in_turn(ten_in_a_minute), 11);
    EXPECT_EQ(allowed(a, ten_in_a_minute), 0);
}

// The rate of each process is allowed, that of both together is not.
TEST_F(SharedRateLimiterTest, RatesOfProcessesAddUp)
{
    int requests = 0;
    for (int step = 0; step < 3 * 60 * 9; ++step, now += std::chrono::nanoseconds(60s) / (9 * 60))
        requests += int{allows(a, many_a_minute)} + int{allows(b, many_a_minute)};
    EXPECT_LE(requests, 600 + 3 * 600 + 2 * 37) << "of 2 * 1620";
    EXPECT_GE(requests, 600 + 3 * 600 - 2 * 37);
}

TEST_F(SharedRateLimiterTest, SlowSendersHaveTheirWholeLimit)
{
    for (int i = 0; i < 200; ++i, now += 1s)
        ASSERT_TRUE(allows(a, many_a_minute));
    EXPECT_EQ(left, 599u);
    EXPECT_EQ(allowed(a, many_a_minute), 600);
}

TEST_F(SharedRateLimiterTest, RestartedProcessLearnsWhatWasCounted)
{
    EXPECT_EQ(allowed(a, many_a_minute), 600);
    RateLimiter restarted{shared};
    EXPECT_LE(allowed(restarted, many_a_minute), 37);
}

TEST_F(SharedRateLimiterTest, AProcessCountsAloneWhileTheOthersAreAway)
{
    is_away = true;
    EXPECT_EQ(allowed(a, many_a_minute), 600);
    EXPECT_EQ(allowed(b, many_a_minute), 600);
    is_away = false;
    now += 30s;
    EXPECT_EQ(allowed(a, many_a_minute), 300) << "by what it knows";
    EXPECT_LE(allowed(b, many_a_minute), 1) << "it has learned of the others";
}

} // namespace
} // namespace vitrine::server
