// Changes of many assets, and the end of those in the trash.

#include "server/services/organization/asset_batch.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include <gmock/gmock.h>

#include "server/services/organization/collection_table.hpp"
#include "server/services/organization/tag_table.hpp"
#include "server/services/organization/trash.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = BatchOperation::Kind;

class CatalogBatchTest : public CatalogTest {
protected:
    std::vector<std::string> run(const std::vector<std::string>& assets,
                                 const std::vector<BatchOperation>& operations)
    {
        std::vector<std::string> codes;
        for (const auto& result : change_assets(catalog, *blobs, assets, operations))
            codes.push_back(result ? "" : result.error().code);
        return codes;
    }
    static BatchOperation tag(const std::string& name)
    {
        BatchOperation operation;
        operation.change.added_tags = {name};
        return operation;
    }
    static BatchOperation of_collection(Kind kind, const std::string& id)
    {
        return {.kind = kind, .collection = id};
    }
    std::string tags_of(const std::string& id) { return catalog.find_asset(id)->tags; }
    std::size_t events() { return catalog.newest_events(1000).size(); }

    std::unique_ptr<BlobStore> blobs = make_file_blob_store(folder() / "blobs", true);
    CollectionTable collections{catalog.connections()};
    TagTable tags{catalog.connections()};
    Trash trash{catalog.connections(), *blobs, 24h};
    const std::string fish = add("fish").id, boat = add("boat").id;
};

TEST_F(CatalogBatchTest, AnswersForEachAsset)
{
    EXPECT_THAT(run({fish, "asset_none", boat}, {tag("wood")}), ElementsAre("", "no_asset", ""));
    EXPECT_EQ(tags_of(fish), tags_of(boat));
    EXPECT_THAT(names({.tags = {"wood"}}), ElementsAre("boat", "fish"));
}

// What was done before the operation that fails is undone, with its events.
TEST_F(CatalogBatchTest, AnAssetIsChangedByAllOperationsOrNone)
{
    const auto before = events();
    EXPECT_THAT(
        run({fish}, {tag("wood"), {.kind = Kind::trash}, {.kind = Kind::purge}, {.kind = Kind::purge}}),
        ElementsAre("no_asset"));
    EXPECT_EQ(tags_of(fish), "");
    EXPECT_EQ(catalog.find_asset(fish)->deleted, 0);
    EXPECT_EQ(events(), before);
    EXPECT_THAT(tags.list("", 10, "")->items, IsEmpty());
    EXPECT_THAT(run({boat}, {tag("wood"), {.kind = Kind::purge}}), ElementsAre("not_in_trash"));
    EXPECT_EQ(tags_of(boat), "");
}

TEST_F(CatalogBatchTest, SignalsOnlyWhatWasDone)
{
    std::vector<std::string> heard;
    const auto subscription =
        catalog.signals().subscribe("events", [&](std::string_view text) { heard.emplace_back(text); });
    run({fish}, {tag("wood"), {.kind = Kind::purge}});
    EXPECT_THAT(heard, IsEmpty());
    run({fish, boat}, {tag("wood")});
    EXPECT_FALSE(heard.empty());
}

TEST_F(CatalogBatchTest, ChangesCollections)
{
    Collection wanted;
    wanted.name = "Props";
    const auto id = collections.create(wanted)->id;
    EXPECT_THAT(run({fish, "asset_none", boat}, {of_collection(Kind::add_to_collection, id)}),
                ElementsAre("", "no_asset", ""));
    EXPECT_EQ(collections.find(id)->assets, 2u);
    EXPECT_THAT(run({fish}, {of_collection(Kind::remove_from_collection, id)}), ElementsAre(""));
    EXPECT_EQ(collections.find(id)->assets, 1u);
    EXPECT_THAT(run({fish}, {of_collection(Kind::add_to_collection, "collection_none")}),
                ElementsAre("no_collection"));
}

TEST_F(CatalogBatchTest, ACollectionWithoutAChangeKeepsItsRevision)
{
    Collection wanted;
    wanted.name = "Props";
    const auto created = collections.create(wanted).value();
    const auto before = events();
    EXPECT_THAT(run({"asset_none", "asset_other"}, {of_collection(Kind::add_to_collection, created.id)}),
                ElementsAre("no_asset", "no_asset"));
    EXPECT_THAT(run({fish}, {of_collection(Kind::add_to_collection, created.id), {.kind = Kind::purge}}),
                ElementsAre("not_in_trash"));
    EXPECT_EQ(collections.find(created.id)->etag(), created.etag());
    EXPECT_EQ(events(), before);
}

TEST_F(CatalogBatchTest, HandlesManyAssets)
{
    std::vector<std::string> all;
    for (int i = 0; i < 120; ++i)
        all.push_back(add("asset " + std::to_string(i)).id);
    all[77] = "asset_none";
    const auto codes = run(all, {tag("many")});
    ASSERT_EQ(codes.size(), all.size());
    EXPECT_EQ(std::ranges::count(codes, std::string()), 119);
    EXPECT_EQ(codes[77], "no_asset");
    EXPECT_EQ(tags.list("many", 1, "")->items.front().assets, 119u);
}

