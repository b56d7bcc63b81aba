// What /readyz says about the catalog.

#include "server/services/readiness_probe.hpp"

#include <sqlite3.h>

#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/support/fixture.hpp"
#include "tests/unit/server/services/support/migrated_catalog.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;

class ReadinessProbeTest : public ServicesTest {
protected:
    void execute(const char* text)
    {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open((folder() / "catalog.sqlite").c_str(), &database), SQLITE_OK);
        ASSERT_EQ(sqlite3_busy_timeout(database, 30'000), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, text, nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(database);
    }

    Catalog catalog{with_tables(folder() / "catalog.sqlite")};
};

TEST_F(ReadinessProbeTest, LooksFirstWhenItIsMade)
{
    const ReadinessProbe probe(catalog, folder(), {.interval = 1h, .max_age = 1h});
    EXPECT_TRUE(probe.state().catalog);
    EXPECT_GT(probe.state().free_bytes, 0u);
    execute("DROP TABLE migrations");
    EXPECT_TRUE(probe.state().catalog) << "it was not looked at again";
    EXPECT_FALSE(ReadinessProbe(catalog, folder(), {}).state().catalog);
}

TEST_F(ReadinessProbeTest, FollowsTheCatalog)
{
    ReadinessProbe probe(catalog, folder(), {.interval = 5ms, .max_age = 1h});
    probe.start();
    execute("ALTER TABLE migrations RENAME TO moved");
    EXPECT_TRUE(test::eventually([&] { return !probe.state().catalog; }));
    execute("ALTER TABLE moved RENAME TO migrations");
    EXPECT_TRUE(test::eventually([&] { return probe.state().catalog; }));
}

// As when a read of the catalog does not return, because the disk has stalled.
TEST_F(ReadinessProbeTest, OldResultsAreFailures)
{
    const ReadinessProbe probe(catalog, folder(), {.interval = 1h, .max_age = 1ms});
    EXPECT_TRUE(test::eventually([&] { return !probe.state().catalog; }));
}

} // namespace
} // namespace vitrine::server::testing
