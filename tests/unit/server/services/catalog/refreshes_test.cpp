// Refreshes of stored facts: their order, their failure, and what they leave alone.

#include <gmock/gmock.h>

#include "tests/unit/server/services/catalog/fixture.hpp"
#include "tests/unit/server/services/support/database.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t max_queued = 8;

class CatalogRefreshes : public CatalogTest {
protected:
    static Metadata metadata(const std::string& format = "obj") { return {{.format = format}, {}, {}}; }

    // Returns the id of an imported asset.
    std::string import(const std::string& name, std::uint64_t size_bytes = 10)
    {
        auto asset = asset_named(name);
        asset.files.front().size_bytes = size_bytes;
        const auto created = catalog.create_assets(std::vector{asset}).front().asset.id;
        const auto lease = catalog.claim_job("importer", 10s).value();
        EXPECT_EQ(lease.asset.id, created);
        EXPECT_TRUE(catalog.record_metadata(lease, metadata()));
        EXPECT_TRUE(catalog.succeed(lease));
        return created;
    }
    void age() { age_facts(location()); }
    void execute(const std::string& statement) { execute_sql(location(), statement); }

    std::vector<std::string> queue(std::size_t limit = max_queued,
                                   const std::vector<std::string>& wanted = {})
    {
        std::vector<std::string> assets;
        for (const auto& job : catalog.queue_refreshes(wanted, limit)) {
            EXPECT_TRUE(job.is_refresh());
            EXPECT_EQ(job.state, JobState::queued);
            assets.push_back(job.asset);
        }
        return assets;
    }
    std::string claim()
    {
        const auto lease = catalog.claim_refresh("me", 10s);
        return lease ? lease->asset.id : "none";
    }
};

