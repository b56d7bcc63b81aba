#include "server/services/catalog.hpp"

#include <thread>

#include <gmock/gmock.h>

#include "tests/unit/server/services_support.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

class CatalogTest : public ServicesTest {
protected:
    AssetRecord add(const std::string& name)
    {
        return catalog.create_assets(std::vector{asset_named(name)}).front().asset;
    }

    // An asset whose import has found `counts`.
    AssetRecord add_ready(const std::string& name, const Counts& counts, const std::string& search = "")
    {
        add(name);
        const auto lease = catalog.claim_job("me", 10s).value();
        catalog.record_metadata(lease, {"obj", "tool", counts, R"({"warnings":0})", search, {}});
        return catalog.succeed(lease)->asset;
    }

    std::vector<std::string> names(const ListQuery& query)
    {
        std::vector<std::string> found;
        for (const auto& asset : catalog.list_assets(query).value().items)
            found.push_back(asset.name);
        return found;
    }

    Catalog catalog{folder() / "catalog.sqlite"};
};

TEST_F(CatalogTest, CreatesAssetFilesAndJobAtOnce)
{
    const auto created = catalog.create_assets(std::vector{asset_named("fish")}).front();
    EXPECT_FALSE(created.existing);
    EXPECT_EQ(created.job.state, JobState::queued);
    const auto asset = catalog.find_asset(created.asset.id).value();
    EXPECT_EQ(asset.name, "fish");
    EXPECT_EQ(asset.status, AssetStatus::importing);
    EXPECT_EQ(asset.job, created.job.id);
    EXPECT_EQ(asset.size_bytes, 10u);
    EXPECT_EQ(catalog.files(asset.id, 1).front().name, "fish.obj");
    EXPECT_EQ(catalog.queued_jobs(), 1u);
}

TEST_F(CatalogTest, KnowsContentThatItHas)
{
    const auto first = add("fish");
    const auto again = catalog.create_assets(std::vector{asset_named("fish")}).front();
    EXPECT_TRUE(again.existing);
    EXPECT_EQ(again.asset.id, first.id);
    EXPECT_EQ(catalog.asset_count(), 1u);
    EXPECT_EQ(catalog.queued_jobs(), 1u);
}

TEST_F(CatalogTest, ContentIsFilesAndMainNameInAnyOrder)
{
    NewAsset a{"a", "m", {{"m", "1", 1}, {"t", "2", 1}}};
    NewAsset b{"b", "m", {{"t", "2", 1}, {"m", "1", 1}}};
    EXPECT_EQ(Catalog::content_hash(a), Catalog::content_hash(b));
    b.main_file = "t";
    EXPECT_NE(Catalog::content_hash(a), Catalog::content_hash(b));
}

TEST_F(CatalogTest, KnownContentComesOutOfTheTrashAndIsTriedAgainWhenItFailed)
{
    const auto id = add("fish").id;
    catalog.fail(catalog.claim_job("me", 10s).value(), {"malformed", "line 1", "no"});
    ASSERT_TRUE(catalog.trash_asset(id));
    const auto again = catalog.create_assets(std::vector{asset_named("fish")}).front();
    EXPECT_EQ(again.asset.deleted, 0);
    EXPECT_EQ(again.asset.status, AssetStatus::importing);
    EXPECT_FALSE(again.asset.problem);
    EXPECT_EQ(again.job.state, JobState::queued);
}

TEST_F(CatalogTest, SurvivesReopening)
{
    const auto id = add("fish").id;
    const Catalog second(folder() / "catalog.sqlite");
    EXPECT_EQ(second.find_asset(id)->name, "fish");
}

TEST_F(CatalogTest, RenamesWithIfMatch)
{
    const auto asset = add("fish");
    EXPECT_EQ(catalog.change_asset(asset.id, {"x", "\"stale\""}).error().kind, Errc::precondition_failed);
    const auto renamed = catalog.change_asset(asset.id, {"Shark", asset.etag()}).value();
    EXPECT_EQ(renamed.name, "Shark");
    EXPECT_NE(renamed.etag(), asset.etag());
    EXPECT_EQ(catalog.change_asset(asset.id, {"", ""}).error().kind, Errc::invalid);
    EXPECT_EQ(catalog.change_asset("asset_x", {"a", ""}).error().kind, Errc::not_found);
    EXPECT_THAT(names({.q = "shar"}), ElementsAre("Shark"));
    EXPECT_THAT(names({.q = "fish"}), ElementsAre());
}

