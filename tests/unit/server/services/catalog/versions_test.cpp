// Versions of an asset: numbers, which one requests read, and what an import changes.

#include <thread>

#include <gmock/gmock.h>

#include "tests/unit/server/services/catalog/fixture.hpp"
#include "tests/unit/server/services/support/database.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

NewVersion content(const std::string& name)
{
    return {.content = asset_named(name)};
}

class CatalogVersionTest : public CatalogTest {
protected:
    CatalogVersionTest() : first_(add_ready("guard", {.triangles = 12}, "hips\n")) {}

    CreatedVersion add_version(const std::string& name)
    {
        return catalog.create_version(first_.id, content(name)).value();
    }
    AssetRecord asset() { return catalog.find_asset(first_.id).value(); }
    AssetRecord version(std::uint32_t number) { return catalog.find_version(first_.id, number).value(); }
    // Claims the import that is due, and records what it found.
    Lease start_import(const Counts& counts, const std::string& joints)
    {
        auto lease = catalog.claim_job("me", 10s).value();
        EXPECT_TRUE(catalog.record_metadata(
            lease,
            {{.format = "fbx", .counts = counts, .summary = R"({"warnings":0})"}, {.joints = joints}, {}}));
        return lease;
    }
    std::vector<std::string> found(const std::string& q) { return names({.q = q}); }
    std::vector<std::string> events_since(std::uint64_t id)
    {
        std::vector<std::string> types;
        for (const auto& event : catalog.events_after(id, 100))
            types.push_back(event.type);
        return types;
    }
    std::uint64_t last_event() { return catalog.newest_events(1).back().id; }

    AssetRecord first_;
};

TEST_F(CatalogVersionTest, IsReadOnceItIsImported)
{
    const auto created = add_version("better");
    EXPECT_FALSE(created.existing);
    EXPECT_EQ(created.version.number, 2u);
    EXPECT_EQ(created.asset.version, 1u);
    EXPECT_EQ(created.job.version, 2u);
    const auto lease = start_import({.triangles = 90}, "spine\n");
    EXPECT_EQ(lease.asset.main_file, "better.obj");
    EXPECT_EQ(asset().version, 1u);
    EXPECT_EQ(asset().counts.triangles, 12u);
    EXPECT_EQ(asset().status, AssetStatus::ready);
    EXPECT_EQ(version(2).counts.triangles, 90u);
    EXPECT_EQ(version(2).status, AssetStatus::importing);
    EXPECT_THAT(found("hips"), ElementsAre("guard"));
    EXPECT_THAT(found("spine"), ElementsAre());

    ASSERT_TRUE(catalog.succeed(lease));
    EXPECT_EQ(asset().version, 2u);
    EXPECT_EQ(asset().name, "guard");
    EXPECT_EQ(asset().counts.triangles, 90u);
    EXPECT_THAT(found("spine"), ElementsAre("guard"));
    EXPECT_THAT(found("hips"), ElementsAre());
    EXPECT_EQ(names({.triangles_min = 80}).size(), 1u);
    EXPECT_EQ(version(1).counts.triangles, 12u);
    EXPECT_EQ(version(1).main_file, "guard.obj");
    EXPECT_EQ(catalog.files(first_.id, 1).front().name, "guard.obj");
    EXPECT_EQ(catalog.files(first_.id, 2).front().name, "better.obj");
    EXPECT_TRUE(catalog.names_blob(asset_named("guard").files.front().blob));
    EXPECT_TRUE(catalog.names_blob(asset_named("better").files.front().blob));
}

