// Counts of requests, with times as arguments.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/net/request_guard.hpp"
#include "server/routing/request_rates.hpp"

namespace vitrine::server {
namespace {

using namespace std::chrono_literals;

constexpr RateLimit ten_a_minute{10, 60s};
const RateLimiter::Time start{std::chrono::hours(1000)};

class RateLimiterTest : public ::testing::Test {
protected:
    RateStatus count(RateLimiter::Time now, std::string_view sender = "a", RateLimit limit = ten_a_minute,
                     RateClass rate_class = RateClass::reads)
    {
        return limiter.count(sender, rate_class, limit, now);
    }
    // Requests at one instant until one is rejected.
    int allowed(RateLimiter::Time now, std::string_view sender = "a")
    {
        int requests = 0;
        while (!count(now, sender).is_rejected())
            ++requests;
        return requests;
    }

    RateLimiter limiter;
};

TEST_F(RateLimiterTest, AllowsAllOfTheLimitAtOnce)
{
    EXPECT_EQ(allowed(start), 10);
    EXPECT_EQ(allowed(start), 0);
}

TEST_F(RateLimiterTest, RefillsEvenly)
{
    EXPECT_EQ(allowed(start), 10);
    EXPECT_EQ(allowed(start + 5999ms), 0);
    EXPECT_EQ(allowed(start + 6s), 1) << "a tenth of the limit in a tenth of its time";
    EXPECT_EQ(allowed(start + 18s), 2);
    EXPECT_EQ(allowed(start + 10min), 10) << "and no more than the limit";
}

TEST_F(RateLimiterTest, SaysWhatIsLeft)
{
    auto status = count(start);
    EXPECT_EQ(status.remaining, 9u);
    EXPECT_EQ(status.reset_s, 6u);
    EXPECT_EQ(rate_policy_field(status), "\"reads\";q=10;w=60");
    EXPECT_EQ(rate_limit_field(status), "\"reads\";r=9;t=6");
    EXPECT_EQ(rate_field_lines(status), "RateLimit-Policy: \"reads\";q=10;w=60\r\n"
                                        "RateLimit: \"reads\";r=9;t=6\r\n");
    EXPECT_EQ(allowed(start), 9);
    status = count(start + 500ms);
    EXPECT_TRUE(status.is_rejected());
    EXPECT_EQ(status.remaining, 0u);
    EXPECT_EQ(status.wait_s, 6u) << "5.5 s, in whole seconds";
    EXPECT_EQ(status.reset_s, 60u);
    EXPECT_FALSE(count(start + 500ms + std::chrono::seconds(status.wait_s)).is_rejected());
}

TEST_F(RateLimiterTest, RejectedRequestsDoNotCount)
{
    EXPECT_EQ(allowed(start), 10);
    for (int i = 0; i < 1000; ++i)
        EXPECT_TRUE(count(start + 1s).is_rejected());
    EXPECT_EQ(allowed(start + 6s), 1);
}

TEST_F(RateLimiterTest, SendersAndClassesAreApart)
{
    EXPECT_EQ(allowed(start), 10);
    EXPECT_EQ(allowed(start, "b"), 10);
    EXPECT_FALSE(count(start, "a", ten_a_minute, RateClass::writes).is_rejected());
    EXPECT_FALSE(count(start, "a", ten_a_minute, RateClass::renders).is_rejected());
}

TEST_F(RateLimiterTest, WithoutALimitNothingIsCounted)
{
    for (int i = 0; i < 100; ++i)
        EXPECT_FALSE(count(start, "a", {}).is_limited());
    EXPECT_EQ(allowed(start), 10);
}

// The memory is fixed: senders that come once do not push out one who is over the limit.
TEST_F(RateLimiterTest, ManySendersDoNotHideOne)
{
    EXPECT_EQ(allowed(start, "flood"), 10);
    for (std::size_t i = 0; i < 2 * RateLimiter::ways * RateLimiter::sets; ++i)
        count(start, fmt::format("once {}", i));
    EXPECT_EQ(allowed(start, "flood"), 0);
}

class RequestRatesTest : public ::testing::Test {
protected:
    static RateLimits limits(std::uint32_t reads)
    {
        RateLimits made;
        made[RateClass::reads] = {reads, 60s};
        return made;
    }
    int allowed(const Principal& principal, const char* address)
    {
        Request request;
        request.principal = principal;
        request.client_address = boost::asio::ip::make_address(address);
        int requests = 0;
        while (requests < 100 && !rates.count(request, nullptr, start).is_rejected())
            ++requests;
        return requests;
    }