TEST_F(CatalogTest, TrashesAndRestores)
{
    const auto id = add("fish").id;
    EXPECT_GT(catalog.trash_asset(id)->deleted, 0);
    EXPECT_THAT(names({}), ElementsAre());
    EXPECT_THAT(names({.trash = true}), ElementsAre("fish"));
    EXPECT_EQ(catalog.restore_asset(id)->deleted, 0);
    EXPECT_THAT(names({}), ElementsAre("fish"));
    EXPECT_EQ(catalog.trash_asset("nothing").error().kind, Errc::not_found);
}

TEST_F(CatalogTest, PagesStayStableUnderInserts)
{
    for (const char* name : {"a", "b", "c", "d", "e"})
        add(name);
    ListQuery query{.sort = Sort::name, .descending = false, .limit = 2};
    auto page = catalog.list_assets(query).value();
    std::vector<std::string> seen;
    for (int guard = 0; guard < 10; ++guard) {
        for (const auto& asset : page.items)
            seen.push_back(asset.name);
        if (page.next.empty()) break;
        add("aa" + std::to_string(guard)); // before what is still to come
        query.cursor = page.next;
        page = catalog.list_assets(query).value();
    }
    EXPECT_THAT(seen, ElementsAre("a", "b", "c", "d", "e"));
}

TEST_F(CatalogTest, PagesEverySortBothWays)
{
    for (int i = 0; i < 7; ++i) { // equal names and counts too
        const auto asset = add_ready(std::to_string(i), {.triangles = static_cast<std::uint64_t>(i / 2)});
        ASSERT_TRUE(catalog.change_asset(asset.id, {"n" + std::to_string(i / 3), ""}));
    }
    for (const auto sort : {Sort::created, Sort::name, Sort::triangles})
        for (const bool descending : {true, false}) {
            ListQuery query{.sort = sort, .descending = descending, .limit = 1};
            std::vector<std::string> ids;
            do {
                const auto page = catalog.list_assets(query).value();
                ids.push_back(page.items.at(0).id);
                query.cursor = page.next;
            } while (!query.cursor.empty() && ids.size() < 20);
            std::ranges::sort(ids);
            EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
            EXPECT_EQ(ids.size(), catalog.asset_count());
        }
}

TEST_F(CatalogTest, RefusesCursorsThatItDidNotGive)
{
    add("a");
    add("b");
    const auto next = catalog.list_assets({.limit = 1})->next;
    ASSERT_FALSE(next.empty());
    EXPECT_TRUE(catalog.list_assets({.limit = 1, .cursor = next}));
    for (const std::string& cursor : {std::string("x"), next + "0", "n" + next.substr(1), std::string("cd-"),
                                      std::string("cd1-zz"), std::string("cd99999999999999999999-30")})
        EXPECT_EQ(catalog.list_assets({.limit = 1, .cursor = cursor}).error().code, "bad_cursor") << cursor;
    EXPECT_FALSE(catalog.list_assets({.sort = Sort::name, .cursor = next}));
}

TEST_F(CatalogTest, Filters)
{
    add_ready("robot", {.triangles = 500, .joints = 20, .clips = 2});
    add_ready("chair", {.triangles = 40});
    add("later");
    EXPECT_THAT(names({.rigged = true}), ElementsAre("robot"));
    EXPECT_THAT(names({.animated = false, .sort = Sort::name}), ElementsAre("later", "chair"));
    EXPECT_THAT(names({.triangles_min = 41}), ElementsAre("robot"));
    EXPECT_THAT(names({.triangles_min = 1, .triangles_max = 40}), ElementsAre("chair"));
    EXPECT_THAT(names({.triangles_min = ~0ull}), ElementsAre());
    EXPECT_THAT(names({.format = "obj", .sort = Sort::name}), ElementsAre("robot", "chair"));
    EXPECT_THAT(names({.status = AssetStatus::importing}), ElementsAre("later"));
}

