// Import jobs: leases, stages, and returns to the queue.

#include <gmock/gmock.h>

#include "server/services/database/database_connections.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;

class CatalogJobsTest : public CatalogTest {};

TEST_F(CatalogJobsTest, RecordsTheStagesOfAnImport)
{
    const auto id = add("fish").id;
    const auto lease = catalog.claim_job("me", 10s).value();
    EXPECT_FALSE(catalog.claim_job("other", 10s)) << "claimed once";
    EXPECT_EQ(catalog.heartbeat(lease, JobStage::load, 0.25, 10s), LeaseState::held);
    EXPECT_EQ(catalog.find_job(lease.job.id)->progress, 0.25);

    const auto found = catalog.record_metadata(
        lease, {{.format = "md5", .generator = "tool", .counts = {1, 2, 3, 4, 5, 6, 7, 8}, .summary = "{}"},
                {.clips = "walk\n"},
                {{AssetDocument::skeleton, "{\"joints\":[]}"}}});
    EXPECT_EQ(found->format, "md5");
    EXPECT_EQ(found->counts.images, 8u);
    EXPECT_EQ(catalog.find_document(id, 1, AssetDocument::skeleton), "{\"joints\":[]}");
    EXPECT_FALSE(catalog.find_document(id, 1, AssetDocument::bounds));
    catalog.record_document(lease, AssetDocument::bounds, "1");
    catalog.record_document(lease, AssetDocument::bounds, "2");
    EXPECT_EQ(catalog.find_document(id, 1, AssetDocument::bounds), "2");
    EXPECT_TRUE(catalog.record_thumbnail(lease, true)->has_thumbnail);

    const auto done = catalog.succeed(lease).value();
    EXPECT_EQ(done.asset.status, AssetStatus::ready);
    EXPECT_EQ(done.job.state, JobState::succeeded);
    EXPECT_EQ(done.job.stage, JobStage::done);
    EXPECT_EQ(done.job.progress, 1.0);
    EXPECT_GT(done.job.finished, 0);
}

TEST_F(CatalogJobsTest, FailedImportKeepsTheOriginalFiles)
{
    const auto id = add("fish").id;
    const auto failed =
        catalog.fail(catalog.claim_job("me", 10s).value(), {"truncated", "byte 9", "ends early"});
    EXPECT_EQ(failed->asset.status, AssetStatus::failed);
    EXPECT_EQ(failed->asset.problem->where, "byte 9");
    EXPECT_EQ(failed->job.problem->code, "truncated");
    EXPECT_EQ(catalog.files(id, 1).size(), 1u);
}

// As a purge may leave it that runs at the same time.
TEST_F(CatalogJobsTest, AJobWithoutItsVersionIsRemoved)
{
    const auto lost = add("fish");
    const auto kept = add("boat");
    catalog.connections().write([&](DatabaseConnection& sql) {
        sql << "DELETE FROM versions WHERE asset = :id", soci::use(lost.id);
    });
    const auto lease = catalog.claim_job("me", 10s);
    ASSERT_TRUE(lease);
    EXPECT_EQ(lease->asset.id, kept.id);
    EXPECT_EQ(catalog.find_job(lost.job).error().kind, Errc::not_found);
    EXPECT_FALSE(catalog.claim_job("me", 10s));
    EXPECT_EQ(catalog.retry_job(lost.job).error().code, "no_job");
}

TEST_F(CatalogJobsTest, LostLeaseWritesNothing)
{
    const auto id = add("fish").id;
    const auto old = catalog.claim_job("dead", 10s).value();
    EXPECT_EQ(catalog.recover_jobs([](const std::string& owner) { return owner == "dead"; }), 1u);
    const auto fresh = catalog.claim_job("alive", 10s).value();
    EXPECT_EQ(fresh.job.attempts, 2u);
    EXPECT_EQ(catalog.heartbeat(old, JobStage::load, 0.5, 10s), LeaseState::lost);
    EXPECT_FALSE(catalog.record_document(old, AssetDocument::bounds, "old"));
    EXPECT_FALSE(catalog.succeed(old));
    catalog.requeue(old, 0ms, {"environment", "fish.obj", "later"});
    EXPECT_EQ(catalog.heartbeat(fresh, JobStage::load, 0.5, 10s), LeaseState::held);
    EXPECT_FALSE(catalog.find_document(id, 1, AssetDocument::bounds));
}

