// Jobs by priority, in lists, and begun again.

#include <gmock/gmock.h>

#include "server/services/database/database_connections.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class CatalogJobLists : public CatalogTest {
protected:
    std::string add_job(const std::string& name, std::string_view priority = {})
    {
        return catalog.create_assets(std::vector{asset_named(name)}, priority).front().job.id;
    }
    Lease claim() { return catalog.claim_job("me", 1h).value(); }
    std::vector<std::string> ids(const JobQuery& query) const
    {
        std::vector<std::string> found;
        for (const auto& job : catalog.list_jobs(query))
            found.push_back(job.id);
        return found;
    }
    void fail(const Lease& lease) { ASSERT_TRUE(catalog.fail(lease, {"truncated", "", "ends early"})); }
};

} // namespace

TEST_F(CatalogJobLists, InteractiveImportsStartBeforeBulkOnes)
{
    for (int i = 0; i < 20; ++i)
        add_job("bulk" + std::to_string(i), bulk_priority);
    claim(); // the first claim is one of those by turn
    const auto fish = add_job("fish");
    const auto cat = add_job("cat", interactive_priority);
    EXPECT_EQ(claim().job.id, fish);
    EXPECT_EQ(claim().job.id, cat);
    EXPECT_EQ(claim().job.priority, "bulk");
}

TEST_F(CatalogJobLists, BulkImportsAreNotDelayedIndefinitely)
{
    const auto bulk = add_job("bulk", bulk_priority);
    bool is_claimed = false;
    for (int i = 0; i < 17 && !is_claimed; ++i) {
        add_job("fish" + std::to_string(i));
        is_claimed = claim().job.id == bulk;
    }
    EXPECT_TRUE(is_claimed) << "while there were always interactive ones";
}

TEST_F(CatalogJobLists, LargeUploadsAreBulk)
{
    std::vector<NewAsset> assets;
    for (std::size_t i = 0; i < Catalog::max_interactive; ++i)
        assets.push_back(asset_named("model" + std::to_string(i)));
    EXPECT_EQ(catalog.create_assets(assets).front().job.priority, "interactive");
    for (auto& asset : assets)
        asset = asset_named("other " + asset.name);
    assets.push_back(asset_named("one more"));
    EXPECT_EQ(catalog.create_assets(assets).front().job.priority, "bulk");
}

TEST_F(CatalogJobLists, AreFilteredAndPaged)
{
    std::vector<std::string> all;
    for (const char* name : {"a", "b", "c", "d", "e"})
        all.insert(all.begin(), add_job(name));
    EXPECT_EQ(ids({}), all);
    std::vector<std::string> paged;
    for (std::optional<JobPosition> after;;) {
        const auto page = catalog.list_jobs({.after = after, .limit = 2});
        if (page.empty()) break;
        for (const auto& job : page)
            paged.push_back(job.id);
        after = JobPosition{page.back().created, page.back().id};
    }
    EXPECT_EQ(paged, all);

    const auto third = catalog.find_job(all[2]).value();
    EXPECT_THAT(ids({.asset = third.asset}), ElementsAre(third.id));
    EXPECT_THAT(ids({.from = third.created, .limit = 500}), ElementsAre(all[0], all[1], all[2]));
    EXPECT_THAT(ids({.to = third.created}), ElementsAre(all[3], all[4]));
    EXPECT_THAT(ids({.from = third.created, .to = third.created + 1}), ElementsAre(third.id));
    fail(claim());
    EXPECT_THAT(ids({.state = JobState::failed}), ElementsAre(all[4]));
    EXPECT_THAT(ids({.kind = JobKind::import, .state = JobState::queued, .to = third.created}),
                ElementsAre(all[3]));
    EXPECT_THAT(ids({.asset = "' OR 1=1"}), IsEmpty());
}

TEST_F(CatalogJobLists, NextAttemptIsShownWhileItIsAwaited)
{
    const auto id = add_job("fish");
    EXPECT_EQ(catalog.find_job(id)->next_attempt, 0);
    const auto lease = claim();
    ASSERT_TRUE(catalog.requeue(lease, 1h, {"killed", "", "out of memory"}));
    const auto waiting = catalog.find_job(id).value();
    EXPECT_GT(waiting.next_attempt, waiting.started + 3'599'000'000);
    EXPECT_EQ(waiting.attempts, 1u);
    EXPECT_FALSE(catalog.claim_job("me", 1h));
    catalog.connections().write([](DatabaseConnection& sql) { sql << "UPDATE jobs SET run_after = 1"; });
    EXPECT_EQ(claim().job.next_attempt, 0);
    EXPECT_EQ(catalog.find_job(id)->next_attempt, 0);
}

TEST_F(CatalogJobLists, FailedImportsBeginAgain)
{
    const auto id = add_job("fish");
    EXPECT_EQ(catalog.retry_job(id).error().code, "job_not_failed");
    const auto lease = claim();
    EXPECT_EQ(catalog.retry_job(id).error().code, "job_not_failed");
    fail(lease);
    const auto asset = catalog.find_job(id)->asset;
    const auto again = catalog.retry_job(id).value();
    EXPECT_EQ(again.state, JobState::queued);
    EXPECT_EQ(again.attempts, 0u);
    EXPECT_EQ(again.finished, 0);
    EXPECT_FALSE(again.problem);
    EXPECT_EQ(catalog.find_asset(asset)->status, AssetStatus::importing);
    EXPECT_FALSE(catalog.find_asset(asset)->problem);
    EXPECT_EQ(catalog.newest_events(1).front().type, "job");
    EXPECT_FALSE(catalog.succeed(lease)) << "the claim before it is over";
    ASSERT_TRUE(catalog.succeed(claim()));
    EXPECT_EQ(catalog.find_asset(asset)->status, AssetStatus::ready);
    EXPECT_EQ(catalog.retry_job(id).error().code, "job_not_failed");
    EXPECT_EQ(catalog.retry_job("job_none").error().code, "no_job");
}

TEST_F(CatalogJobLists, CancelledAndReplacedImports)
{
    const auto id = add_job("fish");
    const auto asset = catalog.find_job(id)->asset;
    ASSERT_TRUE(catalog.cancel_job(id));
    EXPECT_EQ(catalog.retry_job(id)->state, JobState::queued);
    fail(claim());
    ASSERT_TRUE(catalog.trash_asset(asset));
    EXPECT_EQ(catalog.retry_job(id).error().code, "no_asset");
    ASSERT_TRUE(catalog.restore_asset(asset));
    const auto newer = catalog.reimport_asset(asset)->job.id;
    EXPECT_EQ(catalog.retry_job(id).error().code, "job_superseded");
    fail(claim());
    EXPECT_EQ(catalog.retry_job(id).error().code, "job_superseded");
    EXPECT_EQ(catalog.retry_job(newer)->state, JobState::queued);
    EXPECT_THAT(ids({.asset = asset}), SizeIs(2)) << "the same job";
}

} // namespace vitrine::server::testing