TEST_F(CatalogVersionTest, ThatFailsReplacesNothing)
{
    const auto before = last_event();
    add_version("broken");
    const auto lease = catalog.claim_job("me", 10s).value();
    ASSERT_TRUE(catalog.fail(lease, {"truncated", "0", "it ends early"}));
    EXPECT_EQ(asset().version, 1u);
    EXPECT_EQ(asset().status, AssetStatus::ready);
    EXPECT_FALSE(asset().problem);
    const auto list = catalog.versions(first_.id);
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(list[0].number, 2u);
    EXPECT_EQ(list[0].status, AssetStatus::failed);
    EXPECT_EQ(list[0].problem.value().code, "truncated");
    EXPECT_TRUE(list[1].is_current);
    EXPECT_THAT(events_since(before), ElementsAre("asset.updated", "asset.version", "job", "asset.updated",
                                                  "asset.version", "job"));
    // The same content again: the same version.
    const auto again = add_version("broken");
    EXPECT_TRUE(again.existing);
    EXPECT_EQ(again.version.number, 2u);
    EXPECT_EQ(again.version.status, AssetStatus::importing);
    ASSERT_TRUE(catalog.succeed(start_import({.triangles = 3}, "")));
    EXPECT_EQ(asset().version, 2u);
}

TEST_F(CatalogVersionTest, KnownContentIsTold)
{
    EXPECT_TRUE(add_version("guard").existing);
    add_version("better");
    const auto revision = asset().revision;
    const auto again = add_version("better");
    EXPECT_TRUE(again.existing);
    EXPECT_EQ(again.version.number, 2u);
    EXPECT_EQ(asset().revision, revision);
    EXPECT_EQ(catalog.versions(first_.id).size(), 2u);
}

TEST_F(CatalogVersionTest, TheNewestWinsWhateverEndsFirst)
{
    add_version("second");
    add_version("third");
    const auto second = start_import({.triangles = 2}, "two\n");
    const auto third = start_import({.triangles = 3}, "three\n");
    ASSERT_TRUE(catalog.succeed(third));
    ASSERT_TRUE(catalog.succeed(second));
    EXPECT_EQ(asset().version, 3u);
    EXPECT_EQ(version(2).status, AssetStatus::ready);
    EXPECT_THAT(found("three"), ElementsAre("guard"));
    EXPECT_THAT(found("two"), ElementsAre());
}

TEST_F(CatalogVersionTest, TwoAtOnceHaveTheirOwnNumbers)
{
    std::vector<std::uint32_t> numbers(8);
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            threads.emplace_back(
                [&, i] { numbers[i] = add_version("content " + std::to_string(i / 2)).version.number; });
    }
    EXPECT_THAT(numbers, UnorderedElementsAre(2u, 2u, 3u, 3u, 4u, 4u, 5u, 5u)) << "equal contents are one";
}

TEST_F(CatalogVersionTest, RestoredIsANewVersion)
{
    add_version("better");
    ASSERT_TRUE(catalog.succeed(start_import({.triangles = 90}, "spine\n")));
    const auto restored = catalog.restore_version(first_.id, 1).value();
    EXPECT_FALSE(restored.existing);
    EXPECT_EQ(restored.version.number, 3u);
    EXPECT_EQ(restored.version.restored_from, 1u);
    EXPECT_EQ(version(3).source_hash, version(1).source_hash);
    EXPECT_EQ(catalog.files(first_.id, 3).front().blob, catalog.files(first_.id, 1).front().blob);
    EXPECT_EQ(asset().version, 2u);
    ASSERT_TRUE(catalog.succeed(start_import({.triangles = 12}, "hips\n")));
    EXPECT_EQ(asset().version, 3u);
    EXPECT_EQ(catalog.versions(first_.id).size(), 3u);
    EXPECT_TRUE(catalog.restore_version(first_.id, 3).value().existing);
}

TEST_F(CatalogVersionTest, RestoreWhileAnotherIsImported)
{
    add_version("better");
    const auto second = start_import({.triangles = 90}, "spine\n");
    EXPECT_EQ(catalog.restore_version(first_.id, 2).error().code, "import_running");
    const auto restored = catalog.restore_version(first_.id, 1).value();
    EXPECT_FALSE(restored.existing) << "a newer one will be imported";
    ASSERT_TRUE(catalog.succeed(start_import({.triangles = 12}, "hips\n")));
    ASSERT_TRUE(catalog.succeed(second));
    EXPECT_EQ(asset().version, 3u);
    EXPECT_EQ(asset().main_file, "guard.obj");
}

