// The limits of original files.

#include "server/services/uploads/storage_quota.hpp"

#include <gtest/gtest.h>

#include "server/services/access/user_table.hpp"
#include "server/services/audit/audit_log.hpp"
#include "server/services/uploads/upload_table.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class CatalogQuotaTest : public CatalogTest {
protected:
    static NewAsset asset_of(const std::string& blob, std::uint64_t bytes)
    {
        const FileRecord file{blob + ".obj", blob, bytes};
        return {file.name, file.name, {file}};
    }
    // Stores an asset of one file by the principal, if there is room. Returns the code of the error.
    std::string store(StorageQuota& quota, const NewAsset& asset, const std::string& principal = "open")
    {
        const AuditScope scope({.principal = principal});
        auto room = quota.reserve(principal, 0);
        if (!room) return room.error().code;
        if (auto admitted = room->admit({&asset, 1}); !admitted) return admitted.error().code;
        catalog.create_assets(std::vector{asset});
        room->settle();
        return {};
    }
    static bool has_room(StorageQuota& quota, std::uint64_t bytes, const std::string& principal = "open")
    {
        return quota.reserve(principal, bytes).has_value();
    }
    std::string add_user(const std::string& name, std::optional<std::uint64_t> quota = {})
    {
        return UserTable(catalog.connections()).create({.name = name, .quota = quota}).value().id;
    }
};

TEST_F(CatalogQuotaTest, CountsEachContentOnce)
{
    StorageQuota quota(catalog.connections(), {.all_bytes = 100});
    EXPECT_EQ(store(quota, asset_of("a", 60)), "");
    EXPECT_EQ(StorageQuota(catalog.connections(), {}).in_use().stored, 60u);
    EXPECT_EQ(store(quota, asset_of("b", 41)), "quota_exceeded");
    EXPECT_EQ(store(quota, asset_of("a", 60)), "") << "a known content needs no room";
    EXPECT_EQ(store(quota, asset_of("b", 40)), "");
    EXPECT_EQ(store(quota, asset_of("c", 1)), "quota_exceeded");
    EXPECT_EQ(store(quota, asset_of("a", 60)), "") << "nor in a full library";
    const auto error = quota.reserve("open", 1).error();
    EXPECT_EQ(error.code, "quota_exceeded");
    EXPECT_EQ(error.kind, Errc::no_room);
}

TEST_F(CatalogQuotaTest, TrashAndAllVersionsCount)
{
    const auto asset = add("guard");
    ASSERT_TRUE(catalog.create_version(asset.id, {.content = asset_named("better")}));
    ASSERT_TRUE(catalog.trash_asset(asset.id));
    StorageQuota quota(catalog.connections(), {.all_bytes = 20});
    EXPECT_EQ(quota.in_use().stored, 20u);
    EXPECT_FALSE(has_room(quota, 1));
}

TEST_F(CatalogQuotaTest, CountsUploadsInPieces)
{
    UploadTable table(catalog.connections(), {});
    StorageQuota quota(catalog.connections(), {.all_bytes = 100});
    ASSERT_TRUE(table.create({.id = "one", .length = 70}));
    EXPECT_EQ(quota.in_use().open, 70u);
    EXPECT_TRUE(has_room(quota, 30));
    EXPECT_FALSE(has_room(quota, 31));
    ASSERT_TRUE(table.remove("one"));
    EXPECT_TRUE(has_room(quota, 100));
}

TEST_F(CatalogQuotaTest, CountsBodiesThatArrive)
{
    StorageQuota quota(catalog.connections(), {.all_bytes = 100});
    {
        auto one = quota.reserve("open", 0).value(), other = quota.reserve("open", 0).value();
        EXPECT_TRUE(one.grow_to(60));
        EXPECT_TRUE(other.grow_to(40));
        EXPECT_FALSE(one.grow_to(61));
        EXPECT_FALSE(has_room(quota, 1));
    }
    EXPECT_TRUE(has_room(quota, 100)) << "they have ended";
}

// Each counts at most once a second what is stored.
TEST_F(CatalogQuotaTest, ProcessesReserveTogether)
{
    Catalog same{location()};
    StorageQuota a(catalog.connections(), {.all_bytes = 100}), b(same.connections(), {.all_bytes = 100});
    EXPECT_TRUE(has_room(a, 100));
    EXPECT_TRUE(has_room(b, 0)) << "both have counted an empty library";
    {
        const auto room = a.reserve("open", 70).value();
        EXPECT_FALSE(has_room(b, 31));
        EXPECT_TRUE(has_room(b, 30));
    }
    EXPECT_TRUE(has_room(a, 0) && has_room(b, 0)) << "also remove what has ended";
    EXPECT_EQ(store(a, asset_of("a", 80)), "");
    EXPECT_EQ(store(b, asset_of("b", 30)), "quota_exceeded") << "of what was stored since";
    EXPECT_EQ(store(b, asset_of("b", 20)), "");
    EXPECT_EQ(store(a, asset_of("c", 1)), "quota_exceeded");
}