TEST_F(CatalogRefreshes, AreOfAssetsWithOldFactsOnly)
{
    const auto fish = import("fish");
    EXPECT_TRUE(catalog.find_asset(fish)->has_current_facts());
    EXPECT_THAT(queue(), IsEmpty());
    EXPECT_EQ(claim(), "none");
    age();
    EXPECT_FALSE(catalog.find_asset(fish)->has_current_facts());
    import("cat");
    EXPECT_THAT(queue(), ElementsAre(fish));
    EXPECT_THAT(queue(), IsEmpty()) << "queued already";
    EXPECT_EQ(catalog.queued_jobs(), 0u) << "no import";
    const auto lease = catalog.claim_refresh("me", 10s).value();
    EXPECT_EQ(lease.asset.id, fish);
    EXPECT_EQ(lease.job.attempts, 1u);
    EXPECT_THAT(queue(), IsEmpty()) << "it runs";
    const auto written = catalog.record_metadata(lease, metadata("md5"));
    EXPECT_TRUE(written->has_current_facts());
    EXPECT_EQ(written->format, "md5");
    const auto revision = written->revision;
    EXPECT_GT(revision, lease.asset.revision) << "a new etag";
    EXPECT_EQ(catalog.succeed(lease)->asset.status, AssetStatus::ready);
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_F(CatalogRefreshes, OneWithoutItsVersionIsRemoved)
{
    const auto fish = import("fish");
    age();
    ASSERT_THAT(queue(), ElementsAre(fish));
    execute("DELETE FROM versions");
    EXPECT_EQ(claim(), "none");
    EXPECT_THAT(catalog.list_jobs({.kind = JobKind::refresh}), IsEmpty());
}

TEST_F(CatalogRefreshes, AreOrderedByAgeOfTheFactsAndSize)
{
    const auto large = import("large", 5'000), small = import("small", 20), newer = import("newer", 1);
    age();
    execute("UPDATE versions SET facts_version = 1, facts_tried = 1 WHERE asset = '" + newer + "'");
    EXPECT_THAT(queue(2), ElementsAre(small, large));
    EXPECT_EQ(claim(), small);
    EXPECT_THAT(queue(2), IsEmpty()) << "two are queued or run";
    EXPECT_THAT(queue(3), ElementsAre(newer));
    EXPECT_EQ(claim(), large);
    EXPECT_EQ(claim(), newer);
    EXPECT_EQ(claim(), "none");
}

TEST_F(CatalogRefreshes, ThoseOfRequestsComeFirst)
{
    const auto a = import("a", 1), b = import("b", 2), c = import("c", 3), d = import("d", 4);
    age();
    import("current");
    EXPECT_THAT(queue(2), ElementsAre(a, b));
    EXPECT_THAT(queue(2, {b, d, "asset_unknown", "'; DROP TABLE jobs; --"}), ElementsAre(d))
        << "b is queued already";
    EXPECT_EQ(claim(), b);
    EXPECT_EQ(claim(), d);
    EXPECT_EQ(claim(), a);
    EXPECT_THAT(queue(0, {c}), IsEmpty());
}

TEST_F(CatalogRefreshes, WaitForImports)
{
    const auto fish = import("fish");
    age();
    EXPECT_THAT(queue(), ElementsAre(fish));
    const auto cat = add("cat").id;
    EXPECT_EQ(claim(), "none");
    const auto lease = catalog.claim_job("importer", 10s).value();
    EXPECT_EQ(lease.asset.id, cat) << "imports are claimed before refreshes";
    EXPECT_FALSE(catalog.claim_job("importer", 10s)) << "a refresh is no import";
    EXPECT_FALSE(catalog.yield_stage(lease, 0.5)) << "no import yields to a refresh";
    EXPECT_EQ(claim(), fish) << "no import waits";
}

TEST_F(CatalogRefreshes, FailureKeepsTheAssetReady)
{
    const auto fish = import("fish");
    age();
    queue();
    const auto lease = catalog.claim_refresh("me", 10s).value();
    const auto ended = catalog.fail(lease, {"truncated", "byte 9", "ends early"}).value();
    EXPECT_EQ(ended.job.state, JobState::failed);
    EXPECT_EQ(ended.job.problem->code, "truncated");
    EXPECT_EQ(ended.asset.status, AssetStatus::ready);
    EXPECT_FALSE(ended.asset.problem);
    EXPECT_FALSE(ended.asset.has_current_facts());
    EXPECT_EQ(ended.asset.format, "obj");
    EXPECT_THAT(queue(max_queued, {fish}), IsEmpty()) << "this code has tried";
    EXPECT_EQ(catalog.count_stale_facts().assets, 1u);
    EXPECT_EQ(catalog.count_stale_facts().waiting, 0u);
    execute("UPDATE versions SET facts_tried = facts_tried - 1");
    EXPECT_THAT(queue(), ElementsAre(fish)) << "the next version tries again";
}

TEST_F(CatalogRefreshes, CancelledRefreshKeepsTheAssetReady)
{
    const auto fish = import("fish"), cat = import("cat");
    age();
    const auto jobs = catalog.queue_refreshes({}, max_queued);
    ASSERT_EQ(jobs.size(), 2u);
    EXPECT_EQ(catalog.cancel_job(jobs[1].id)->state, JobState::cancelled);
    EXPECT_EQ(catalog.find_asset(cat)->status, AssetStatus::ready);
    const auto lease = catalog.claim_refresh("me", 10s).value();
    EXPECT_EQ(catalog.cancel_job(jobs[0].id)->state, JobState::running);
    EXPECT_EQ(catalog.heartbeat(lease, JobStage::load, 0.1, 10s), LeaseState::cancel_requested);
    EXPECT_EQ(catalog.finish_cancelled(lease)->asset.status, AssetStatus::ready);
    EXPECT_EQ(catalog.find_job(jobs[0].id)->problem->detail, "the refresh was cancelled");
    EXPECT_THAT(queue(max_queued, {fish, cat}), IsEmpty());
}

TEST_F(CatalogRefreshes, LostLeaseWritesNothing)
{
    import("fish");
    age();
    queue();
    const auto old = catalog.claim_refresh("dead", 10s).value();
    EXPECT_EQ(catalog.recover_jobs([](const auto& owner) { return owner == "dead"; }), 1u);
    const auto fresh = catalog.claim_refresh("alive", 10s).value();
    EXPECT_EQ(fresh.job.attempts, 2u);
    EXPECT_FALSE(catalog.record_metadata(old, metadata("md5")));
    EXPECT_FALSE(catalog.fail(old, {"truncated", "", ""}));
    EXPECT_FALSE(catalog.find_asset(fresh.asset.id)->has_current_facts());
    EXPECT_TRUE(catalog.record_metadata(fresh, metadata("dae")));
    EXPECT_EQ(catalog.find_asset(fresh.asset.id)->format, "dae");
}

TEST_F(CatalogRefreshes, RetryWaits)
{
    const auto fish = import("fish");
    age();
    queue();
    const auto lease = catalog.claim_refresh("me", 10s).value();
    EXPECT_TRUE(catalog.requeue(lease, 1h, {"killed", "", "later"}));
    EXPECT_EQ(claim(), "none");
    execute("UPDATE jobs SET run_after = 0");
    EXPECT_EQ(claim(), fish);
}

TEST_F(CatalogRefreshes, TrashAndRunningImportsAreLeftAlone)
{
    const auto fish = import("fish"), cat = import("cat");
    age();
    EXPECT_EQ(catalog.count_stale_facts().waiting, 2u);
    ASSERT_TRUE(catalog.trash_asset(fish));
    execute("UPDATE assets SET status = 'importing' WHERE id = '" + cat + "'");
    EXPECT_THAT(queue(max_queued, {fish, cat}), IsEmpty());
    EXPECT_EQ(catalog.count_stale_facts().waiting, 1u);
    EXPECT_EQ(catalog.count_stale_facts().assets, 1u);
    ASSERT_TRUE(catalog.restore_asset(fish));
    EXPECT_THAT(queue(), ElementsAre(fish));
    add("not imported yet");
    EXPECT_EQ(catalog.count_stale_facts().assets, 2u);
}

// A failed import of an asset with facts counts as a try.
TEST_F(CatalogRefreshes, FailedImportIsNotTriedAgain)
{
    const auto fish = import("fish");
    age();
    ASSERT_TRUE(catalog.reimport_asset(fish));
    ASSERT_TRUE(catalog.fail(catalog.claim_job("importer", 10s).value(), {"truncated", "", ""}));
    EXPECT_THAT(queue(), IsEmpty());
}

TEST_F(CatalogRefreshes, AreListedAmongTheJobs)
{
    const auto fish = import("fish"), cat = import("cat");
    age();
    queue();
    EXPECT_EQ(catalog.list_jobs({}).size(), 4u);
    EXPECT_EQ(catalog.list_jobs({}).front().asset, cat) << "the newest first";
    EXPECT_EQ(catalog.list_jobs({.limit = 3}).size(), 3u);
    EXPECT_EQ(catalog.list_jobs({.kind = JobKind::import}).size(), 2u);
    EXPECT_EQ(claim(), fish);
    const auto running = catalog.list_jobs({.kind = JobKind::refresh, .state = JobState::running});
    ASSERT_EQ(running.size(), 1u);
    EXPECT_EQ(running.front().asset, fish);
    EXPECT_THAT(catalog.list_jobs({.state = JobState::failed}), IsEmpty());
    const auto of_cat = catalog.list_jobs({.kind = JobKind::refresh, .asset = cat, .limit = 1});
    ASSERT_EQ(of_cat.size(), 1u);
    EXPECT_EQ(of_cat.front().asset, cat);
    EXPECT_THAT(catalog.list_jobs({.kind = JobKind::refresh, .asset = "' OR 1=1"}), IsEmpty());
}

TEST_F(CatalogRefreshes, KeepTheNewestThousandJobs)
{
    const auto fish = import("fish");
    execute("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) "
            "INSERT INTO jobs (id, kind, asset, version, state, stage, created, finished) "
            "SELECT 'job_' || i, 'refresh', '" +
            fish + "', 1, CASE WHEN i = 1 THEN 'failed' ELSE 'succeeded' END, 'done', i, i FROM n");
    age();
    EXPECT_THAT(queue(), ElementsAre(fish));
    EXPECT_TRUE(catalog.find_job("job_1")) << "failures are kept";
    EXPECT_FALSE(catalog.find_job("job_200"));
    EXPECT_TRUE(catalog.find_job("job_201"));
    EXPECT_TRUE(catalog.find_job(catalog.find_asset(fish)->job)) << "the import";
}

} // namespace
} // namespace vitrine::server::testing
