// Which writes outdate what: everything that the API shows of an asset, and nothing else.

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;

class CatalogGenerations : public CatalogTest {
protected:
    // Runs the write and returns whether it outdates the asset; the catalog must be outdated with it.
    template <class Write>
    bool outdates(const std::string& id, Write write)
    {
        const auto asset = catalog.generations().of_asset(id), whole = catalog.generations().of_catalog();
        write();
        EXPECT_TRUE(catalog.generations().of_asset(id).is_current()) << "the change has ended";
        EXPECT_EQ(asset.is_current(), whole.is_current());
        return !asset.is_current();
    }
    Lease claim() { return catalog.claim_job("worker", 1h).value(); }

    std::string fish = add("fish").id;
};

TEST_F(CatalogGenerations, EveryChangeOfAnAssetOutdatesIt)
{
    EXPECT_TRUE(outdates(fish, [&] { catalog.change_asset(fish, {.name = "cod"}).value(); }));
    EXPECT_TRUE(outdates(fish, [&] { catalog.trash_asset(fish).value(); }));
    EXPECT_TRUE(outdates(fish, [&] { catalog.restore_asset(fish).value(); }));
    catalog.trash_asset(fish).value();
    EXPECT_TRUE(outdates(fish, [&] { add("fish"); })) << "known content leaves the trash";
}

TEST_F(CatalogGenerations, EveryStageOfAnImportOutdatesIt)
{
    const auto held = claim();
    Metadata found;
    found.format = "obj";
    EXPECT_TRUE(outdates(fish, [&] { catalog.record_metadata(held, found); }));
    EXPECT_TRUE(outdates(fish, [&] { catalog.record_document(held, AssetDocument::bounds, "{}"); }));
    EXPECT_TRUE(outdates(fish, [&] { catalog.record_thumbnail(held, true); }));
    EXPECT_TRUE(outdates(fish, [&] { catalog.succeed(held); }));
    EXPECT_TRUE(outdates(fish, [&] {
        catalog.set_user_clips(fish, {.before = "", .after = "clip", .if_match = "", .found = found}).value();
    }));
    EXPECT_TRUE(outdates(fish, [&] { catalog.reimport_asset(fish).value(); }));
    EXPECT_TRUE(outdates(fish, [&] { catalog.fail(claim(), {"code", "", ""}); }));
    EXPECT_TRUE(outdates(fish, [&] { add("fish"); })) << "a failed import is queued again";
    EXPECT_TRUE(outdates(fish, [&] { catalog.finish_cancelled(claim()); }));
}

TEST_F(CatalogGenerations, CancellingAQueuedImportOutdatesIt)
{
    const auto job = catalog.find_asset(fish).value().job;
    EXPECT_TRUE(outdates(fish, [&] { catalog.cancel_job(job).value(); }));
}

TEST_F(CatalogGenerations, JobsAndKeysOutdateNothing)
{
    Lease held;
    EXPECT_FALSE(outdates(fish, [&] { held = claim(); }));
    EXPECT_FALSE(outdates(fish, [&] { catalog.heartbeat(held, JobStage::load, 0.5, 1h); }));
    EXPECT_FALSE(outdates(fish, [&] { catalog.requeue(held, 0ms, {"code", "", ""}); }));
    EXPECT_FALSE(outdates(fish, [&] { catalog.claim_key("key", "content"); }));
    EXPECT_FALSE(outdates(fish, [&] { catalog.release_key("key", "content"); }));
}

TEST_F(CatalogGenerations, WritesThatChangeNothingOutdateNothing)
{
    EXPECT_FALSE(outdates(fish, [&] { catalog.change_asset(fish, {.name = "fish"}).value(); }));
    EXPECT_FALSE(
        outdates(fish, [&] { catalog.change_asset(fish, {.name = "cod", .if_match = "\"other\""}); }));
    EXPECT_FALSE(outdates(fish, [&] { catalog.restore_asset(fish).value(); }));
}

TEST_F(CatalogGenerations, OtherAssetsStayCurrent)
{
    std::vector<Generations::Stamp> others; // of which one may share the counter
    for (const char* id : {"asset_1", "asset_2", "asset_3", "asset_4", "asset_5"})
        others.push_back(catalog.generations().of_asset(id));
    const auto whole = catalog.generations().of_catalog();
    catalog.change_asset(fish, {.name = "cod"}).value();
    EXPECT_GE(std::ranges::count_if(others, &Generations::Stamp::is_current), 4);
    EXPECT_FALSE(whole.is_current());
    const auto before = catalog.generations().of_catalog();
    add("new");
    EXPECT_FALSE(before.is_current()) << "lists have one more";
}

// More assets in one write than are told apart.
TEST_F(CatalogGenerations, LargeWriteOutdatesAll)
{
    std::vector<NewAsset> many;
    for (int i = 0; i < 1100; ++i)
        many.push_back(asset_named("asset " + std::to_string(i)));
    EXPECT_TRUE(outdates(fish, [&] { catalog.create_assets(many); }));
}

// A reader that stores what it reads with the generation from before sees each name at the latest when the
// write of the name has returned.
TEST_F(CatalogGenerations, NoStoredReadIsOlderThanAReturnedWrite)
{
    constexpr int renames = 300;
    catalog.change_asset(fish, {.name = "0"}).value();
    std::atomic<int> returned = 0;
    std::jthread writer([&] {
        for (int i = 1; i <= renames; ++i) {
            catalog.change_asset(fish, {.name = std::to_string(i)}).value();
            returned = i;
        }
    });
    struct Stored {
        Generations::Stamp stamp;
        int name = 0;
    };
    const auto read = [&] {
        const auto stamp = catalog.generations().of_asset(fish);
        return Stored{stamp, std::stoi(catalog.find_asset(fish).value().name)};
    };
    auto stored = read();
    std::size_t hits = 0, reads = 0;
    while (returned < renames) {
        const int least = returned;
        if (stored.stamp.is_current()) {
            ++hits;
        } else {
            stored = read();
            ++reads;
        }
        ASSERT_GE(stored.name, least);
    }
    EXPECT_GT(hits, reads);
}

} // namespace
} // namespace vitrine::server::testing