    prometheus::Registry registry;
    RequestRates rates{limits(5), limits(3), registry};
};

const Principal anonymous{};
const Principal token_a{.kind = Principal::Kind::token, .role = Role::viewer, .id = "tok_a"};

TEST_F(RequestRatesTest, PrincipalsCountWhereverTheyAre)
{
    EXPECT_EQ(allowed(token_a, "192.0.2.1"), 5);
    EXPECT_EQ(allowed(token_a, "192.0.2.2"), 0);
    EXPECT_EQ(allowed({.kind = Principal::Kind::user, .role = Role::viewer, .id = "tok_a"}, "192.0.2.1"), 5);
    EXPECT_EQ(allowed(anonymous, "192.0.2.1"), 3) << "the address apart from the token";
}

TEST_F(RequestRatesTest, AddressesOfOneNetworkCountTogether)
{
    EXPECT_EQ(allowed(anonymous, "192.0.2.1"), 3);
    EXPECT_EQ(allowed(anonymous, "::ffff:192.0.2.1"), 0) << "mapped";
    EXPECT_EQ(allowed(anonymous, "192.0.2.2"), 3);
    EXPECT_EQ(allowed(anonymous, "2001:db8:1:2::1"), 3);
    EXPECT_EQ(allowed(anonymous, "2001:db8:1:2:ffff::9"), 0) << "of the same /64";
    EXPECT_EQ(allowed(anonymous, "2001:db8:1:3::1"), 3);
}

TEST_F(RequestRatesTest, LinksCountByTheirAddress)
{
    const Principal link{.kind = Principal::Kind::link, .role = Role::link, .id = "share_a"};
    const Principal signed_url{.kind = Principal::Kind::signed_url, .role = Role::link};
    EXPECT_EQ(allowed(link, "192.0.2.1"), 3);
    EXPECT_EQ(allowed(signed_url, "192.0.2.1"), 0) << "with the same";
    EXPECT_EQ(allowed(signed_url, "192.0.2.2"), 3);
}

TEST_F(RequestRatesTest, CachedResponsesCountWithTheOthers)
{
    const PeerAddress nowhere;
    CacheHit hit;
    ASSERT_TRUE(rates.count_cached(token_a, nowhere, start, hit));
    EXPECT_EQ(hit.rate_fields, "RateLimit-Policy: \"reads\";q=5;w=60\r\nRateLimit: \"reads\";r=4;t=12\r\n");
    EXPECT_EQ(allowed(token_a, "192.0.2.1"), 4);
    EXPECT_FALSE(rates.count_cached(token_a, nowhere, start, hit));
}

TEST_F(RequestRatesTest, ClassesFollowTheRoute)
{
    const Route render{.access = Access::read, .is_costly = true};
    const Route read{.access = Access::read};
    const Route write{.access = Access::write};
    EXPECT_EQ(rate_class_of(&render, Method::get), RateClass::renders);
    const Route large{.access = Access::read, .pool = Pool::exports};
    EXPECT_EQ(rate_class_of(&large, Method::get), RateClass::renders);
    EXPECT_EQ(rate_class_of(&read, Method::get), RateClass::reads);
    EXPECT_EQ(rate_class_of(&read, Method::post), RateClass::reads);
    EXPECT_EQ(rate_class_of(&write, Method::delete_), RateClass::writes);
    EXPECT_EQ(rate_class_of(nullptr, Method::get), RateClass::reads);
    EXPECT_EQ(rate_class_of(nullptr, Method::put), RateClass::writes);
    Request request;
    const Route health{.access = Access::anyone, .is_unlimited = true};
    for (int i = 0; i < 100; ++i)
        EXPECT_FALSE(rates.count(request, &health, start).is_limited());
}

TEST(RateLimits, AreParsed)
{
    const auto parsed = parse_rate_limits("--rate-limit", default_address_limits(),
                                          {"reads=50/s", "renders=1000/h", "writes=0"});
    ASSERT_TRUE(parsed) << parsed.error();
    EXPECT_EQ((*parsed)[RateClass::reads], (RateLimit{50, 1s}));
    EXPECT_EQ((*parsed)[RateClass::renders], (RateLimit{1000, 3600s}));
    EXPECT_FALSE((*parsed)[RateClass::writes].is_set());
    for (const char* wrong : {"", "reads", "reads=", "reads=5", "reads=-1/s", "reads=5/d", "uploads=5/s",
                              "reads=5/s/s", "reads=1.5/s", "reads=9999999999/s"}) {
        const auto rejected = parse_rate_limits("--rate-limit", {}, {wrong});
        ASSERT_FALSE(rejected) << wrong;
        EXPECT_TRUE(rejected.error().starts_with("--rate-limit must be")) << rejected.error();
    }
}

} // namespace
} // namespace vitrine::server