TEST_F(CatalogJobsTest, LostLeaseWritesNothingInTheSameProcess)
{
    const auto id = add("fish").id;
    const auto old = catalog.claim_job("me", 0ms).value();
    EXPECT_EQ(catalog.recover_jobs([](const std::string&) { return false; }), 1u);
    const auto fresh = catalog.claim_job("me", 10s).value();
    EXPECT_EQ(catalog.heartbeat(old, JobStage::thumbnail, 0.9, 10s), LeaseState::lost);
    EXPECT_FALSE(catalog.record_document(old, AssetDocument::bounds, "old"));
    catalog.release(old);
    EXPECT_FALSE(catalog.yield_stage(old, 0.7));
    EXPECT_EQ(catalog.heartbeat(fresh, JobStage::load, 0.1, 10s), LeaseState::held);
    EXPECT_FALSE(catalog.find_document(id, 1, AssetDocument::bounds));
}

TEST_F(CatalogJobsTest, UploadsTakeTurns)
{
    const auto names = [](const std::string& prefix, int count) {
        std::vector<NewAsset> assets;
        for (int i = 0; i < count; ++i)
            assets.push_back(asset_named(prefix + std::to_string(i)));
        return assets;
    };
    const auto next = [&] { return catalog.claim_job("me", 1h).value().asset.name; };
    catalog.create_assets(names("large", 6));
    EXPECT_EQ(next(), "large0");
    EXPECT_EQ(next(), "large1");
    catalog.create_assets(names("second", 3));
    catalog.create_assets(names("single", 1));
    std::vector<std::string> order;
    for (int i = 0; i < 8; ++i)
        order.push_back(next());
    EXPECT_THAT(order, ::testing::ElementsAre("large2", "second0", "single0", "large3", "second1", "large4",
                                              "second2", "large5"));
    catalog.create_assets(names("later", 2));
    EXPECT_EQ(next(), "later0") << "nothing else waits";
}

TEST_F(CatalogJobsTest, ReimportDoesNotWaitForALargeUpload)
{
    add("old");
    catalog.succeed(catalog.claim_job("me", 1h).value());
    const auto old = catalog.list_assets({})->items.at(0).id;
    std::vector<NewAsset> assets;
    for (int i = 0; i < 5; ++i)
        assets.push_back(asset_named("large" + std::to_string(i)));
    catalog.create_assets(assets);
    ASSERT_TRUE(catalog.reimport_asset(old));
    EXPECT_EQ(catalog.claim_job("me", 1h)->asset.name, "large0");
    EXPECT_EQ(catalog.claim_job("me", 1h)->asset.name, "old");
}

TEST_F(CatalogJobsTest, ThumbnailsWaitForTheFirstStagesOfOthers)
{
    const auto first = add("fish").job;
    const auto second = add("bird").job;
    const auto lease = catalog.claim_job("me", 10s).value();
    const auto waiting = catalog.yield_stage(lease, 0.7).value();
    EXPECT_EQ(waiting.id, first);
    EXPECT_EQ(waiting.state, JobState::queued);
    EXPECT_EQ(waiting.stage, JobStage::thumbnail);
    EXPECT_EQ(waiting.progress, 0.7);
    EXPECT_EQ(waiting.attempts, 0u);
    EXPECT_EQ(catalog.heartbeat(lease, JobStage::bounds, 0.6, 10s), LeaseState::lost);

    const auto other = catalog.claim_job("me", 10s).value();
    EXPECT_EQ(other.job.id, second);
    EXPECT_FALSE(catalog.yield_stage(other, 0.7)) << "only a thumbnail waits";
    EXPECT_EQ(catalog.heartbeat(other, JobStage::thumbnail, 0.8, 10s), LeaseState::held);
    const auto again = catalog.claim_job("me", 10s).value();
    EXPECT_EQ(again.job.id, first);
    EXPECT_EQ(again.job.stage, JobStage::thumbnail);
    EXPECT_EQ(again.job.progress, 0.7);
    EXPECT_EQ(again.job.attempts, 1u);
    EXPECT_EQ(again.job.started, lease.job.started) << "it began long ago";
}

TEST_F(CatalogJobsTest, ContinuousUploadsDoNotStarveThumbnails)
{
    const auto first = add("fish").job;
    const auto lease = catalog.claim_job("me", 10s).value();
    add("bird 0");
    ASSERT_TRUE(catalog.yield_stage(lease, 0.7));
    for (int i = 1; i < 20; ++i) {
        const auto claimed = catalog.claim_job("me", 10s).value();
        if (claimed.job.id == first) return;
        catalog.succeed(claimed);
        add("bird " + std::to_string(i));
    }
    FAIL() << "the first thumbnail still waits after twenty imports";
}

TEST_F(CatalogJobsTest, DelayedJobDoesNotBlockOthers)
{
    add("fish");
    catalog.requeue(catalog.claim_job("me", 10s).value(), 60s, {"environment", "fish.obj", "later"});
    add("bird");
    EXPECT_FALSE(catalog.yield_stage(catalog.claim_job("me", 10s).value(), 0.7));
}

