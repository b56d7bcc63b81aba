// What several processes do to one database of PostgreSQL at the same time: each has a Catalog of its own.
// Skipped on SQLite, which one process opens.

#include <atomic>
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using test::eventually;
using ::testing::HasSubstr;

class CatalogProcesses : public CatalogTest {
protected:
    void SetUp() override
    {
        if (CatalogPlace::database().empty()) GTEST_SKIP() << "needs PostgreSQL: script/with-postgres";
        other.emplace(location());
    }

    // Runs `work(catalog, number)` on four threads, two for each of the catalogs.
    template <class Work>
    void race(Work work)
    {
        std::vector<std::jthread> threads;
        for (unsigned i = 0; i < 4; ++i)
            threads.emplace_back([&, i] { work(i % 2 == 0 ? catalog : *other, i); });
    }

    // With another connection.
    static void execute(const std::string& statement)
    {
        const auto dialect = make_dialect(CatalogPlace::database());
        const auto connection = dialect->connect(false);
        *connection << "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE";
        *connection << statement;
    }
    // Ends every connection but its own, as a restart of the server does.
    static void end_connections()
    {
        execute("DO $body$ BEGIN PERFORM pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND application_name LIKE 'vitrine%'; "
                "END $body$");
    }

    std::optional<Catalog> other;
};

TEST_F(CatalogProcesses, EachJobIsClaimedOnce)
{
    constexpr std::size_t jobs = 60;
    for (std::size_t i = 0; i < jobs; ++i)
        add("fish" + std::to_string(i));
    std::mutex mutex;
    std::multiset<std::string> claimed;
    race([&](Catalog& one, unsigned number) {
        while (const auto lease = one.claim_job("worker" + std::to_string(number), 1h)) {
            const std::lock_guard lock(mutex);
            claimed.insert(lease->job.id);
        }
    });
    EXPECT_EQ(claimed.size(), jobs);
    EXPECT_EQ(std::set(claimed.begin(), claimed.end()).size(), jobs);
}

TEST_F(CatalogProcesses, SignalsReachBoth)
{
    std::atomic<int> here = 0, there = 0;
    const auto mine = catalog.signals().subscribe("jobs", [&](std::string_view) { ++here; });
    const auto its = other->signals().subscribe("jobs", [&](std::string_view) { ++there; });
    add("heron");
    EXPECT_EQ(here, 1) << "when the write returns";
    EXPECT_TRUE(eventually([&] { return there == 1; }));
    end_connections();
    EXPECT_TRUE(eventually([&] { return here == 2 && there == 2; }, 20s)) << "signals may have been missed";
}

TEST_F(CatalogProcesses, TheSameUploadMakesOneAsset)
{
    std::vector<NewAsset> uploaded;
    for (int i = 0; i < 30; ++i)
        uploaded.push_back(asset_named("bird" + std::to_string(i)));
    std::atomic<int> created = 0;
    race([&](Catalog& one, unsigned number) {
        auto mine = uploaded;
        if (number % 2 == 1)
            std::ranges::reverse(mine); // the other order must not make them wait for each other
        for (const auto& asset : one.create_assets(mine))
            created += asset.existing ? 0 : 1;
    });
    EXPECT_EQ(created, 30);
    EXPECT_EQ(catalog.asset_count(), 30u);
}

TEST_F(CatalogProcesses, OneOfSeveralChangesOfARevisionSucceeds)
{
    const auto fish = add("fish");
    std::atomic<int> changed = 0, rejected = 0;
    race([&](Catalog& one, unsigned number) {
        const auto result =
            one.change_asset(fish.id, {.name = "fish" + std::to_string(number), .if_match = fish.etag()});
        if (result)
            ++changed;
        else if (result.error().kind == Errc::precondition_failed)
            ++rejected;
    });
    EXPECT_EQ(changed, 1);
    EXPECT_EQ(rejected, 3);
    EXPECT_EQ(catalog.find_asset(fish.id)->revision, fish.revision + 1);
}

TEST_F(CatalogProcesses, AKeyIsClaimedByOneRequest)
{
    std::atomic<int> rejected = 0;
    race([&](Catalog& one, unsigned number) {
        if (one.claim_key("k", "content" + std::to_string(number)).reused_for_different_request) ++rejected;
    });
    EXPECT_EQ(rejected, 3);
}

TEST_F(CatalogProcesses, ALostLeaseWritesNothing)
{
    add("fish");
    const auto first = catalog.claim_job("one", -1ms).value();
    EXPECT_EQ(other->recover_jobs([](const std::string&) { return false; }), 1u);
    const auto second = other->claim_job("two", 1h).value();
    EXPECT_EQ(catalog.heartbeat(first, JobStage::load, 0.5, 1h), LeaseState::lost);
    EXPECT_FALSE(catalog.succeed(first));
    EXPECT_TRUE(other->succeed(second));
}