TEST_F(CatalogQuotaTest, UsersHaveTheirOwnLimits)
{
    StorageQuota quota(catalog.connections(), {.user_bytes = 100});
    const auto maya = add_user("maya"), ada = add_user("ada", 10);
    EXPECT_EQ(store(quota, asset_of("a", 60), "user:" + maya), "");
    EXPECT_EQ(store(quota, asset_of("b", 41), "user:" + maya), "user_quota_exceeded");
    EXPECT_EQ(store(quota, asset_of("c", 11), "user:" + ada), "user_quota_exceeded");
    EXPECT_EQ(store(quota, asset_of("c", 10), "user:" + ada), "");
    EXPECT_EQ(store(quota, asset_of("d", 1000)), "") << "of nobody";
    EXPECT_EQ(store(quota, asset_of("a", 60), "user:" + ada), "") << "an asset of another user";
    const auto users = StorageQuota(catalog.connections(), {.user_bytes = 100}).storage_of_users();
    EXPECT_EQ(users.at(maya).used, 60u);
    EXPECT_EQ(users.at(maya).limit, 100u);
    EXPECT_EQ(users.at(ada).used, 10u);
    EXPECT_EQ(users.at(ada).limit, 10u);
    const auto error = quota.reserve("user:" + maya, 41).error();
    EXPECT_NE(error.detail.find("may have 100 bytes; they have 60"), std::string::npos) << error.detail;
    ASSERT_TRUE(UserTable(catalog.connections()).change(maya, {.quota = std::optional<std::uint64_t>(200)}));
    EXPECT_TRUE(has_room(quota, 140, "user:" + maya));
    EXPECT_FALSE(has_room(quota, 141, "user:" + maya));
}

// A version counts as an asset does: content that the user has not uploaded takes the user's room, also if
// others have uploaded it.
TEST_F(CatalogQuotaTest, VersionsCountAsAssetsDo)
{
    StorageQuota quota(catalog.connections(), {.all_bytes = 200, .user_bytes = 100});
    const auto maya = "user:" + add_user("maya"), ada = "user:" + add_user("ada");
    const auto known = asset_of("known", 60), own = asset_of("own", 50), other = asset_of("other", 30);
    ASSERT_EQ(store(quota, known, ada), "");
    ASSERT_EQ(store(quota, own, maya), "");
    const auto id = catalog.list_assets({.facts = {.owner = maya}})->items.at(0).id;
    const auto admitted = [&](const NewAsset& content) {
        auto room = quota.reserve(maya, 0).value();
        const auto answer = room.admit({&content, 1}, id);
        return answer ? std::string() : answer.error().code;
    };
    EXPECT_EQ(admitted(known), "user_quota_exceeded") << "it becomes a version of maya's";
    EXPECT_EQ(admitted(own), "") << "the asset has it";
    EXPECT_EQ(admitted(other), "");
    {
        const AuditScope scope({.principal = maya});
        ASSERT_TRUE(catalog.create_version(id, {.content = other}));
    }
    EXPECT_EQ(StorageQuota(catalog.connections(), {}).storage_of(maya.substr(5)).used, 80u);
    EXPECT_EQ(admitted(other), "") << "the asset has it in a version";
}

// Content that an asset has only in a version that is not read makes another asset.
TEST_F(CatalogQuotaTest, ContentOfAnotherVersionIsNew)
{
    StorageQuota quota(catalog.connections(), {.user_bytes = 100});
    const auto ada = "user:" + add_user("ada");
    const auto asset = add("guard");
    const auto content = asset_of("later", 101);
    ASSERT_TRUE(catalog.create_version(asset.id, {.content = content}));
    EXPECT_EQ(store(quota, content, ada), "user_quota_exceeded");
}

TEST_F(CatalogQuotaTest, UploadsOfAUserAtTheSameTimeShareTheLimit)
{
    StorageQuota quota(catalog.connections(), {.user_bytes = 100});
    const auto maya = "user:" + add_user("maya");
    auto one = quota.reserve(maya, 60).value();
    EXPECT_FALSE(has_room(quota, 41, maya));
    EXPECT_TRUE(has_room(quota, 100, "user:" + add_user("ada")));
    const auto larger = asset_of("zip", 101), smaller = asset_of("zip", 90);
    EXPECT_FALSE(one.admit({&larger, 1}));
    EXPECT_TRUE(one.admit({&smaller, 1}));
    EXPECT_FALSE(has_room(quota, 11, maya)) << "what its files take";
    UploadTable table(catalog.connections(), {});
    ASSERT_TRUE(table.create({.id = "one", .length = 10, .owner = maya.substr(5)}));
    EXPECT_FALSE(has_room(quota, 1, maya));
}

TEST_F(CatalogQuotaTest, WithoutALimitEverythingIsAdmitted)
{
    StorageQuota quota(catalog.connections(), {});
    EXPECT_EQ(store(quota, asset_of("a", 1ull << 60)), "");
    EXPECT_TRUE(has_room(quota, 1ull << 60));
    EXPECT_EQ(quota.in_use().stored, 1ull << 60);
    catalog.connections().read([](DatabaseConnection& sql) {
        long long rows = 0;
        sql << "SELECT COUNT(*) FROM storage_reservations", soci::into(rows);
        EXPECT_EQ(rows, 0);
    });
}

} // namespace
} // namespace vitrine::server::testing