TEST_F(CatalogBatchTest, MovesToTheTrashAndBack)
{
    EXPECT_THAT(run({fish, boat}, {{.kind = Kind::trash}}), ElementsAre("", ""));
    EXPECT_THAT(names({}), IsEmpty());
    EXPECT_THAT(run({fish}, {{.kind = Kind::restore}}), ElementsAre(""));
    EXPECT_THAT(names({}), ElementsAre("fish"));
}

TEST_F(CatalogBatchTest, PurgedAssetsExistNoMore)
{
    Collection wanted;
    wanted.name = "Props";
    wanted.cover = fish;
    const auto id = collections.create(wanted)->id;
    run({fish, boat}, {tag("wood"), of_collection(Kind::add_to_collection, id)});
    run({fish}, {tag("sea")});
    EXPECT_EQ(trash.purge(fish).error().code, "not_in_trash");
    ASSERT_TRUE(catalog.trash_asset(fish));
    const auto job = catalog.find_asset(fish)->job;
    const auto stamp = catalog.generations().of_asset(fish);
    ASSERT_TRUE(trash.purge(fish));
    EXPECT_FALSE(stamp.is_current()) << "stored responses are outdated";
    EXPECT_EQ(trash.purge(fish).error().kind, Errc::not_found);
    EXPECT_FALSE(catalog.find_asset(fish));
    EXPECT_FALSE(catalog.find_job(job));
    EXPECT_THAT(catalog.files(fish, 1), IsEmpty());
    EXPECT_THAT(names({.trash = true}), IsEmpty());
    EXPECT_THAT(names({.q = "fish"}), IsEmpty());
    EXPECT_EQ(tags.list("", 10, "")->items.size(), 1u) << "the tag of nothing is none";
    EXPECT_EQ(collections.find(id)->assets, 1u);
    EXPECT_EQ(collections.find(id)->cover, "");
    EXPECT_EQ(catalog.newest_events(1).front().type, "asset.purged");
    EXPECT_FALSE(catalog.create_assets(std::vector{asset_named("fish")}).front().existing);
}

TEST_F(CatalogBatchTest, APurgedAssetEndsItsImport)
{
    const auto lease = catalog.claim_job("me", 10s).value();
    ASSERT_TRUE(catalog.trash_asset(lease.asset.id));
    ASSERT_TRUE(trash.purge(lease.asset.id));
    EXPECT_EQ(catalog.heartbeat(lease, JobStage::load, 0.5, 10s), LeaseState::lost);
    EXPECT_FALSE(catalog.record_metadata(lease, {}));
    EXPECT_FALSE(catalog.succeed(lease));
    EXPECT_FALSE(catalog.fail(lease, {"a", "b", "c"}));
}

// On PostgreSQL they would wait for each other if they locked the rows in different orders.
TEST_F(CatalogBatchTest, BatchesOfTheSameAssetsAndImportsRunTogether)
{
    std::vector<std::string> all{fish, boat};
    for (int i = 0; i < 40; ++i)
        all.push_back(add("asset " + std::to_string(i)).id);
    Collection wanted;
    wanted.name = "Props";
    const auto id = collections.create(wanted)->id;
    {
        std::vector<std::jthread> threads;
        threads.emplace_back([&] {
            while (const auto lease = catalog.claim_job("me", 10s))
                catalog.record_metadata(*lease, {}), catalog.succeed(*lease);
        });
        for (const auto& operation :
             {tag("wood"), of_collection(Kind::add_to_collection, id), BatchOperation{.kind = Kind::trash}}) {
            threads.emplace_back([this, operation, all] { run(all, {operation}); });
            std::ranges::reverse(all);
        }
    }
    run(all, {{.kind = Kind::restore}, of_collection(Kind::add_to_collection, id)});
    EXPECT_EQ(collections.find(id)->assets, all.size());
    EXPECT_EQ(tags.list("wood", 1, "")->items.front().assets, all.size());
    EXPECT_EQ(catalog.queued_jobs(), 0u);
}

TEST_F(CatalogBatchTest, TheTrashExpires)
{
    ASSERT_TRUE(catalog.trash_asset(fish));
    EXPECT_EQ(trash.purge_expired(), 0u) << "it has been there for a moment";
    EXPECT_EQ(trash.purge_older(now() + 1'000'000), 1u);
    EXPECT_FALSE(catalog.find_asset(fish));
    EXPECT_TRUE(catalog.find_asset(boat));
}

TEST_F(CatalogBatchTest, AStopEndsThePurge)
{
    ASSERT_TRUE(catalog.trash_asset(fish));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(trash.purge_older(now() + 1'000'000, stop.get_token()), 0u);
    EXPECT_TRUE(catalog.find_asset(fish));
}

// As several processes of one catalog do.
TEST_F(CatalogBatchTest, SeveralMayPurgeAtTheSameTime)
{
    std::vector<std::string> all;
    for (int i = 0; i < 50; ++i)
        all.push_back(add("asset " + std::to_string(i)).id);
    run(all, {tag("many"), {.kind = Kind::trash}});
    std::atomic<std::size_t> purged = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] { purged += trash.purge_older(now() + 1'000'000); });
    }
    EXPECT_EQ(purged, 50u);
    EXPECT_THAT(names({.trash = true}), IsEmpty());
    EXPECT_EQ(catalog.asset_count(), 2u);
}

} // namespace
} // namespace vitrine::server::testing
