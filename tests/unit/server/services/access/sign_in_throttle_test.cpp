// Delays after wrong passwords, which processes share by the database.

#include "server/services/access/sign_in_throttle.hpp"

#include <optional>

#include "server/services/database/database_connections.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

constexpr Micros sec = 1'000'000;

class CatalogSignInThrottle : public CatalogTest {
protected:
    // Fails if it may. Returns the seconds to wait.
    static unsigned fail(SignInThrottle& throttle, const std::string& name, const std::string& address,
                         Micros time)
    {
        auto attempt = throttle.begin(name, address, time);
        if (!attempt) return attempt.error();
        attempt->fail(time);
        return 0;
    }
    unsigned fail(const std::string& name, const std::string& address, Micros time)
    {
        return fail(throttle, name, address, time);
    }
    void fail_times(int times, const std::string& name, const std::string& address, Micros time)
    {
        for (int i = 0; i < times; ++i)
            EXPECT_EQ(fail(name, address, time), 0u) << i;
    }
    long long rows()
    {
        return catalog.connections().read([](DatabaseConnection& sql) {
            long long count = 0;
            sql << "SELECT COUNT(*) FROM sign_in_failures", soci::into(count);
            return count;
        });
    }

    SignInThrottle throttle{catalog.connections(), "test"};
};

TEST_F(CatalogSignInThrottle, DelaysDoubleAndAreForgotten)
{
    Micros time = 5000 * sec;
    fail_times(5, "maya", "192.0.2.1", time);
    EXPECT_EQ(fail("maya", "192.0.2.1", time), 1u);
    EXPECT_EQ(fail("MAYA", "192.0.2.1", time + sec / 2), 1u);
    EXPECT_EQ(fail("maya", "192.0.2.1", time += sec), 0u);
    EXPECT_EQ(fail("maya", "192.0.2.1", time), 2u);
    EXPECT_EQ(fail("maya", "192.0.2.1", time += 2 * sec), 0u);
    EXPECT_EQ(fail("maya", "192.0.2.1", time), 4u);
    EXPECT_EQ(fail("other", "192.0.2.1", time), 0u);
    EXPECT_EQ(fail("maya", "192.0.2.2", time), 0u);
    for (int i = 0; i < 20; ++i)
        time += static_cast<Micros>(fail("maya", "192.0.2.1", time)) * sec;
    EXPECT_LE(fail("maya", "192.0.2.1", time), 900u);
    fail_times(5, "maya", "192.0.2.1", time + 3601 * sec);
}

TEST_F(CatalogSignInThrottle, SuccessEndsTheDelays)
{
    fail_times(5, "maya", "a", sec);
    EXPECT_EQ(fail("maya", "a", sec), 1u);
    throttle.begin("maya", "a", 3 * sec).value().succeed();
    fail_times(5, "maya", "a", 3 * sec);
    EXPECT_EQ(fail("maya", "a", 3 * sec), 1u);
}

TEST_F(CatalogSignInThrottle, SuccessesWriteNothing)
{
    for (int i = 0; i < 30; ++i)
        throttle.begin("maya", "a", sec).value().succeed();
    EXPECT_EQ(rows(), 0);
}

// As if another process had counted them, or this one before its restart.
TEST_F(CatalogSignInThrottle, AnotherProcessKnowsTheFailures)
{
    Catalog same{location()};
    SignInThrottle other{same.connections(), "test"};
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(fail(i % 2 == 0 ? throttle : other, "maya", "a", sec), 0u);
    EXPECT_EQ(fail("maya", "a", sec), 1u);
    EXPECT_EQ(fail(other, "maya", "a", sec), 1u);
    other.begin("maya", "a", 2 * sec).value().succeed();
    EXPECT_EQ(fail("maya", "a", 2 * sec), 0u);
    SignInThrottle of_codes{same.connections(), "codes"};
    fail_times(4, "maya", "a", 2 * sec);
    EXPECT_EQ(fail(of_codes, "maya", "a", 2 * sec), 0u) << "counts apart";
}

TEST_F(CatalogSignInThrottle, AttemptsInProgressCount)
{
    std::vector<SignInThrottle::Attempt> attempts;
    for (int i = 0; i < 5; ++i)
        attempts.push_back(throttle.begin("maya", "a", sec).value());
    EXPECT_EQ(throttle.begin("maya", "a", sec).error(), 1u);
    EXPECT_TRUE(throttle.begin("other", "a", sec));
    attempts.clear();
    EXPECT_TRUE(throttle.begin("maya", "a", sec)) << "they did not happen";
}

TEST_F(CatalogSignInThrottle, ManyNamesOfOneAddressAreSlowed)
{
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(fail("user" + std::to_string(i), "2001:db8:1:2:3::" + std::to_string(i), sec), 0u);
    EXPECT_EQ(fail("another", "2001:db8:1:2::9", sec), 1u) << "the same network";
    EXPECT_EQ(fail("another", "2001:db8:1:3::9", sec), 0u);
    EXPECT_EQ(fail("another", "unix:1000", sec), 0u);
}

// A socket of both families shows IPv4 addresses in IPv6 form.
TEST_F(CatalogSignInThrottle, MappedAddressesAreThoseOfIpv4)
{
    fail_times(5, "maya", "::ffff:192.0.2.1", sec);
    EXPECT_EQ(fail("maya", "192.0.2.1", sec), 1u);
    EXPECT_EQ(fail("maya", "::ffff:192.0.2.2", sec), 0u);
}

// A user is never kept out for long by others.
TEST_F(CatalogSignInThrottle, OneNameOfManyAddressesIsSlowedLittle)
{
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(fail("maya", "10.0.0." + std::to_string(i), sec), 0u);
    Micros time = sec;
    for (int i = 100; i < 150; ++i) {
        const auto wait = fail("maya", "10.0.0." + std::to_string(i), time);
        EXPECT_LE(wait, 5u);
        time += static_cast<Micros>(wait) * sec;
    }
}

TEST_F(CatalogSignInThrottle, RowsAreLimited)
{
    SignInThrottle small(catalog.connections(), "test", 300);
    for (int i = 0; i < 5; ++i)
        fail(small, "maya", "a", 10'000 * sec);
    for (int i = 0; i < 500; ++i)
        fail(small, "name" + std::to_string(i), "address" + std::to_string(i), (9'000 + i / 10) * sec);
    EXPECT_LE(rows(), 300 + 3 * 32);
    EXPECT_EQ(fail(small, "maya", "a", 10'000 * sec), 1u) << "those that failed longest ago are removed";
    for (int i = 0; i < 32; ++i)
        fail(small, "later" + std::to_string(i), "l" + std::to_string(i), 20'000 * sec);
    EXPECT_LE(rows(), 3 * 32) << "and those that have no effect any more";
}

} // namespace
} // namespace vitrine::server::testing