TEST_F(CatalogTest, SearchesNamesInsideToo)
{
    add_ready("Knight", {}, "Walk_Forward\nupperarm.L\n100%_steel");
    add_ready("骑士行走", {}, "走路");
    EXPECT_THAT(names({.q = "KNIG"}), ElementsAre("Knight"));
    EXPECT_THAT(names({.q = "walk_f"}), ElementsAre("Knight"));
    EXPECT_THAT(names({.q = "arm.L"}), ElementsAre("Knight"));
    EXPECT_THAT(names({.q = "kn"}), ElementsAre("Knight")) << "two characters";
    EXPECT_THAT(names({.q = " knight  walk L "}), ElementsAre("Knight")) << "every word";
    EXPECT_THAT(names({.q = "knight swim"}), ElementsAre());
    EXPECT_EQ(catalog.list_assets({.q = std::string(600, 'x')}).error().kind, Errc::invalid);
    EXPECT_THAT(names({.q = "0%"}), ElementsAre("Knight")) << "no wildcard";
    EXPECT_THAT(names({.q = "%"}), ElementsAre("Knight"));
    EXPECT_THAT(names({.q = "骑士行"}), ElementsAre("骑士行走"));
    EXPECT_THAT(names({.q = "行走"}), ElementsAre("骑士行走")) << "two characters";
    EXPECT_THAT(names({.q = "走"}), ElementsAre("骑士行走"));
    EXPECT_THAT(names({.q = "\" OR 1 --"}), ElementsAre());
    EXPECT_THAT(names({.q = "'; DROP TABLE assets"}), ElementsAre());
}

TEST_F(CatalogTest, AnImportTellsItsStory)
{
    const auto id = add("fish").id;
    const auto lease = catalog.claim_job("me", 10s).value();
    EXPECT_FALSE(catalog.claim_job("other", 10s)) << "claimed once";
    EXPECT_EQ(catalog.heartbeat(lease, JobStage::load, 0.25, 10s), LeaseState::held);
    EXPECT_EQ(catalog.find_job(lease.job.id)->progress, 0.25);

    const auto found = catalog.record_metadata(
        lease,
        {"md5", "tool", {1, 2, 3, 4, 5, 6, 7, 8}, "{}", "walk", {{Fact::skeleton, "{\"joints\":[]}"}}});
    EXPECT_EQ(found->format, "md5");
    EXPECT_EQ(found->counts.images, 8u);
    EXPECT_EQ(catalog.find_fact(id, 1, Fact::skeleton), "{\"joints\":[]}");
    EXPECT_FALSE(catalog.find_fact(id, 1, Fact::bounds));
    catalog.record_fact(lease, Fact::bounds, "1");
    catalog.record_fact(lease, Fact::bounds, "2");
    EXPECT_EQ(catalog.find_fact(id, 1, Fact::bounds), "2");
    EXPECT_TRUE(catalog.record_thumbnail(lease, true)->has_thumbnail);

    const auto done = catalog.succeed(lease).value();
    EXPECT_EQ(done.asset.status, AssetStatus::ready);
    EXPECT_EQ(done.job.state, JobState::succeeded);
    EXPECT_EQ(done.job.stage, JobStage::done);
    EXPECT_EQ(done.job.progress, 1.0);
    EXPECT_GT(done.job.finished, 0);
}

TEST_F(CatalogTest, AFailedImportKeepsTheOriginals)
{
    const auto id = add("fish").id;
    const auto failed =
        catalog.fail(catalog.claim_job("me", 10s).value(), {"truncated", "byte 9", "ends early"});
    EXPECT_EQ(failed->asset.status, AssetStatus::failed);
    EXPECT_EQ(failed->asset.problem->where, "byte 9");
    EXPECT_EQ(failed->job.problem->code, "truncated");
    EXPECT_EQ(catalog.files(id, 1).size(), 1u);
}

