// Assets: creation, identity, names and the trash.

#include <thread>

#include <gmock/gmock.h>

#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

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

// Each change of the columns of lists writes the indexes of all sort orders and filters.
TEST_F(CatalogTest, WritesTheRowOfANewAssetOnce)
{
    if (!CatalogPlace::database().empty()) GTEST_SKIP() << "counts by a trigger of SQLite";
    catalog.connections().write([](DatabaseConnection& sql) {
        sql << "CREATE TABLE list_writes (id TEXT)";
        sql << "CREATE TRIGGER count_list_writes AFTER UPDATE ON assets BEGIN "
               "INSERT INTO list_writes VALUES (new.id); END";
    });
    const auto asset = add("fish");
    const auto writes = [&] {
        long long count = 0;
        catalog.connections().read(
            [&](DatabaseConnection& sql) { sql << "SELECT COUNT(*) FROM list_writes", soci::into(count); });
        return count;
    };
    EXPECT_EQ(writes(), 0);
    long long bytes = 0;
    catalog.connections().read([&](DatabaseConnection& sql) {
        sql << "SELECT file_bytes FROM assets WHERE id = :id", soci::into(bytes), soci::use(asset.id);
    });
    EXPECT_EQ(bytes, 10);
    const auto lease = catalog.claim_job("me", 10s).value();
    catalog.record_metadata(lease, {{.format = "obj", .summary = "{}"}, {}, {}});
    EXPECT_EQ(writes(), 2); // the columns, and the revision
}

TEST_F(CatalogTest, RecognizesKnownContent)
{
    const auto first = add("fish");
    const auto again = catalog.create_assets(std::vector{asset_named("fish")}).front();
    EXPECT_TRUE(again.existing);
    EXPECT_EQ(again.asset.id, first.id);
    EXPECT_EQ(catalog.asset_count(), 1u);
    EXPECT_EQ(catalog.queued_jobs(), 1u);
}

TEST_F(CatalogTest, ContentIdentityIgnoresTheFileOrder)
{
    NewAsset a{"a", "m", {{"m", "1", 1}, {"t", "2", 1}}};
    NewAsset b{"b", "m", {{"t", "2", 1}, {"m", "1", 1}}};
    EXPECT_EQ(Catalog::source_hash(a), Catalog::source_hash(b));
    b.main_file = "t";
    EXPECT_NE(Catalog::source_hash(a), Catalog::source_hash(b));
}

TEST_F(CatalogTest, KnownContentIsRestoredAndRetried)
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
    const Catalog second(location());
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