TEST_F(CatalogJobsTest, ReturnedJobsKeepTheirStage)
{
    const auto job = add("fish").job;
    auto lease = catalog.claim_job("dead", 10s).value();
    catalog.heartbeat(lease, JobStage::bounds, 0.5, 10s);
    catalog.release(lease);
    EXPECT_EQ(catalog.find_job(job)->attempts, 0u);
    lease = catalog.claim_job("dead", 10s).value();
    EXPECT_EQ(lease.job.stage, JobStage::bounds);
    catalog.heartbeat(lease, JobStage::thumbnail, 0.8, 10s);
    EXPECT_EQ(catalog.recover_jobs([](const std::string&) { return true; }), 1u);
    const auto left = catalog.find_job(job).value();
    EXPECT_EQ(left.state, JobState::queued);
    EXPECT_EQ(left.stage, JobStage::thumbnail);
    EXPECT_EQ(left.progress, 0.8);
    EXPECT_EQ(left.attempts, 1u) << "a crash costs one";
}

TEST_F(CatalogJobsTest, LeasesExpire)
{
    add("fish");
    const auto lease = catalog.claim_job("me", 0ms);
    EXPECT_EQ(catalog.recover_jobs([](const std::string&) { return false; }), 1u);
    EXPECT_TRUE(catalog.claim_job("me", 10s));
    EXPECT_EQ(catalog.recover_jobs([](const std::string&) { return false; }), 0u);
}

TEST_F(CatalogJobsTest, ReturnedJobsWaitForTheirDelay)
{
    add("fish");
    catalog.requeue(catalog.claim_job("me", 10s).value(), 60s, {"environment", "fish.obj", "later"});
    EXPECT_EQ(catalog.queued_jobs(), 1u);
    EXPECT_FALSE(catalog.claim_job("me", 10s));
    add("bird");
    catalog.requeue(catalog.claim_job("me", 10s).value(), 0ms, {"environment", "fish.obj", "later"});
    EXPECT_TRUE(catalog.claim_job("me", 10s));
}

TEST_F(CatalogJobsTest, DeferredJobHasAProblemUntilClaimed)
{
    const auto job = add("fish").job;
    const auto lease = catalog.claim_job("me", 10s).value();
    const auto waiting = catalog.defer(lease, 0ms, {"storage_full", "fish.obj", "full"}).value();
    EXPECT_EQ(waiting.state, JobState::queued);
    EXPECT_EQ(waiting.attempts, 0u);
    EXPECT_EQ(catalog.find_job(job)->problem->code, "storage_full");
    EXPECT_FALSE(catalog.defer(lease, 0ms, {"storage_full", "fish.obj", "full"})) << "not held any more";
    EXPECT_FALSE(catalog.claim_job("me", 10s)->job.problem);
    EXPECT_FALSE(catalog.find_job(job)->problem);
}

TEST_F(CatalogJobsTest, CancelsQueuedAndRunningJobs)
{
    const auto queued = add("fish");
    EXPECT_EQ(catalog.cancel_job(queued.job)->state, JobState::cancelled);
    EXPECT_EQ(catalog.find_asset(queued.id)->status, AssetStatus::failed);
    EXPECT_EQ(catalog.find_asset(queued.id)->problem->where, "fish.obj");
    const auto ended = catalog.cancel_job(queued.job).error();
    EXPECT_EQ(ended.kind, Errc::conflict);
    EXPECT_EQ(ended.detail, "the job has already ended (cancelled)");
    EXPECT_EQ(catalog.cancel_job("job_x").error().kind, Errc::not_found);

    add("bird");
    const auto lease = catalog.claim_job("me", 10s).value();
    EXPECT_EQ(catalog.cancel_job(lease.job.id)->state, JobState::running);
    EXPECT_EQ(catalog.heartbeat(lease, JobStage::load, 0, 10s), LeaseState::cancel_requested);
    const auto cancelled = catalog.finish_cancelled(lease)->job;
    EXPECT_EQ(cancelled.state, JobState::cancelled);
    EXPECT_EQ(cancelled.problem->where, "bird.obj");
}

int synchronous(soci::session& sql)
{
    int level = 0;
    sql << "PRAGMA synchronous", soci::into(level);
    return level;
}

// Heartbeats must not make uploads wait for the disk; acknowledged data must be synced.
TEST(SqliteConnections, OnlyLeaseChangesAreNotSynced)
{
    constexpr int normal = 1, full = 2; // values of SQLite
    const TemporaryFolder folder(std::filesystem::temp_directory_path());
    DatabaseConnections connections(make_dialect(folder.path() / "other.sqlite"), 1);
    EXPECT_EQ(connections.write(synchronous), full);
    EXPECT_EQ(connections.write_unsynced(synchronous), normal);
    EXPECT_EQ(connections.write_unsynced(synchronous), normal);
    EXPECT_EQ(connections.write(synchronous), full);
}

} // namespace
} // namespace vitrine::server::testing