TEST_F(CatalogTest, ALostLeaseWritesNothing)
{
    const auto id = add("fish").id;
    const auto old = catalog.claim_job("dead", 10s).value();
    EXPECT_EQ(catalog.recover_jobs([](const std::string& owner) { return owner == "dead"; }), 1u);
    const auto fresh = catalog.claim_job("alive", 10s).value();
    EXPECT_EQ(fresh.job.attempts, 2u);
    EXPECT_EQ(catalog.heartbeat(old, JobStage::load, 0.5, 10s), LeaseState::lost);
    EXPECT_FALSE(catalog.record_fact(old, Fact::bounds, "old"));
    EXPECT_FALSE(catalog.succeed(old));
    catalog.requeue(old, 0ms, {"environment", "fish.obj", "later"});
    EXPECT_EQ(catalog.heartbeat(fresh, JobStage::load, 0.5, 10s), LeaseState::held);
    EXPECT_FALSE(catalog.find_fact(id, 1, Fact::bounds));
}

TEST_F(CatalogTest, ALostLeaseWritesNothingInItsOwnProcessEither)
{
    const auto id = add("fish").id;
    const auto old = catalog.claim_job("me", 0ms).value();
    EXPECT_EQ(catalog.recover_jobs([](const std::string&) { return false; }), 1u);
    const auto fresh = catalog.claim_job("me", 10s).value();
    EXPECT_EQ(catalog.heartbeat(old, JobStage::thumbnail, 0.9, 10s), LeaseState::lost);
    EXPECT_FALSE(catalog.record_fact(old, Fact::bounds, "old"));
    catalog.hand_back(old);
    EXPECT_FALSE(catalog.make_way(old, 0.7));
    EXPECT_EQ(catalog.heartbeat(fresh, JobStage::load, 0.1, 10s), LeaseState::held);
    EXPECT_FALSE(catalog.find_fact(id, 1, Fact::bounds));
}

TEST_F(CatalogTest, ThumbnailsWaitForTheFirstStagesOfOthers)
{
    const auto first = add("fish").job;
    const auto second = add("bird").job;
    const auto lease = catalog.claim_job("me", 10s).value();
    const auto waiting = catalog.make_way(lease, 0.7).value();
    EXPECT_EQ(waiting.id, first);
    EXPECT_EQ(waiting.state, JobState::queued);
    EXPECT_EQ(waiting.stage, JobStage::thumbnail);
    EXPECT_EQ(waiting.progress, 0.7);
    EXPECT_EQ(waiting.attempts, 0u);
    EXPECT_EQ(catalog.heartbeat(lease, JobStage::bounds, 0.6, 10s), LeaseState::lost);

    const auto other = catalog.claim_job("me", 10s).value();
    EXPECT_EQ(other.job.id, second);
    EXPECT_FALSE(catalog.make_way(other, 0.7)) << "only a thumbnail waits";
    EXPECT_EQ(catalog.heartbeat(other, JobStage::thumbnail, 0.8, 10s), LeaseState::held);
    const auto again = catalog.claim_job("me", 10s).value();
    EXPECT_EQ(again.job.id, first);
    EXPECT_EQ(again.job.stage, JobStage::thumbnail);
    EXPECT_EQ(again.job.progress, 0.7);
    EXPECT_EQ(again.job.attempts, 1u);
    EXPECT_EQ(again.job.started, lease.job.started) << "it began long ago";
}

TEST_F(CatalogTest, AStreamOfUploadsDoesNotStarveThumbnails)
{
    const auto first = add("fish").job;
    const auto lease = catalog.claim_job("me", 10s).value();
    add("bird 0");
    ASSERT_TRUE(catalog.make_way(lease, 0.7));
    for (int i = 1; i < 20; ++i) {
        const auto claimed = catalog.claim_job("me", 10s).value();
        if (claimed.job.id == first) return;
        catalog.succeed(claimed);
        add("bird " + std::to_string(i));
    }
    FAIL() << "the first thumbnail still waits after twenty imports";
}

