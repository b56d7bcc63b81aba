// The limit of all original files.

#include "server/services/uploads/storage_quota.hpp"

#include <gtest/gtest.h>

#include "server/services/uploads/upload_table.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class CatalogQuotaTest : public CatalogTest {
protected:
    static FileRecord file(const std::string& blob, std::uint64_t bytes)
    {
        return {blob + ".obj", blob, bytes};
    }
    void store(StorageQuota& quota, const FileRecord& one)
    {
        auto admitted = quota.admit({&one, 1});
        ASSERT_TRUE(admitted) << admitted.error().detail;
        catalog.create_assets(std::vector{NewAsset{one.name, one.name, {one}}});
        admitted->commit();
    }
    static bool is_admitted(StorageQuota& quota, const FileRecord& one)
    {
        return quota.admit({&one, 1}).has_value();
    }
};

TEST_F(CatalogQuotaTest, CountsEachContentOnce)
{
    StorageQuota quota(catalog.connections(), 100);
    store(quota, file("a", 60));
    EXPECT_EQ(quota.in_use().stored, 60u);
    EXPECT_FALSE(is_admitted(quota, file("b", 41)));
    EXPECT_TRUE(is_admitted(quota, file("a", 60))) << "a known content needs no room";
    store(quota, file("b", 40));
    EXPECT_FALSE(is_admitted(quota, file("c", 1)));
    EXPECT_TRUE(is_admitted(quota, file("a", 60))) << "nor in a full library";
    const auto error = quota.check(1).error();
    EXPECT_EQ(error.code, "quota_exceeded");
    EXPECT_EQ(error.kind, Errc::no_room);
}

TEST_F(CatalogQuotaTest, TrashAndAllVersionsCount)
{
    const auto asset = add("guard");
    ASSERT_TRUE(catalog.create_version(asset.id, {.content = asset_named("better")}));
    ASSERT_TRUE(catalog.trash_asset(asset.id));
    StorageQuota quota(catalog.connections(), 20);
    EXPECT_EQ(quota.in_use().stored, 20u);
    EXPECT_FALSE(quota.check(1));
}

TEST_F(CatalogQuotaTest, CountsUploadsInPieces)
{
    UploadTable table(catalog.connections(), {});
    StorageQuota quota(catalog.connections(), 100);
    ASSERT_TRUE(table.create({.id = "one", .length = 70}));
    EXPECT_EQ(quota.in_use().open, 70u);
    EXPECT_TRUE(quota.check(30));
    EXPECT_FALSE(quota.check(31));
    ASSERT_TRUE(table.remove("one"));
    EXPECT_TRUE(quota.check(100));
}

TEST_F(CatalogQuotaTest, CountsBodiesThatArrive)
{
    StorageQuota quota(catalog.connections(), 100);
    {
        StorageQuota::Arrival one(quota), other(quota);
        EXPECT_TRUE(one.grow_to(60));
        EXPECT_TRUE(other.grow_to(40));
        EXPECT_FALSE(one.grow_to(61));
        EXPECT_FALSE(quota.check(1));
    }
    EXPECT_TRUE(quota.check(100)) << "they have ended";
}

TEST_F(CatalogQuotaTest, WithoutALimitEverythingIsAdmitted)
{
    StorageQuota quota(catalog.connections(), 0);
    store(quota, file("a", 1ull << 60));
    EXPECT_TRUE(quota.check(1ull << 60));
    EXPECT_EQ(quota.in_use().stored, 1ull << 60);
}

} // namespace
} // namespace vitrine::server::testing