TEST_F(CatalogVersionTest, RefusesWhatCannotBeRestored)
{
    EXPECT_EQ(catalog.restore_version(first_.id, 9).error().code, "not_found");
    add_version("broken");
    ASSERT_TRUE(catalog.fail(catalog.claim_job("me", 10s).value(), {"truncated", "0", "it ends early"}));
    EXPECT_EQ(catalog.restore_version(first_.id, 2).error().code, "import_failed");
    EXPECT_EQ(catalog.restore_version(first_.id, 1, "\"old\"").error().code, "edit_conflict");
    auto wanted = content("other");
    wanted.if_match = "\"old\"";
    EXPECT_EQ(catalog.create_version(first_.id, wanted).error().code, "edit_conflict");
    ASSERT_TRUE(catalog.trash_asset(first_.id));
    EXPECT_EQ(catalog.create_version(first_.id, content("other")).error().code, "asset_in_trash");
}

TEST_F(CatalogVersionTest, MayHaveANewName)
{
    auto wanted = content("better");
    wanted.name = "captain";
    ASSERT_TRUE(catalog.create_version(first_.id, wanted));
    const auto lease = start_import({}, "");
    EXPECT_EQ(asset().name, "guard");
    ASSERT_TRUE(catalog.succeed(lease));
    EXPECT_EQ(asset().name, "captain");
    EXPECT_THAT(found("captain"), ElementsAre("captain"));
    EXPECT_THAT(found("guard"), ElementsAre());
}

TEST_F(CatalogVersionTest, ALaterNameIsKept)
{
    auto wanted = content("better");
    wanted.name = "captain";
    ASSERT_TRUE(catalog.create_version(first_.id, wanted));
    ASSERT_TRUE(catalog.change_asset(first_.id, {.name = "sergeant", .if_match = {}}));
    ASSERT_TRUE(catalog.succeed(start_import({}, "")));
    EXPECT_EQ(asset().name, "sergeant");
}

TEST_F(CatalogVersionTest, ReplacesOneThatHasFailed)
{
    const auto failed = add("broken");
    ASSERT_TRUE(catalog.fail(catalog.claim_job("me", 10s).value(), {"truncated", "0", "it ends early"}));
    ASSERT_TRUE(catalog.create_version(failed.id, content("whole")));
    EXPECT_EQ(catalog.find_asset(failed.id)->status, AssetStatus::failed);
    ASSERT_TRUE(catalog.succeed(start_import({}, "")));
    EXPECT_EQ(catalog.find_asset(failed.id)->status, AssetStatus::ready);
    EXPECT_FALSE(catalog.find_asset(failed.id)->problem);
}

TEST_F(CatalogVersionTest, CancelledLeavesWhatRequestsRead)
{
    const auto created = add_version("better");
    EXPECT_EQ(catalog.cancel_job(created.job.id).value().state, JobState::cancelled);
    EXPECT_EQ(asset().status, AssetStatus::ready);
    EXPECT_EQ(version(2).status, AssetStatus::failed);
}

TEST_F(CatalogVersionTest, OldOnesAreNotStale)
{
    add_version("better");
    ASSERT_TRUE(catalog.succeed(start_import({}, "")));
    execute_sql(location(), "UPDATE versions SET facts_version = 0, facts_tried = 0 WHERE number = 1");
    EXPECT_EQ(catalog.count_stale_facts().assets, 0u) << "nothing refreshes it";
    execute_sql(location(), "UPDATE versions SET facts_version = 0, facts_tried = 0");
    EXPECT_EQ(catalog.count_stale_facts().assets, 1u);
}

} // namespace
} // namespace vitrine::server::testing