TEST_F(CatalogTest, AJobWhoseTimeHasNotComeHoldsNobodyUp)
{
    add("fish");
    catalog.requeue(catalog.claim_job("me", 10s).value(), 60s, {"environment", "fish.obj", "later"});
    add("bird");
    EXPECT_FALSE(catalog.make_way(catalog.claim_job("me", 10s).value(), 0.7));
}

TEST_F(CatalogTest, JobsKeepTheirStageOnEveryWayBack)
{
    const auto job = add("fish").job;
    auto lease = catalog.claim_job("dead", 10s).value();
    catalog.heartbeat(lease, JobStage::bounds, 0.5, 10s);
    catalog.hand_back(lease);
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

TEST_F(CatalogTest, LeasesRunOut)
{
    add("fish");
    const auto lease = catalog.claim_job("me", 0ms);
    EXPECT_EQ(catalog.recover_jobs([](const std::string&) { return false; }), 1u);
    EXPECT_TRUE(catalog.claim_job("me", 10s));
    EXPECT_EQ(catalog.recover_jobs([](const std::string&) { return false; }), 0u);
}

TEST_F(CatalogTest, HandedBackJobsWaitTheirTime)
{
    add("fish");
    catalog.requeue(catalog.claim_job("me", 10s).value(), 60s, {"environment", "fish.obj", "later"});
    EXPECT_EQ(catalog.queued_jobs(), 1u);
    EXPECT_FALSE(catalog.claim_job("me", 10s));
    add("bird");
    catalog.requeue(catalog.claim_job("me", 10s).value(), 0ms, {"environment", "fish.obj", "later"});
    EXPECT_TRUE(catalog.claim_job("me", 10s));
}

TEST_F(CatalogTest, APutOffJobSaysWhyUntilItIsClaimed)
{
    const auto job = add("fish").job;
    const auto lease = catalog.claim_job("me", 10s).value();
    const auto waiting = catalog.put_off(lease, 0ms, {"storage_full", "fish.obj", "full"}).value();
    EXPECT_EQ(waiting.state, JobState::queued);
    EXPECT_EQ(waiting.attempts, 0u);
    EXPECT_EQ(catalog.find_job(job)->problem->code, "storage_full");
    EXPECT_FALSE(catalog.put_off(lease, 0ms, {"storage_full", "fish.obj", "full"})) << "not held any more";
    EXPECT_FALSE(catalog.claim_job("me", 10s)->job.problem);
    EXPECT_FALSE(catalog.find_job(job)->problem);
}

TEST_F(CatalogTest, CancelsQueuedAndRunningJobs)
{
    const auto queued = add("fish");
    EXPECT_EQ(catalog.cancel_job(queued.job)->state, JobState::cancelled);
    EXPECT_EQ(catalog.find_asset(queued.id)->status, AssetStatus::failed);
    EXPECT_EQ(catalog.find_asset(queued.id)->problem->where, "fish.obj");
    EXPECT_EQ(catalog.cancel_job(queued.job).error().kind, Errc::conflict);
    EXPECT_EQ(catalog.cancel_job("job_x").error().kind, Errc::not_found);

    add("bird");
    const auto lease = catalog.claim_job("me", 10s).value();
    EXPECT_EQ(catalog.cancel_job(lease.job.id)->state, JobState::running);
    EXPECT_EQ(catalog.heartbeat(lease, JobStage::load, 0, 10s), LeaseState::cancel_requested);
    const auto cancelled = catalog.finish_cancelled(lease)->job;
    EXPECT_EQ(cancelled.state, JobState::cancelled);
    EXPECT_EQ(cancelled.problem->where, "bird.obj");
}

TEST_F(CatalogTest, WritesAndReadsFromManyThreads)
{
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 10; ++i) {
                add(std::to_string(t) + "_" + std::to_string(i));
                (void)catalog.list_assets({});
            }
        });
    threads.clear();
    EXPECT_EQ(catalog.asset_count(), 40u);
}

} // namespace
} // namespace vitrine::server::testing
