// Counts of rate limits that processes share by the database.

#include "server/services/access/rate_counts.hpp"

#include <fmt/format.h>

#include "server/services/database/database_connections.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;

class CatalogRateCounts : public CatalogTest {
protected:
    long long rows()
    {
        return catalog.connections().read([](DatabaseConnection& sql) {
            long long count = 0;
            sql << "SELECT COUNT(*) FROM rate_counts", soci::into(count);
            return count;
        });
    }

    Catalog same{location()};
    RateCounts a{catalog.connections()}, b{same.connections()};
};

// Times pass between the calls: much less than an hour.
TEST_F(CatalogRateCounts, AddUp)
{
    EXPECT_GT(a.add("reads x", 10h, 0s).value(), 9h);
    EXPECT_GT(b.add("reads x", 10h, 0s).value(), 19h);
    EXPECT_LE(a.add("reads x", 1h, 0s).value(), 21h);
    EXPECT_LE(b.add("writes x", 1h, 0s).value(), 1h) << "another row";
}

TEST_F(CatalogRateCounts, BeginWithTheFirstRequest)
{
    EXPECT_LT(a.add("reads x", 10h, 100h).value(), 0s);
    EXPECT_LE(a.add("reads x", 10h, 4h).value(), 6h);
    EXPECT_GT(b.add("reads x", 10h, 4h).value(), 15h) << "after what others have added";
}

TEST_F(CatalogRateCounts, OldRowsAreRemovedAndTheOthersLimited)
{
    RateCounts small(catalog.connections(), 100);
    for (int i = 0; i < 257; ++i)
        small.add(fmt::format("old {}", i), 1h, 2h);
    EXPECT_EQ(rows(), 0);
    small.add("first", 100h, 0s);
    for (int i = 0; i < 512; ++i)
        small.add(fmt::format("new {}", i), 10h, 0s);
    EXPECT_LE(rows(), 100 + 256);
    EXPECT_GT(small.add("first", 1h, 0s).value(), 100h);
}

} // namespace
} // namespace vitrine::server::testing