TEST_F(CatalogProcesses, AChangeOutdatesTheAssetEverywhere)
{
    const auto fish = add("fish").id;
    const auto bird = add("bird").id;
    const auto rename = [&](const std::string& name) { catalog.change_asset(fish, {.name = name}).value(); };
    // The other process listens once it hears of a change.
    const auto before = other->generations().of_asset(fish);
    ASSERT_TRUE(eventually([&, i = 0]() mutable {
        rename("fish" + std::to_string(++i));
        return !before.is_current();
    }));
    ASSERT_TRUE(eventually([&] { return other->find_asset(fish)->name == catalog.find_asset(fish)->name; }));
    // Signals arrive in order: with this one, the last of the renames has been heard.
    const auto heard = other->generations().of_asset(bird);
    catalog.change_asset(bird, {.name = "heron"}).value();
    ASSERT_TRUE(eventually([&] { return !heard.is_current(); }));
    const auto of_fish = other->generations().of_asset(fish), of_bird = other->generations().of_asset(bird);
    ASSERT_TRUE(of_fish.is_current());
    rename("cod");
    EXPECT_TRUE(eventually([&] { return !of_fish.is_current(); }));
    EXPECT_TRUE(of_bird.is_current());
}

TEST_F(CatalogProcesses, ConnectionsThatTheServerEndedAreReplaced)
{
    const auto fish = add("fish").id;
    end_connections();
    EXPECT_EQ(catalog.find_asset(fish)->name, "fish");
    end_connections();
    EXPECT_EQ(catalog.change_asset(fish, {.name = "cod"})->name, "cod");
    EXPECT_EQ(other->find_asset(fish)->name, "cod");
}

TEST_F(CatalogProcesses, AReadOnlyDatabaseIsReadAndRecovers)
{
    const auto fish = add("fish").id;
    execute("ALTER ROLE CURRENT_USER SET default_transaction_read_only = on");
    end_connections();
    try {
        (void)catalog.change_asset(fish, {.name = "cod"});
        ADD_FAILURE() << "a read-only database was written";
    } catch (const StorageError& error) {
        EXPECT_EQ(error.kind, StorageError::Kind::read_only) << error.what();
    }
    EXPECT_EQ(catalog.find_asset(fish)->name, "fish");
    execute("ALTER ROLE CURRENT_USER RESET "
            "default_transaction_read_only");
    EXPECT_TRUE(eventually([&] {
        try {
            return catalog.change_asset(fish, {.name = "cod"}).has_value();
        } catch (const StorageError&) {
            return false;
        }
    }));
}

TEST_F(CatalogProcesses, RejectsADatabaseThatCannotBeReached)
{
    try {
        const Catalog unreachable("postgres://nobody@127.0.0.1:1/none?connect_timeout=2");
        ADD_FAILURE() << "opened";
    } catch (const StorageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("127.0.0.1"));
    }
}

// It may be that pg_trgm was installed after the first start, or that an earlier version has made the index.
TEST_F(CatalogProcesses, ALaterStartCompletesTheIndexOfTrigrams)
{
    const auto postgres = make_dialect(location());
    const auto sql = postgres->connect(true);
    std::string name;
    const auto limited = [&] { // the number of indexes with a short list of pending rows
        long long indexes = 0;
        name.clear();
        *sql << "SELECT CAST(c.oid AS regclass), (SELECT COUNT(*) FROM pg_class l WHERE l.oid = c.oid AND "
                "l.reloptions IS NOT NULL) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN "
                "pg_am a ON a.oid = c.relam WHERE a.amname = 'gin' AND i.indrelid = CAST('asset_search' AS "
                "regclass)",
            soci::into(name), soci::into(indexes);
        return indexes;
    };
    ASSERT_EQ(limited(), 1);
    *sql << "DROP INDEX " + name;
    ASSERT_EQ(limited(), 0);
    for (int starts = 0; starts < 2; ++starts) {
        const Catalog later(location());
        EXPECT_EQ(limited(), 1);
    }
    *sql << "ALTER INDEX " + name + " RESET (gin_pending_list_limit)";
    ASSERT_EQ(limited(), 0);
    const Catalog later(location());
    EXPECT_EQ(limited(), 1);
}

TEST_F(CatalogProcesses, SeveralProcessesMayOpenANewDatabase)
{
    const CatalogPlace place(folder());
    std::vector<std::jthread> threads;
    std::atomic<int> opened = 0;
    for (unsigned i = 0; i < 4; ++i)
        threads.emplace_back([&] {
            Catalog one(place.location);
            opened += one.asset_count() == 0 ? 1 : 0;
        });
    threads.clear();
    EXPECT_EQ(opened, 4);
}

} // namespace
} // namespace vitrine::server::testing
